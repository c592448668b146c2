import type { ConnectorId } from '../../../contract/ids.ts';
import type { PageSide } from '../../../domain/lineage/graph/claim.ts';
import {
  type GraphId,
  type NodeId,
  nodeIdLength,
  type ScopeId,
  shardCount,
  shardOf,
} from '../../../domain/lineage/graph/node.ts';
import type { Order } from '../../../domain/lineage/graph/order.ts';
import type { LongDetails } from '../../../domain/lineage/graph/page-reader.ts';
import type { SchemaId } from '../../../domain/lineage/graph/schema.ts';
import { dueIndexKey, itemKey, type Key } from './registry-keys.ts';

const twoDigits = (n: number) => String(n).padStart(2, '0');
const sideLetter = { out: 'O', in: 'I', schema: 'C' } as const;

/** A node: its name, its facts and pages 0 of both its sides; one shard is one walk over its nodes. */
export const nodeKey = (graph: GraphId, node: NodeId) => itemKey(nodeShard(graph, shardOf(node)), `${node}#00000`);

/** A page of a node's neighbours on one side, or of its schemas; page 0 is part of the node's item. */
export const pageKey = (graph: GraphId, side: PageSide, node: NodeId, page: number): Key =>
  page === 0
    ? nodeKey(graph, node)
    : {
        pk: `W#${graph}#${sideLetter[side]}B#${twoDigits((shardOf(node) + page) % shardCount)}`,
        sk: `${node}#${String(page).padStart(5, '0')}`,
      };

/** What the partitions of history end with. */
export const historySuffix = '#H';

/** Where a page's dead claims are kept for the retention of history. */
export const historyPageKey = (graph: GraphId, side: PageSide, node: NodeId, page: number): Key => {
  const current = pageKey(graph, side, node, page);
  return { pk: `${current.pk}${historySuffix}`, sk: current.sk };
};

/** The partition of all nodes of one shard, in their order. */
export const nodeShard = (graph: GraphId, shard: number): string => `W#${graph}#G#${twoDigits(shard)}`;

export const historyNodeShard = (graph: GraphId, shard: number): string => `${nodeShard(graph, shard)}${historySuffix}`;

/** What is past all sort keys that begin with a node. */
export const afterNode = (node: NodeId): string => `${node}#~`;

/** Every partition of a shard that holds nodes and pages, current and cold. */
export const graphShards = (graph: GraphId, shard: number): string[] =>
  ['G', 'OB', 'IB', 'CB'].flatMap((letters) => {
    const current = `W#${graph}#${letters}#${twoDigits(shard)}`;
    return [current, `${current}${historySuffix}`];
  });

/** What a scope knows of edges to a node, if it is too long for their page, which has the item's name. */
export const longDetailsKey = (graph: GraphId, { to, item }: LongDetails) =>
  itemKey(longDetailsShard(graph, shardOf(to)), `${to}#${item}`);

export const longDetailsShard = (graph: GraphId, shard: number): string => `W#${graph}#C#${twoDigits(shard)}`;

/** A part of the statements of long details; `version` names the content. */
export const longDetailsPartKey = ({ pk, sk }: Key, version: string, part: number): Key => ({
  pk,
  sk: `${sk}#${version}#${part}`,
});

/** The content of a schema by digest. Immutable. */
export const schemaKey = (graph: GraphId, schema: SchemaId) => itemKey(schemaShard(graph, shardOf(schema)), schema);

export const schemaShard = (graph: GraphId, shard: number): string => `W#${graph}#F#${twoDigits(shard)}`;

export const scopeHeadKey = (graph: GraphId, scope: ScopeId) => itemKey(`W#${graph}#S#${scope}`, 'HEAD');

/** Where a scope's head and all that is known of its orders lie. */
export const scopePartition = (graph: GraphId, scope: ScopeId) => scopeHeadKey(graph, scope).pk;
export const isScopeHead = ({ sk }: Key): boolean => sk === 'HEAD';

/** The heads of a graph, listed by scope key. */
export const scopeHeadIndex = (graph: GraphId): string => `W#${graph}#SCOPES`;

/** What the scope keys of a connector's snapshots begin with in that list: C-DECLARED-3. */
export const connectorScopePrefix = (connector: ConnectorId): string => `connector:${connector}:`;

/** One order of a scope: when it took effect, and where its edges are listed. */
export const scopeOrderKey = (graph: GraphId, scope: ScopeId, order: Order) =>
  itemKey(`W#${graph}#S#${scope}`, `H#${order}`);

/** What a complete order ended when it took effect. */
export const scopeEndKey = (graph: GraphId, scope: ScopeId, order: Order) =>
  itemKey(`W#${graph}#S#${scope}`, `E#${order}`);

const deadShards = 4;
const shardOfScope = (scope: ScopeId): string => twoDigits(scope.charCodeAt(0) % deadShards);
const indexesOf = (name: string) => Array.from({ length: deadShards }, (_, shard) => `${name}#${twoDigits(shard)}`);

/** Where in the due index an order waits whose claims are dead, by when they died; spread, for each event of a job makes one. */
export const pruneKey = (scope: ScopeId, at: string) => dueIndexKey(`PRUNE#${shardOfScope(scope)}`, at);
export const pruneIndexes: readonly string[] = indexesOf('PRUNE');

export const forgetKey = (scope: ScopeId, at: string) => dueIndexKey(`FORGET#${shardOfScope(scope)}`, at);
export const forgetIndexes: readonly string[] = indexesOf('FORGET');

/** What is known of one run of a job; the runs of a job lie together. */
export const runKey = (graph: GraphId, job: ScopeId, runId: string) => itemKey(runPartition(graph, job), `R#${runId}`);

export const runPartition = (graph: GraphId, job: ScopeId): string => `W#${graph}#J#${job}`;

/** A run without an end, under the digest of its job and id; one partition, so that a question reads them at once. */
export const unfinishedRunKey = (graph: GraphId, digest: string) => itemKey(unfinishedRunPartition(graph), digest);

export const unfinishedRunPartition = (graph: GraphId): string => `W#${graph}#UNFINISHED`;

export const runContentKey = (
  graph: GraphId,
  { job, runId }: { readonly job: ScopeId; readonly runId: string },
  digest: string,
  part: number,
) => itemKey(runKey(graph, job, runId).pk, `C#${runId}#${digest}#${part}`);

/** Says that a connector has relations in the graph. */
export const connectorGraphKey = (graph: GraphId, connector: ConnectorId) =>
  itemKey(`W#${graph}#N#${connector}`, 'GRAPH');

/** A node under the tail of its name that begins with one of its parts. */
export const nameEntryKey = (graph: GraphId, tail: string, node: NodeId) =>
  itemKey(nameEntryPartition(graph, tail), `${tail}#${node}`);

/** Where all tails lie that begin with the same character. */
export const nameEntryPartition = (graph: GraphId, tail: string): string =>
  `W#${graph}#T#${String.fromCodePoint(tail.codePointAt(0) ?? 0)}`;

export const tailOfEntry = (sk: string): string => sk.slice(0, -1 - nodeIdLength);

/** A tail of the leading parts of names. */
export const leadingTailKey = (graph: GraphId, tail: string) => itemKey(`W#${graph}#LEADING`, tail);

const highestLevel = 99;

/** A node with a wide side, the widest first. */
export const wideNodeKey = (graph: GraphId, level: number, node: NodeId) =>
  itemKey(wideNodePartition(graph), `${String(highestLevel - level).padStart(2, '0')}#${node}`);

export const wideNodePartition = (graph: GraphId): string => `W#${graph}#WIDE`;

/** Relations that have a column, some on each of its postings. */
export const columnPostingKey = (graph: GraphId, column: string, posting: number) =>
  itemKey(columnPostingPartition(graph, column), `${column}#${postingDigits(posting)}`);

const postingPartitions = 16;
const postingPartition = (graph: GraphId, number: number): string => `W#${graph}#COLUMN#${number}`;

/** Where all columns lie that begin with the same character, with some others. */
export const columnPostingPartition = (graph: GraphId, column: string): string =>
  postingPartition(graph, (column.codePointAt(0) ?? 0) % postingPartitions);

/** Columns that a relation has since lately; `digest` tells apart what is stated of it at different times. */
export const recentColumnsKey = (graph: GraphId, node: NodeId, digest: string) =>
  itemKey(recentColumnsPartition(graph), `${node}#${digest}`);

export const recentColumnsPartition = (graph: GraphId): string => `W#${graph}#COLUMN#NEW`;

/** All partitions of the index of columns. */
export const columnPartitions = (graph: GraphId): string[] => [
  ...Array.from({ length: postingPartitions }, (_, number) => postingPartition(graph, number)),
  recentColumnsPartition(graph),
];

const postingWidth = 6;
const postingDigits = (posting: number): string => String(posting).padStart(postingWidth, '0');

export const columnOfPosting = (sk: string): string => sk.slice(0, -1 - postingWidth);

export const latestPosting = (graph: GraphId, column: string) => ({
  pk: columnPostingPartition(graph, column),
  from: `${column}#${postingDigits(0)}`,
  to: `${column}#${'9'.repeat(postingWidth)}`,
});
