import { Problem } from '../../../contract/problems.ts';
import type { TrackingPlan } from '../../../contract/tracking-plan.ts';
import type { ProjectionQueue } from '../../lineage/ingest/deliveries/ports.ts';
import { lakeTable } from '../../lineage/sources/collection.ts';
import type { CollectionProjectRef } from './collection-keys.ts';
import { changeProject } from './collection-projects.ts';
import { findConnector } from './connectors.ts';
import { RetentionDays } from './inputs.ts';
import { type Operator, requireValid } from './operator.ts';
import type { CollectionProject, Registry } from './records.ts';

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

/** Sets the tracking plan of a project, or removes it; senders' processes use it within a minute (C-PLAN-1). */
export function setTrackingPlan(
  ports: Operator,
  place: CollectionProjectRef,
  plan: TrackingPlan | null,
): Promise<CollectionProject> {
  const { workspace_id, id: project_id } = place;
  const { trackingPlans } = ports.registry;
  const mode = plan?.mode ?? null;
  return changeProject(ports, place, {
    action: 'collection_project.tracking_plan',
    subject: { mode, events: Object.keys(plan?.events ?? {}).length },
    next: async (project) => {
      const found = await trackingPlans.find({ workspace_id, project_id });
      const record = { workspace_id, project_id, plan: JSON.stringify(plan) };
      if (plan === null ? found === null : found?.record.plan === record.plan) return null;
      const put = found ? trackingPlans.replace(found, record) : trackingPlans.create(record);
      const write = plan === null ? trackingPlans.remove(record) : put;
      return { record: { ...project, tracking_plan: mode }, also: [write] };
    },
  });
}

/** Null if the project has none. */
export async function trackingPlanOf(
  { trackingPlans }: Pick<Registry, 'trackingPlans'>,
  { workspace_id, id: project_id }: CollectionProjectRef,
): Promise<TrackingPlan | null> {
  const found = await trackingPlans.find({ workspace_id, project_id });
  return found && JSON.parse(found.record.plan);
}

/**
 * Names the connector whose relations the project's lake is, or none (C-COLLINEAGE-1). Each connector that it ever had
 * gets a message after the write, also after a repeated request: a statement without relations retracts an earlier one.
 */
export async function setCollectionLineage(
  ports: Operator & { readonly queue: ProjectionQueue },
  place: CollectionProjectRef,
  lineage: CollectionProject['lineage'],
): Promise<CollectionProject> {
  const { workspace_id, id: project_id } = place;
  const connector = lineage && (await findConnector(ports.registry, workspace_id, lineage.connector_id));
  if (lineage && !connector) throw new Problem('not_found');
  const wrong = lineage?.relations.findIndex((name) => connector && lakeTable(connector, name) === null) ?? -1;
  const errors = [{ path: `/lineage/relations/${wrong}`, message: 'must be the name of a relation' }];
  if (wrong >= 0) throw new Problem('validation_error', { errors });
  const project = await changeProject(ports, place, {
    action: 'collection_project.lineage',
    subject: { lineage },
    next: (project) => {
      if (JSON.stringify(project.lineage) === JSON.stringify(lineage)) return null;
      const lineage_connectors = [...new Set([...project.lineage_connectors, ...(connector ? [connector.id] : [])])];
      return { record: { ...project, lineage, lineage_connectors } };
    },
  });
  for (const connector_id of project.lineage_connectors)
    await ports.queue.send({ version: 1, kind: 'state_collection', workspace_id, project_id, connector_id });
  return project;
}
