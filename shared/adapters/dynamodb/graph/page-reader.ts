import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { shardOf } from '../../../domain/graph/ids.ts';
import type { ColdNode, PageReader } from '../../../domain/graph/ports.ts';
import { batchGet } from '../batch-get.ts';
import { coldNodeShard, coldPageKey, nodeKey, nodeShard, pageKey, pastNode } from '../keys.ts';
import { queryAll } from '../query-all.ts';
import type { Meter, Table } from '../table.ts';
import { graphNodeOf, nameAttributes, pageOf } from './page-codec.ts';

/** Reads nodes and their neighbour pages, 100 a request. */
export function pageReader(table: Table, meter?: Meter): PageReader {
  const metered = meter ? { meter } : {};
  return {
    nodes: async (workspace, nodes) => {
      const keys = nodes.map((node) => nodeKey(workspace, node));
      return (await batchGet(table, keys, metered)).map(graphNodeOf);
    },
    morePages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => pageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
    scan: async (workspace, shard, after, limit) => {
      const answer = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: after === null ? 'pk = :pk' : 'pk = :pk AND sk > :after',
          ExpressionAttributeValues: {
            ':pk': { S: nodeShard(workspace, shard) },
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
      return (answer.Items ?? []).map(graphNodeOf);
    },
    coldNodes: async (workspace, nodes) => {
      const keys = nodes.map((node) => coldPageKey(workspace, 'out', node, 0));
      return (await batchGet(table, keys, metered)).map(graphNodeOf);
    },
    scanCold: async (workspace, { first, last }) => {
      const items = queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': { S: coldNodeShard(workspace, shardOf(first)) },
          ':first': { S: first },
          ':last': { S: pastNode(last) },
        },
      });
      const found: ColdNode[] = [];
      for await (const item of items) found.push(graphNodeOf(item));
      return found;
    },
    names: async (workspace, nodes) => {
      const keys = nodes.map((node) => nodeKey(workspace, node));
      return (await batchGet(table, keys, { ...metered, attributes: nameAttributes })).map(graphNodeOf);
    },
    coldPages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => coldPageKey(workspace, side, node, number));
      return (await batchGet(table, keys, metered)).map((item) => pageOf(side, item));
    },
  };
}
