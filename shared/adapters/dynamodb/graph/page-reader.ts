import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Page } from '../../../domain/graph/claim.ts';
import { shardOf } from '../../../domain/graph/ids.ts';
import type { PageReader } from '../../../domain/graph/ports.ts';
import { batchGet } from '../batch-get.ts';
import { coldPageKey, coldPageShard, pageKey, pageShard, pastNode } from '../keys.ts';
import { queryAll } from '../query-all.ts';
import type { Meter, Table } from '../table.ts';
import { nameAttributes, pageOf } from './page-codec.ts';

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
            ...(after !== null && { ':after': { S: pastNode(after) } }),
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
    scanCold: async (workspace, side, { first, last }) => {
      const items = queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': { S: coldPageShard(workspace, side, shardOf(first)) },
          ':first': { S: first },
          ':last': { S: pastNode(last) },
        },
      });
      const pages: Page[] = [];
      for await (const item of items) pages.push(pageOf(side, item));
      return pages;
    },
    names: async (workspace, side, nodes) => {
      const keys = nodes.map((node) => pageKey(workspace, side, node, 0));
      const items = await batchGet(table, keys, { ...metered, attributes: nameAttributes });
      return items.map((item) => pageOf(side, item));
    },
    coldPages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => coldPageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
  };
}
