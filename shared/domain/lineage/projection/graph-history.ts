import type { GraphChange } from '../../../contract/graph-changes.ts';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';

/** The changes of a connector's graph by complete documents, kept as long as the graph's past. */
export type GraphHistory = {
  /** Adding a change again changes nothing. */
  readonly add: (workspace: WorkspaceId, connector: ConnectorId, change: GraphChange) => Promise<void>;
  /** The newest changes since a time, newest first. */
  readonly list: (
    workspace: WorkspaceId,
    connector: ConnectorId,
    range: { readonly since: string; readonly limit: number },
  ) => Promise<readonly GraphChange[]>;
};

/** Runs before the delivery ends, so that readers of an ended delivery find its change. Unchanged documents write nothing. */
export async function recordChange(
  { history }: { readonly history: Pick<GraphHistory, 'add'> },
  { workspace_id, connector_id, delivery_id, kind }: Delivery,
  outcome: DeliveryOutcome,
): Promise<void> {
  if (outcome.kind !== 'processed' || connector_id === null) return;
  const { changes, tookEffectAt: at } = outcome;
  if (changes && at && changes.relations > 0)
    await history.add(workspace_id, connector_id, { at, delivery_id, kind, ...changes });
}
