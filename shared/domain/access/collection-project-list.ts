import * as v from 'valibot';
import type { CollectionProjectPage } from '../../contract/collection-projects.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { readCursor, writeCursor } from '../paging/cursor.ts';
import type { CollectionProject, ProjectKey, ServerKey } from './records.ts';
import type { Registry } from './registry.ts';

/** A page of a workspace's collection projects, in the order of their ids, each with its keys. */
export async function listCollectionProjects(
  registry: Pick<Registry, 'collectionProjects' | 'projectKeys' | 'serverKeys'>,
  workspace: WorkspaceId,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<CollectionProjectPage> {
  const listing = ['collection projects', workspace] as const;
  const after = readCursor(listing, v.string(), cursor);
  const [projects, projectKeys, serverKeys] = await Promise.all([
    registry.collectionProjects.list(workspace),
    registry.projectKeys.list(workspace),
    registry.serverKeys.list(workspace),
  ]);
  const rest = projects.filter(({ id }) => after === null || id > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    workspace_id: workspace,
    items: page.map((project) => ({
      ...projectItem(project),
      project_keys: ofProject(projectKeys, project).map(projectKeyItem),
      server_keys: ofProject(serverKeys, project).map(serverKeyItem),
    })),
    next_cursor: rest.length > limit && last ? writeCursor(listing, last.id) : null,
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
