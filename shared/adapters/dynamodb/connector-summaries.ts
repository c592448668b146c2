import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { ConnectorSummary, noSummary, type SummaryStore, updated } from '../../domain/agent-context/summary.ts';
import { batchGet } from './batch-get.ts';
import { attributes } from './delivery-item.ts';
import { connectorSummaryKey } from './keys/agent-keys.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

const maxAttempts = 8;

/** What is kept of each connector's tables together, one item a connector. */
export const connectorSummaries = (table: Table): SummaryStore => ({
  get: async (workspace, connectors) => {
    const keys = new Map(connectors.map((id) => [connectorSummaryKey(workspace, id).pk, id]));
    const items = await batchGet(
      table,
      connectors.map((id) => connectorSummaryKey(workspace, id)),
    );
    return new Map(
      items.flatMap((item) => {
        const id = keys.get(item['pk']?.S ?? '');
        return id ? [[id, v.parse(ConnectorSummary, unmarshall(item))] as const] : [];
      }),
    );
  },
  update: (workspace, connector, change) => update(table, workspace, connector, change),
});

async function update(
  table: Table,
  workspace: WorkspaceId,
  connector: ConnectorId,
  change: Parameters<SummaryStore['update']>[2],
): Promise<void> {
  const key = connectorSummaryKey(workspace, connector);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [item] = await batchGet(table, [key], { consistent: true });
    const known = item ? v.parse(ConnectorSummary, unmarshall(item)) : noSummary;
    const version = Number(item?.['version']?.N ?? 0);
    const { ids, bound, tables, learnt_at } = updated(known, change);
    const { refused } = await updateItem(table, key, {
      UpdateExpression: 'SET ids = :ids, bound = :bound, tables = :tables, learnt_at = :at, version = :next',
      ConditionExpression: item ? 'version = :version' : 'attribute_not_exists(pk)',
      ExpressionAttributeValues: attributes({
        ':ids': ids,
        ':bound': bound,
        ':tables': tables,
        ':at': learnt_at,
        ':next': version + 1,
        ...(item && { ':version': version }),
      }),
    });
    if (refused === null) return;
  }
}
