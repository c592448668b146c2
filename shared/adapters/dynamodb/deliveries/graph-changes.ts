import { GraphChange } from '../../../contract/graph-changes.ts';
import { limits } from '../../../contract/limits.ts';
import type { GraphHistory } from '../../../domain/lineage/projection/graph-history.ts';
import { graphChangeKey } from '../keys/delivery-keys.ts';
import { queryRecords } from '../registry/registry-collection.ts';
import { attributes, putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';

const keptMs = limits.history.days.max * 86_400_000;

/** One small item a change, in a partition of its connector; it expires. */
export const graphHistory = (table: Table): GraphHistory => ({
  add: async (workspace, connector, change) => {
    const key = graphChangeKey(workspace, connector, change.at, change.delivery_id);
    await putItem(table, attributes({ ...key, ...change, ttl: Math.ceil((Date.parse(change.at) + keptMs) / 1_000) }));
  },
  list: async (workspace, connector, { since, limit }) => {
    const { pk, sk } = graphChangeKey(workspace, connector, since, '');
    return queryRecords(table, GraphChange, {
      KeyConditionExpression: 'pk = :pk AND sk >= :since',
      ExpressionAttributeValues: attributes({ ':pk': pk, ':since': sk }),
      ScanIndexForward: false,
      Limit: limit,
    });
  },
});
