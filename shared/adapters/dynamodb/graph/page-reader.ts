import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { PageReader } from '../../../domain/graph/ports.ts';
import { batchGet } from '../batch-get.ts';
import { coldPageKey, pageKey, pageShard } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { pageOf } from './page-codec.ts';

/** Reads neighbour pages, 100 a request. */
export function pageReader(table: Table, meter?: Meter): PageReader {
  const metered = meter ? { meter } : {};
  return {
    firstPages: async (workspace, side, nodes, options) => {
      const keys = nodes.map((node) => pageKey(workspace, side, node, 0));
      const items = await batchGet(table, keys, { ...metered, consistent: options?.consistent ?? false });
      return items.map((item) => pageOf(side, item));
    },
    morePages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => pageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
    scan: async (workspace, side, shard, after, limit) => {
      const answer = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: after === null ? 'pk = :pk' : 'pk = :pk AND sk > :after',
          ExpressionAttributeValues: {
            ':pk': { S: pageShard(workspace, side, shard) },
            ...(after !== null && { ':after': { S: `${after}#~` } }),
          },
          Limit: limit,
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      if (meter) {
        meter.requests++;
        meter.readUnits += answer.ConsumedCapacity?.CapacityUnits ?? 0;
      }
      return (answer.Items ?? []).map((item) => pageOf(side, item));
    },
    coldPages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => coldPageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
  };
}
