import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { shardOf } from '../../../domain/graph/ids.ts';
import type { HistoryNode, PageReader } from '../../../domain/graph/ports.ts';
import { batchGet } from '../batch-get.ts';
import { afterNode, historyNodeShard, historyPageKey, nodeKey, nodeShard, pageKey } from '../keys/graph-keys.ts';
import { queryAll } from '../query-all.ts';
import type { Table } from '../table.ts';
import { graphNodeOf, nameAttributes, pageOf } from './codec/codec.ts';

/** Reads nodes and their neighbour pages, 100 a request. */
export function pageReader(table: Table): PageReader {
  return {
    nodes: async (workspace, nodes) => {
      const keys = nodes.map((node) => nodeKey(workspace, node));
      return (await batchGet(table, keys)).map(graphNodeOf);
    },
    morePages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => pageKey(workspace, side, node, number));
      return (await batchGet(table, keys)).map((item) => pageOf(side, item));
    },
    scan: async (workspace, shard, after, limit) => {
      const answer = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: after === null ? 'pk = :pk' : 'pk = :pk AND sk > :after',
          ExpressionAttributeValues: {
            ':pk': { S: nodeShard(workspace, shard) },
            ...(after !== null && { ':after': { S: afterNode(after) } }),
          },
          Limit: limit,
        }),
      );
      return (answer.Items ?? []).map(graphNodeOf);
    },
    historyNodes: async (workspace, nodes) => {
      const keys = nodes.map((node) => historyPageKey(workspace, 'out', node, 0));
      return (await batchGet(table, keys)).map(graphNodeOf);
    },
    scanHistory: async (workspace, { first, last }) => {
      const items = queryAll(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': { S: historyNodeShard(workspace, shardOf(first)) },
          ':first': { S: first },
          ':last': { S: afterNode(last) },
        },
      });
      const found: HistoryNode[] = [];
      for await (const item of items) found.push(graphNodeOf(item));
      return found;
    },
    names: async (workspace, nodes) => {
      const keys = nodes.map((node) => nodeKey(workspace, node));
      return (await batchGet(table, keys, { attributes: nameAttributes })).map(graphNodeOf);
    },
    historyPages: async (workspace, side, pages) => {
      const keys = pages.map(({ node, number }) => historyPageKey(workspace, side, node, number));
      return (await batchGet(table, keys)).map((item) => pageOf(side, item));
    },
  };
}
