import { Problem } from '../../../contract/problems.ts';
import type { StatementQueue } from '../../events/shapes/shapes.ts';
import { lakeTable } from '../../lineage/sources/collection.ts';
import type { CollectionProjectRef } from './collection-keys.ts';
import { changeProject } from './collection-projects.ts';
import { findConnector } from './connectors.ts';
import { RetentionDays } from './inputs.ts';
import { type Operator, requireValid } from './operator.ts';
import type { CollectionProject } from './records.ts';

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

/**
 * Names the connector whose relations the project's lake is, or none (C-COLLINEAGE-1). Each connector that it ever had
 * gets a message after the write, also after a repeated request: a statement without relations retracts an earlier one.
 */
export async function setCollectionLineage(
  ports: Operator & { readonly queue: StatementQueue },
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
