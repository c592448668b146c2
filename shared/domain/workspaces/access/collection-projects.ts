import * as v from 'valibot';
import type { CollectionProjectPage } from '../../../contract/collection-projects.ts';
import { text } from '../../../contract/fields.ts';
import { CollectionProjectId, type WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { type PageRequest, pageById } from '../../base/paging/cursor.ts';
import { type CollectionProjectRef, revokeKeysOf } from './collection-keys.ts';
import { Environment, Name, Origin, originOf } from './inputs.ts';
import {
  type CreatedOrFound,
  createOrFind,
  idFromName,
  type Operator,
  removeRecord,
  requireValid,
  requireWorkspace,
  updateRecord,
} from './operator.ts';
import type { CollectionProject, LinkedProjectRecord, ProjectKey, Registry, ServerKey, Write } from './records.ts';

const maxNames = 50;
const NewCollectionProject = v.strictObject({
  name: Name,
  environments: v.pipe(v.array(Environment), v.minLength(1), v.maxLength(maxNames)),
  origins: v.optional(v.pipe(v.array(Origin), v.maxLength(maxNames)), []),
});

const createAction = 'collection_project.create';

/** Makes a project whose keys may send events, or finds the one of that name. A revoked one is opened again, without its keys. */
export async function createCollectionProject(
  ports: Operator,
  workspace_id: WorkspaceId,
  input: v.InferInput<typeof NewCollectionProject>,
): Promise<CreatedOrFound<CollectionProject>> {
  const { name, environments, origins } = requireValid(NewCollectionProject, input);
  await requireWorkspace(ports, workspace_id);
  const id = v.parse(CollectionProjectId, idFromName('prj', workspace_id, name));
  const { collectionProjects, allowedOrigins } = ports.registry;
  const unique = { environments: [...new Set(environments)], origins: [...new Set(origins)] };
  const also = unique.origins.map((origin) => allowedOrigins.create({ origin, workspace_id, project_id: id }));
  const created = await createOrFind(ports, collectionProjects, { workspace_id, id }, () => {
    const created_at = ports.clock.now().toISOString();
    const settings = { events_retention_days: null, lineage: null, lineage_connectors: [], tracking_plan: null };
    const record = { workspace_id, id, name, ...unique, ...settings, created_at, revoked_at: null };
    return { record, also, auditAction: { workspace_id, action: createAction, subject: { id, name, ...unique } } };
  });
  if (created.record.revoked_at === null) return created;
  return { record: await reopenProject(ports, { workspace_id, id }, { name, ...unique }, also), created: true };
}

async function reopenProject(
  ports: Operator,
  place: CollectionProjectRef,
  provided: Pick<CollectionProject, 'name' | 'environments' | 'origins'>,
  also: readonly Write[],
): Promise<CollectionProject> {
  // Before it is opened: a key that was left active would open with it.
  await revokeKeysOf(ports, place);
  return changeProject(ports, place, {
    action: createAction,
    subject: { ...provided },
    next: (project) =>
      project.revoked_at === null ? null : { record: { ...project, ...provided, revoked_at: null }, also },
  });
}

/** Adds a name to a list of the project, or removes it. An origin is also found by itself. */
function changeNames(
  ports: Operator,
  place: CollectionProjectRef,
  [action, kind]: readonly ['add' | 'remove', 'environment' | 'origin'],
  name: string,
): Promise<CollectionProject> {
  const allowed = { origin: name, workspace_id: place.workspace_id, project_id: place.id };
  return changeProject(ports, place, {
    action: `collection_project.${action}_${kind}`,
    subject: { [kind]: name },
    next: (project) => {
      const names = project[`${kind}s`];
      if (names.includes(name) === (action === 'add')) return null;
      if (kind === 'origin' && action === 'add') requireOriginCapacity(project);
      const others = names.filter((one) => one !== name);
      const record = { ...project, [`${kind}s`]: action === 'add' ? [...others, name] : others };
      const { create, remove } = ports.registry.allowedOrigins;
      return { record, ...(kind === 'origin' && { also: [(action === 'add' ? create : remove)(allowed)] }) };
    },
  });
}

export const addEnvironment = (ports: Operator, place: CollectionProjectRef, text: string) =>
  changeNames(ports, place, ['add', 'environment'], requireValid(Environment, text));

/** Ends an environment and its keys; the events that it sent stay. */
export async function removeEnvironment(ports: Operator, place: CollectionProjectRef, environment: string) {
  await revokeKeysOf(ports, place, environment);
  return changeNames(ports, place, ['remove', 'environment'], environment);
}

export const addOrigin = (ports: Operator, place: CollectionProjectRef, text: string) =>
  changeNames(ports, place, ['add', 'origin'], requireValid(Origin, text));

export const removeOrigin = (ports: Operator, place: CollectionProjectRef, origin: string) =>
  changeNames(ports, place, ['remove', 'origin'], originOf(origin) ?? origin);

/** Ends a project: none of its keys sends any more, and its origins are forgotten. */
export async function revokeCollectionProject(
  ports: Operator,
  place: CollectionProjectRef,
): Promise<CollectionProject> {
  const { allowedOrigins } = ports.registry;
  const revoked = await changeProject(ports, place, {
    action: 'collection_project.revoke',
    subject: {},
    next: (project) => {
      if (project.revoked_at !== null) return null;
      const also = project.origins.map((origin) =>
        allowedOrigins.remove({ origin, workspace_id: place.workspace_id, project_id: place.id }),
      );
      return { record: { ...project, origins: [], revoked_at: ports.clock.now().toISOString() }, also };
    },
  });
  await revokeKeysOf(ports, place);
  return revoked;
}

type ChangedCollectionProject = { readonly record: CollectionProject; readonly also?: readonly Write[] };
type ProjectChange = {
  readonly action: string;
  readonly subject: Readonly<Record<string, unknown>>;
  readonly next: (
    project: CollectionProject,
  ) => ChangedCollectionProject | null | Promise<ChangedCollectionProject | null>;
};

/** Changes a project as `next` says, with its audit entry. 404 where there is none. */
export function changeProject(
  ports: Operator,
  place: CollectionProjectRef,
  { action, subject, next }: ProjectChange,
): Promise<CollectionProject> {
  const auditAction = { workspace_id: place.workspace_id, action, subject: { id: place.id, ...subject } };
  return updateRecord(ports, ports.registry.collectionProjects, place, async (project) => {
    const changed = await next(project);
    return changed && { ...changed, auditAction };
  });
}

/** A revoked project's origins change together with it in one commit, which holds a hundred writes. */
function requireOriginCapacity({ origins, revoked_at }: CollectionProject): void {
  if (revoked_at !== null) throw new Problem('conflict', { message: 'The project is revoked.' });
  if (origins.length >= maxNames)
    throw new Problem('conflict', { message: `A project has at most ${maxNames} origins.` });
}

export async function listCollectionProjects(
  registry: Pick<Registry, 'collectionProjects' | 'projectKeys' | 'serverKeys'>,
  workspace: WorkspaceId,
  request: PageRequest,
): Promise<CollectionProjectPage> {
  const [projects, projectKeys, serverKeys] = await Promise.all([
    registry.collectionProjects.list(workspace),
    registry.projectKeys.list(workspace),
    registry.serverKeys.list(workspace),
  ]);
  const { page, next_cursor } = pageById(['collection projects', workspace], projects, request);
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
  lineage: project.lineage,
  tracking_plan: project.tracking_plan,
});

const serverKeyItem = ({ id, name, created_at, revoked_at }: ServerKey) => ({ id, name, created_at, revoked_at });

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
  const place = { workspace_id, project_id };
  return createOrFind(ports, ports.registry.linkedProjects, place, () => ({
    record: { ...place, created_at: ports.clock.now().toISOString() },
    auditAction: { workspace_id, action: 'linked_project.link', subject: { project_id } },
  }));
}

/** Ends the link; the project's lineage stays. */
export function unlinkProject(ports: Operator, workspace_id: WorkspaceId, project_id: string): Promise<boolean> {
  const auditAction = { workspace_id, action: 'linked_project.unlink', subject: { project_id } };
  return removeRecord(ports, ports.registry.linkedProjects, { workspace_id, project_id }, auditAction);
}
