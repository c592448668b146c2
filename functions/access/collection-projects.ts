import { CollectionProjectId, idOrNull, type WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { collectionProjectRoutes } from '../../shared/contract/routes/collection-projects.ts';
import { createProjectKey, revokeProjectKey } from '../../shared/domain/access/collection-keys.ts';
import {
  listCollectionProjects,
  projectItem,
  projectKeyItem,
} from '../../shared/domain/access/collection-project-list.ts';
import { addOrigin, createCollectionProject, removeOrigin } from '../../shared/domain/access/collection-projects.ts';
import type { OperatorPorts } from '../../shared/domain/access/operator.ts';
import type { Registry } from '../../shared/domain/access/registry.ts';
import { lastDates, type ReadEventCounts } from '../../shared/domain/events/event-counts.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type Ports = Omit<OperatorPorts, 'actor'> & { readonly eventCounts: ReadEventCounts };

/** Serves the routes of collection projects: C-ADMIN-7 to C-ADMIN-9, C-COUNT-1. */
export const collectionProjects = (ports: Ports): Implementations<typeof collectionProjectRoutes> => ({
  ...projectRoutes(ports),
  ...keyRoutes(ports),
  listCollectionProjects: async ({ query, workspace }) => ({
    status: 200,
    body: await listCollectionProjects(ports.registry, workspace, query),
  }),
  countCollectedEvents: async ({ params, query: { days }, workspace }) => {
    const { id } = await projectOf(ports.registry, workspace, params.collection_project_id);
    const known = await ports.eventCounts(workspace, id, lastDates(ports.clock.now(), days));
    const items = known.toSorted((a, b) => (a.date < b.date ? 1 : -1));
    return {
      status: 200,
      body: { workspace_id: workspace, collection_project_id: id, items: items.map((one) => ({ ...one })) },
    };
  },
});

const projectRoutes = (ports: Ports) =>
  ({
    createCollectionProject: async ({ body: { name, environments, origins }, caller, workspace }) => {
      const operator = { ...ports, actor: caller.userId };
      const { record } = await createCollectionProject(operator, workspace, { name, environments, origins });
      return { status: 201, body: projectItem(record) };
    },
    addCollectionOrigin: async ({ params, body: { origin }, caller, workspace }) => {
      const place = await projectOf(ports.registry, workspace, params.collection_project_id);
      return { status: 201, body: projectItem(await addOrigin({ ...ports, actor: caller.userId }, place, origin)) };
    },
    removeCollectionOrigin: async ({ params, query: { origin }, caller, workspace }) => {
      const place = await projectOf(ports.registry, workspace, params.collection_project_id);
      await removeOrigin({ ...ports, actor: caller.userId }, place, origin);
      return { status: 204 };
    },
  }) satisfies Partial<Implementations<typeof collectionProjectRoutes>>;

const keyRoutes = (ports: Ports) =>
  ({
    createProjectKey: async ({ params, body: { name, environment }, caller, workspace }) => {
      const { id: project_id } = await projectOf(ports.registry, workspace, params.collection_project_id);
      const place = { workspace_id: workspace, project_id };
      const made = await createProjectKey({ ...ports, actor: caller.userId }, place, { name, environment });
      if (made.key === null) throw new Problem('conflict', { message: 'The project has an active key of this name.' });
      return { status: 201, body: { ...projectKeyItem(made.record), key: made.key } };
    },
    revokeProjectKey: async ({ params, caller, workspace }) => {
      const { id: project_id } = await projectOf(ports.registry, workspace, params.collection_project_id);
      const place = { workspace_id: workspace, project_id };
      const found = await ports.registry.projectKeys.find({ ...place, id: params.project_key_id });
      if (found === null) throw new Problem('not_found');
      await revokeProjectKey({ ...ports, actor: caller.userId }, place, found.record.name);
      return { status: 204 };
    },
  }) satisfies Partial<Implementations<typeof collectionProjectRoutes>>;

/** 404 where the workspace has no such project. */
async function projectOf({ collectionProjects: projects }: Registry, workspace_id: WorkspaceId, text: string) {
  const id = idOrNull(CollectionProjectId, text);
  if (id === null || (await projects.find({ workspace_id, id })) === null) throw new Problem('not_found');
  return { workspace_id, id };
}
