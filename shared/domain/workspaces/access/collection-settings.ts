import type { UpdateCollectionProject } from '../../../contract/collection-projects.ts';
import type { ConnectorId } from '../../../contract/ids.ts';
import type { StateCollection } from '../../../contract/messages.ts';
import { Problem } from '../../../contract/problems.ts';
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

type Lineage = NonNullable<CollectionProject['lineage']>;

/**
 * Names the connector whose relations the project's lake is, or none (C-COLLINEAGE-1). Each connector that it ever had
 * is told after the write, also by a repeated request: a statement without relations retracts an earlier one.
 */
export async function setCollectionLineage(
  ports: Operator & { readonly queue: { readonly send: (message: StateCollection) => Promise<void> } },
  place: CollectionProjectRef,
  provided: UpdateCollectionProject['lineage'],
): Promise<CollectionProject> {
  const lineage = provided && (await knownLineage(ports, place, provided));
  const project = await changeProject(ports, place, {
    action: 'collection_project.lineage',
    subject: { lineage },
    next: (project) =>
      JSON.stringify(project.lineage) === JSON.stringify(lineage)
        ? null
        : { record: { ...project, lineage, lineage_connectors: withConnector(project, lineage) } },
  });
  const { workspace_id, id: project_id } = place;
  for (const connector_id of project.lineage_connectors)
    await ports.queue.send({ version: 1, kind: 'state_collection', workspace_id, project_id, connector_id });
  return project;
}

async function knownLineage(
  { registry }: Operator,
  { workspace_id }: CollectionProjectRef,
  { connector_id, relations }: NonNullable<UpdateCollectionProject['lineage']>,
): Promise<Lineage> {
  const connector = await findConnector(registry, workspace_id, connector_id);
  if (!connector) throw new Problem('not_found');
  const errors = relations.flatMap((name, index) =>
    lakeTable(connector, name) ? [] : [{ path: `/lineage/relations/${index}`, message: 'must be a relation’s name' }],
  );
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return { connector_id: connector.id, relations };
}

const withConnector = ({ lineage_connectors }: CollectionProject, lineage: Lineage | null): ConnectorId[] => [
  ...new Set([...lineage_connectors, ...(lineage ? [lineage.connector_id] : [])]),
];
