import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Claim, type Side, schemaPage } from '../../../domain/lineage/graph/claim.ts';
import { type NodeId, shardOf } from '../../../domain/lineage/graph/ids.ts';
import type { Urn } from '../../../domain/lineage/graph/node.ts';
import type { GraphNode, HistoryNode, NodeRange, PageReader } from '../../../domain/lineage/graph/page-reader.ts';
import { afterNode, historyNodeShard, historyPageKey, nodeKey, nodeShard, pageKey } from '../keys/graph-keys.ts';
import type { Key } from '../keys/key.ts';
import { type BatchGetOptions, batchGet, batchGetAs, type Item } from '../requests/batch-get.ts';
import { queryAll } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { attribute, claimsOn, graphNodeOf, nameAttributes, nodeIdOf, pageOf, urnOfItem } from './codec.ts';

/** Reads nodes and their neighbour pages, 100 a request. */
export function pageReader(table: Table): PageReader {
  const nodesAt = (keys: readonly Key[], options?: BatchGetOptions) => batchGetAs(table, keys, graphNodeOf, options);
  const pagesAt = (side: Side, keys: readonly Key[]) => batchGetAs(table, keys, (item) => pageOf(side, item));
  return {
    nodes: (workspace, nodes) => nodesAt(nodes.map((node) => nodeKey(workspace, node))),
    names: (workspace, nodes) =>
      nodesAt(
        nodes.map((node) => nodeKey(workspace, node)),
        { attributes: nameAttributes },
      ),
    historyNodes: (workspace, nodes) => nodesAt(nodes.map((node) => historyPageKey(workspace, 'out', node, 0))),
    morePages: (workspace, side, pages) =>
      pagesAt(
        side,
        pages.map(({ node, number }) => pageKey(workspace, side, node, number)),
      ),
    historyPages: (workspace, side, pages) =>
      pagesAt(
        side,
        pages.map(({ node, number }) => historyPageKey(workspace, side, node, number)),
      ),
    schemas: (workspace, nodes, { withHistory }) => {
      // Pruning writes the history first, so that it is read last.
      const kinds = withHistory ? [pageKey, historyPageKey] : [pageKey];
      return schemasAt(
        table,
        kinds.map((keyOf) => nodes.map((node) => keyOf(workspace, 'schema', node, schemaPage))),
      );
    },
    scan: (workspace, shard, after, limit) => nodesAfter(table, nodeShard(workspace, shard), after, limit),
    scanNames: (workspace, shard) => namesIn(table, nodeShard(workspace, shard)),
    scanHistory: (workspace, nodes) => historyBetween(table, historyNodeShard(workspace, shardOf(nodes.first)), nodes),
  };
}

/** The claims of schemas by node; each list of keys is read after the one before. */
async function schemasAt(table: Table, lists: readonly (readonly Key[])[]): Promise<Map<NodeId, Claim[]>> {
  const found = new Map<NodeId, Claim[]>();
  for (const keys of lists)
    for (const item of await batchGet(table, keys))
      found.set(nodeIdOf(item), [...(found.get(nodeIdOf(item)) ?? []), ...claimsOn('schema', item)]);
  return found;
}

async function nodesAfter(table: Table, shard: string, after: NodeId | null, limit: number): Promise<GraphNode[]> {
  const query = {
    TableName: table.name,
    KeyConditionExpression: after === null ? 'pk = :pk' : 'pk = :pk AND sk > :after',
    ExpressionAttributeValues: { ':pk': { S: shard }, ...(after !== null && { ':after': { S: afterNode(after) } }) },
  };
  const found: GraphNode[] = [];
  let start: Item | undefined;
  // An answer of the store ends at 1 MB, which few of the largest nodes have together.
  do {
    const page = { Limit: limit - found.length, ...(start && { ExclusiveStartKey: start }) };
    const answer = await table.client.send(new QueryCommand({ ...query, ...page }));
    found.push(...(answer.Items ?? []).map(graphNodeOf));
    start = answer.LastEvaluatedKey;
  } while (start && found.length < limit);
  return found;
}

async function namesIn(table: Table, shard: string): Promise<Urn[]> {
  const items = queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: shard } },
    ProjectionExpression: attribute.urn,
  });
  const found: Urn[] = [];
  for await (const item of items) found.push(urnOfItem(item));
  return found;
}

async function historyBetween(table: Table, shard: string, { first, last }: NodeRange): Promise<HistoryNode[]> {
  const items = queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': { S: shard }, ':first': { S: first }, ':last': { S: afterNode(last) } },
  });
  const found: HistoryNode[] = [];
  for await (const item of items) found.push(graphNodeOf(item));
  return found;
}
