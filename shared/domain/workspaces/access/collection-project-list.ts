import * as v from 'valibot';
import type { CollectionProjectPage } from '../../../contract/collection-projects.ts';
import { text } from '../../../contract/fields.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { cutPage, type PageRequest, readCursor } from '../../base/paging/cursor.ts';
import type { CollectionProjectRef } from './collection-keys.ts';
import { changeProject } from './collection-projects.ts';
import { RetentionDays } from './inputs.ts';
import {
  type CreatedOrFound,
  createOrFind,
  type Operator,
  removeRecord,
  requireValid,
  requireWorkspace,
} from './operator.ts';
import type { CollectionProject, LinkedProjectRecord, ProjectKey, ServerKey } from './records.ts';
import type { Registry } from './registry.ts';

export async function listCollectionProjects(
  registry: Pick<Registry, 'collectionProjects' | 'projectKeys' | 'serverKeys'>,
  workspace: WorkspaceId,
  { limit, cursor }: PageRequest,
): Promise<CollectionProjectPage> {
  const listing = ['collection projects', workspace] as const;
  const after = readCursor(listing, v.string(), cursor);
  const [projects, projectKeys, serverKeys] = await Promise.all([
    registry.collectionProjects.list(workspace),
    registry.projectKeys.list(workspace),
    registry.serverKeys.list(workspace),
  ]);
  const rest = projects.filter(({ id }) => after === null || id > after);
  const { page, next_cursor } = cutPage(listing, rest, limit, ({ id }) => id);
  return {
    workspace_id: workspace,
    items: page.map((project) => ({
      ...projectItem(project),
      project_keys: ofProject(projectKeys, project).map(projectKeyItem),
      server_keys: ofProject(serverKeys, project).map(serverKeyItem),
    })),
    next_cursor,
  };
}

const ofProject = <K extends ServerKey>(keys: readonly K[], { id }: CollectionProject): readonly K[] =>
  keys.filter(({ project_id }) => project_id === id);

export const projectItem = (project: CollectionProject) => ({
  id: String(project.id),
  workspace_id: String(project.workspace_id),
  name: project.name,
  environments: project.environments,
  origins: project.origins,
  created_at: project.created_at,
  revoked_at: project.revoked_at,
});

const serverKeyItem = ({ id, name, created_at, revoked_at }: ServerKey) => ({ id, name, created_at, revoked_at });

/** A key as lists show it: without its hash. */
export const projectKeyItem = ({ environment, rate, ...key }: ProjectKey) => ({
  ...serverKeyItem(key),
  environment,
  rate,
});

const ProjectId = text(limits.declared.projectId);

/** Lets the workspace take snapshots of a dbt or SQLMesh project under its stable id. */
export async function linkProject(
  ports: Operator,
  workspace_id: WorkspaceId,
  project: string,
): Promise<CreatedOrFound<LinkedProjectRecord>> {
  const project_id = requireValid(ProjectId, project);
  await requireWorkspace(ports, workspace_id);
  const { linkedProjects } = ports.registry;
  return createOrFind(ports, {
    find: () => linkedProjects.find({ workspace_id, project_id }),
    make: () => {
      const record = { workspace_id, project_id, created_at: ports.clock.now().toISOString() };
      const auditAction = { workspace_id, action: 'linked_project.link', subject: { project_id } };
      return { record, writes: [linkedProjects.create(record)], auditAction };
    },
  });
}

/** Ends the link; the project's lineage stays. */
export async function unlinkProject(ports: Operator, workspace_id: WorkspaceId, project_id: string): Promise<boolean> {
  const { linkedProjects } = ports.registry;
  const auditAction = { workspace_id, action: 'linked_project.unlink', subject: { project_id } };
  const found = await linkedProjects.find({ workspace_id, project_id });
  return removeRecord(ports, found, (record) => [linkedProjects.remove(record)], auditAction);
}

/** Sets for how many days events are kept after their receipt; null for ever. */
export function setEventsRetention(
  ports: Operator,
  place: CollectionProjectRef,
  days: number | null,
): Promise<CollectionProject> {
  const events_retention_days = requireValid(RetentionDays, days);
  return changeProject(ports, place, {
    action: 'collection_project.retention',
    subject: { events_retention_days },
    next: (project) =>
      project.events_retention_days === events_retention_days
        ? null
        : { record: { ...project, events_retention_days } },
  });
}
