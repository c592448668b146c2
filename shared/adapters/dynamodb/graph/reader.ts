import { lruCache } from '../../../domain/base/caching.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Claim, type Side, schemaPage } from '../../../domain/lineage/graph/claim.ts';
import type { ClaimWriter } from '../../../domain/lineage/graph/claim-writer.ts';
import { type GraphId, type NodeId, shardOf } from '../../../domain/lineage/graph/node.ts';
import type { GraphNode, PageReader } from '../../../domain/lineage/graph/page-reader.ts';
import type { RelationSchema, SchemaId, SchemaStore } from '../../../domain/lineage/graph/schema.ts';
import {
  afterNode,
  historyNodeShard,
  historyPageKey,
  nodeKey,
  nodeShard,
  pageKey,
  schemaKey,
} from '../keys/graph-keys.ts';
import type { Key } from '../keys/registry-keys.ts';
import { batchedChanges } from '../requests/batched-changes.ts';
import {
  type BatchGetOptions,
  batchGet,
  batchGetAs,
  type Item,
  ifAbsent,
  keyAttributes,
  projected,
  putItem,
} from '../requests/items.ts';
import { pack, unpack } from '../requests/parts.ts';
import { between, inPartition, queryEach, queryOnce } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { addClaims } from './claims/add-claims.ts';
import type { GraphWriter, WriterState } from './claims/levels.ts';
import { narrowObservations, observedSpans } from './claims/narrow.ts';
import { writeAlias, writeDrop, writeRename } from './claims/node-facts.ts';
import { observeNodes } from './claims/observe.ts';
import { claimsOn, graphNodeOf, nameAttributes, nodeIdOf, pageOf } from './codec.ts';
import { readLongDetails } from './details/long-details.ts';
import { expireObservations } from './retire/expire-observations.ts';
import { forgetPages } from './retire/forget.ts';
import { forgetDetails, forgetRun } from './retire/forget-details.ts';
import { prunePages } from './retire/prune.ts';

export function pageReader(table: Table): PageReader {
  const nodesAt = (keys: readonly Key[], options?: BatchGetOptions) => batchGetAs(table, keys, graphNodeOf, options);
  const pagesAt = (side: Side, keys: readonly Key[]) => batchGetAs(table, keys, (item) => pageOf(side, item));
  return {
    nodes: (graph, nodes) => nodesAt(nodes.map((node) => nodeKey(graph, node))),
    names: (graph, nodes) =>
      nodesAt(
        nodes.map((node) => nodeKey(graph, node)),
        { attributes: nameAttributes },
      ),
    historyNodes: (graph, nodes) => nodesAt(nodes.map((node) => historyPageKey(graph, 'out', node, 0))),
    morePages: (graph, side, pages) =>
      pagesAt(
        side,
        pages.map(({ node, number }) => pageKey(graph, side, node, number)),
      ),
    historyPages: (graph, side, pages) =>
      pagesAt(
        side,
        pages.map(({ node, number }) => historyPageKey(graph, side, node, number)),
      ),
    longDetails: (graph, places) => readLongDetails({ table, graph }, places),
    schemas: (graph, nodes, { withHistory }) => {
      // Pruning writes the history first, so that it is read last.
      const kinds = withHistory ? [pageKey, historyPageKey] : [pageKey];
      return schemasAt(
        table,
        kinds.map((keyOf) => nodes.map((node) => keyOf(graph, 'schema', node, schemaPage))),
      );
    },
    scan: (graph, shard, after, limit) => nodesAfter(table, nodeShard(graph, shard), after, limit),
    scanNames: (graph, shard) =>
      queryEach(table, { ...inPartition(nodeShard(graph, shard)), ...projected(nameAttributes) }, graphNodeOf),
    scanHistory: (graph, { first, last }) =>
      queryEach(table, between(historyNodeShard(graph, shardOf(first)), first, afterNode(last)), graphNodeOf),
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
    KeyConditionExpression: after === null ? 'pk = :pk' : 'pk = :pk AND sk > :after',
    ExpressionAttributeValues: { ':pk': { S: shard }, ...(after !== null && { ':after': { S: afterNode(after) } }) },
  };
  const found: GraphNode[] = [];
  let start: Item | undefined;
  // An answer of the store ends at 1 MB, which few of the largest nodes have together.
  do {
    const page = { Limit: limit - found.length, ...(start && { ExclusiveStartKey: start }) };
    const answer = await queryOnce(table, { ...query, ...page });
    found.push(...(answer.Items ?? []).map(graphNodeOf));
    start = answer.LastEvaluatedKey;
  } while (start && found.length < limit);
  return found;
}

const writesInFlight = 16;
/** A process works for few workspaces, whose jobs repeat their schemas. */
const schemasRemembered = 20_000;

export function schemaStore(table: Table): SchemaStore {
  const stored = lruCache<string, true>(schemasRemembered);
  return {
    put: async (graph, schemas) => {
      const fresh = [...schemas].filter(([id]) => !stored.has(`${graph} ${id}`));
      if (fresh.length === 0) return;
      const keys = [...schemas.keys()].map((id) => schemaKey(graph, id));
      const known = new Set((await batchGet(table, keys, { attributes: ['sk'] })).map(idOf));
      await inParallel(writesInFlight, fresh, async ([id, schema]) => {
        const item = { ...keyAttributes(schemaKey(graph, id)), content: pack(schema) };
        // A refusal: another worker stored the same content.
        if (!known.has(id)) await putItem(table, item, ifAbsent);
        stored.set(`${graph} ${id}`, true);
      });
    },
    ...schemaReader(table),
  };
}

/** Apart from the store: the role of a function that only reads has no right to write. */
export const schemaReader = (table: Table): Pick<SchemaStore, 'get'> => ({
  get: async (graph, ids) => {
    const items = await batchGet(
      table,
      [...new Set(ids)].map((id) => schemaKey(graph, id)),
    );
    return new Map(items.map((item) => [idOf(item), unpack(item['content']) as RelationSchema]));
  },
});

const idOf = (item: Item) => (item['sk']?.S ?? '') as SchemaId;

export function claimWriter(table: Table, state: WriterState): ClaimWriter {
  const changeTogether = batchedChanges(table);
  const inGraph =
    <Args extends readonly unknown[], R>(write: (writer: GraphWriter, ...args: Args) => R) =>
    (graph: GraphId, ...args: Args): R =>
      write({ table, state, changeTogether, graph }, ...args);
  return {
    claim: inGraph(addClaims),
    observe: inGraph(observeNodes),
    observed: inGraph(observedSpans),
    narrow: inGraph(narrowObservations),
    forgetRun: inGraph(forgetRun),
    forgetDetails: inGraph(forgetDetails),
    alias: inGraph(writeAlias),
    rename: inGraph(writeRename),
    drop: inGraph(writeDrop),
    prune: inGraph(prunePages),
    forget: inGraph(forgetPages),
    expireObservations: inGraph(expireObservations),
  };
}
