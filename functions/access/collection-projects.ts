import type { collectionProjectRoutes } from '../../shared/contract/collection-projects.ts';
import { CollectionProjectId, idOf, type WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { describeCounts, lastDates, type ReadEventCounts } from '../../shared/domain/events/event-counts.ts';
import { describeShapes, type ShapeStore } from '../../shared/domain/events/shapes/note-shapes.ts';
import { createProjectKey, revokeProjectKey } from '../../shared/domain/workspaces/access/collection-keys.ts';
import {
  addOrigin,
  createCollectionProject,
  listCollectionProjects,
  projectItem,
  projectKeyItem,
  removeOrigin,
} from '../../shared/domain/workspaces/access/collection-projects.ts';
import {
  setCollectionLineage,
  setTrackingPlan,
  trackingPlanOf,
} from '../../shared/domain/workspaces/access/collection-settings.ts';
import type { RegistryWriter } from '../../shared/domain/workspaces/access/operator.ts';
import type { Registry } from '../../shared/domain/workspaces/access/records.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Serves the routes of collection projects: C-ADMIN-7 to C-ADMIN-9, C-COUNT-1. */
export const collectionProjects = (
  ports: RegistryWriter & {
    readonly eventCounts: ReadEventCounts;
    readonly shapes: Pick<ShapeStore, 'read'>;
  } & Omit<Parameters<typeof setCollectionLineage>[0], 'actor'>,
): Implementations<typeof collectionProjectRoutes> => ({
  listCollectionProjects: async ({ query, workspace }) => listCollectionProjects(ports.registry, workspace, query),
  createCollectionProject: async ({ body: { name, environments, origins }, caller, workspace }) => {
    const operator = { ...ports, actor: caller.userId };
    const { record } = await createCollectionProject(operator, workspace, { name, environments, origins });
    return projectItem(record);
  },
  updateCollectionProject: async ({ params, body: { lineage, tracking_plan }, caller: { userId }, workspace }) => {
    const place = await projectOf(ports.registry, workspace, params.collection_project_id);
    const operator = { ...ports, actor: userId };
    if (lineage !== undefined) await setCollectionLineage(operator, place, lineage);
    if (tracking_plan !== undefined) await setTrackingPlan(operator, place, tracking_plan);
    const found = await ports.registry.collectionProjects.find(place);
    if (found === null) throw new Problem('not_found');
    return projectItem(found.record);
  },
  addCollectionOrigin: async ({ params, body: { origin }, caller, workspace }) => {
    const place = await projectOf(ports.registry, workspace, params.collection_project_id);
    return projectItem(await addOrigin({ ...ports, actor: caller.userId }, place, origin));
  },
  removeCollectionOrigin: async ({ params, query: { origin }, caller, workspace }) => {
    const place = await projectOf(ports.registry, workspace, params.collection_project_id);
    await removeOrigin({ ...ports, actor: caller.userId }, place, origin);
  },
  createProjectKey: async ({ params, body: { name, environment }, caller, workspace }) => {
    const place = await projectOf(ports.registry, workspace, params.collection_project_id);
    const created = await createProjectKey({ ...ports, actor: caller.userId }, place, { name, environment });
    if (created.key === null) throw new Problem('conflict', { message: 'The project has an active key of this name.' });
    return { ...projectKeyItem(created.record), key: created.key };
  },
  revokeProjectKey: async ({ params, caller, workspace }) => {
    const place = await projectOf(ports.registry, workspace, params.collection_project_id);
    const key = { workspace_id: workspace, project_id: place.id, id: params.project_key_id };
    const found = await ports.registry.projectKeys.find(key);
    if (found === null) throw new Problem('not_found');
    await revokeProjectKey({ ...ports, actor: caller.userId }, place, found.record.name);
  },
  describeCollectedEvents: async ({ params, workspace }) => {
    const place = await projectOf(ports.registry, workspace, params.collection_project_id);
    const stored = await ports.shapes.read({ workspace_id: workspace, project_id: place.id });
    const tracking_plan = await trackingPlanOf(ports.registry, place);
    return { workspace_id: workspace, collection_project_id: place.id, tracking_plan, ...describeShapes(stored) };
  },
  countCollectedEvents: async ({ params, query: { days }, workspace }) => {
    const { id } = await projectOf(ports.registry, workspace, params.collection_project_id);
    const known = await ports.eventCounts(workspace, id, lastDates(ports.clock.now(), days));
    return { workspace_id: workspace, collection_project_id: id, ...describeCounts(known) };
  },
});

async function projectOf({ collectionProjects: projects }: Registry, workspace_id: WorkspaceId, text: string) {
  const id = idOf(CollectionProjectId, text);
  if ((await projects.find({ workspace_id, id })) === null) throw new Problem('not_found');
  return { workspace_id, id };
}
