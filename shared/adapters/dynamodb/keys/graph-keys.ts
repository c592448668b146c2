import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { PageSide } from '../../../domain/lineage/graph/claim.ts';
import { type NodeId, nodeIdLength, type ScopeId, shardCount, shardOf } from '../../../domain/lineage/graph/ids.ts';
import type { Order } from '../../../domain/lineage/graph/order.ts';
import type { SchemaId } from '../../../domain/lineage/graph/schema.ts';
import type { Key } from './registry-keys.ts';

const twoDigits = (n: number) => String(n).padStart(2, '0');
const sideLetter = { out: 'O', in: 'I', schema: 'C' } as const;

/** A node: its name, its facts and pages 0 of both its sides; one shard is one walk over its nodes. */
export const nodeKey = (workspace: WorkspaceId, node: NodeId): Key => ({
  pk: nodeShard(workspace, shardOf(node)),
  sk: `${node}#00000`,
});

/** A page of a node's neighbours on one side, or of its schemas; page 0 is part of the node's item. */
export const pageKey = (workspace: WorkspaceId, side: PageSide, node: NodeId, page: number): Key =>
  page === 0
    ? nodeKey(workspace, node)
    : {
        pk: `W#${workspace}#${sideLetter[side]}B#${twoDigits((shardOf(node) + page) % shardCount)}`,
        sk: `${node}#${String(page).padStart(5, '0')}`,
      };

/** What the partitions of history end with. */
export const historySuffix = '#H';

/** Where a page's dead claims are kept for the retention of history. */
export const historyPageKey = (workspace: WorkspaceId, side: PageSide, node: NodeId, page: number): Key => {
  const current = pageKey(workspace, side, node, page);
  return { pk: `${current.pk}${historySuffix}`, sk: current.sk };
};

/** The partition of all nodes of one shard, in their order. */
export const nodeShard = (workspace: WorkspaceId, shard: number): string => `W#${workspace}#G#${twoDigits(shard)}`;

/** The partition of their history pages. */
export const historyNodeShard = (workspace: WorkspaceId, shard: number): string =>
  `${nodeShard(workspace, shard)}${historySuffix}`;

/** What is past all sort keys that begin with a node. */
export const afterNode = (node: NodeId): string => `${node}#~`;

/** Every partition of a shard that holds nodes and pages, current and cold. */
export const graphShards = (workspace: WorkspaceId, shard: number): string[] =>
  ['G', 'OB', 'IB', 'CB'].flatMap((letters) => {
    const current = `W#${workspace}#${letters}#${twoDigits(shard)}`;
    return [current, `${current}${historySuffix}`];
  });

/** What one scope knows of the edges to a node beyond their existence. */
export const nodeDetailsKey = (workspace: WorkspaceId, to: NodeId, scope: ScopeId): Key => ({
  pk: edgeDetailShard(workspace, shardOf(to)),
  sk: `${to}#${scope}`,
});

/** The same for one edge, if the node's item is wide. */
export const edgeDetailKey = (workspace: WorkspaceId, from: NodeId, to: NodeId, scope: ScopeId): Key => {
  const { pk, sk } = nodeDetailsKey(workspace, to, scope);
  return { pk, sk: `${sk}#${from}` };
};

export const edgeDetailShard = (workspace: WorkspaceId, shard: number): string =>
  `W#${workspace}#C#${twoDigits(shard)}`;

/** A part of a detail too long for its item; `version` names its content, and the order it came under. */
export const edgeDetailPartKey = ({ pk, sk }: Key, version: string, part: number): Key => ({
  pk,
  sk: `${sk}#${version}#${part}`,
});

/** The content of a schema by digest. Immutable. */
export const schemaKey = (workspace: WorkspaceId, schema: SchemaId): Key => ({
  pk: schemaShard(workspace, shardOf(schema)),
  sk: schema,
});

export const schemaShard = (workspace: WorkspaceId, shard: number): string => `W#${workspace}#F#${twoDigits(shard)}`;

export const scopeHeadKey = (workspace: WorkspaceId, scope: ScopeId): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: 'HEAD',
});

/** Where a scope's head and all that is known of its orders lie. */
export const scopePartition = (workspace: WorkspaceId, scope: ScopeId) => scopeHeadKey(workspace, scope).pk;
export const isScopeHead = ({ sk }: Key): boolean => sk === 'HEAD';

/** The heads of a workspace, listed by scope key. */
export const scopeHeadIndex = (workspace: WorkspaceId): string => `W#${workspace}#SCOPES`;

/** What the scope keys of a connector's snapshots begin with in that list: C-DECLARED-3. */
export const connectorScopePrefix = (connector: ConnectorId): string => `connector:${connector}:`;

/** One order of a scope: when it took effect, and where its edges are listed. */
export const scopeOrderKey = (workspace: WorkspaceId, scope: ScopeId, order: Order): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: `H#${order}`,
});

/** What a complete order ended when it took effect. */
export const scopeEndKey = (workspace: WorkspaceId, scope: ScopeId, order: Order): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: `E#${order}`,
});

const deadShards = 4;
const shardOfScope = (scope: ScopeId): string => twoDigits(scope.charCodeAt(0) % deadShards);
const indexesOf = (name: string) => Array.from({ length: deadShards }, (_, shard) => `${name}#${twoDigits(shard)}`);

/** Where in the due index an order waits whose claims are dead, by when they died; spread, for each event of a job makes one. */
export const pruneKey = (scope: ScopeId, at: string) => ({ gsi2pk: `PRUNE#${shardOfScope(scope)}`, gsi2sk: at });
export const pruneIndexes: readonly string[] = indexesOf('PRUNE');

/** Where in the due index an order waits whose claims are history, by when they are to be forgotten. */
export const forgetKey = (scope: ScopeId, at: string) => ({ gsi2pk: `FORGET#${shardOfScope(scope)}`, gsi2sk: at });
export const forgetIndexes: readonly string[] = indexesOf('FORGET');

/** What is known of one run of a job; the runs of a job lie together. */
export const runKey = (workspace: WorkspaceId, job: ScopeId, runId: string): Key => ({
  pk: runPartition(workspace, job),
  sk: `R#${runId}`,
});

export const runPartition = (workspace: WorkspaceId, job: ScopeId): string => `W#${workspace}#J#${job}`;

/** A part of a run's statements, if they are too long for the run's item. */
export const runContentKey = (
  workspace: WorkspaceId,
  { job, runId }: { readonly job: ScopeId; readonly runId: string },
  digest: string,
  part: number,
): Key => ({
  pk: runKey(workspace, job, runId).pk,
  sk: `C#${runId}#${digest}#${part}`,
});

/** Keys for finding relations by name; the rules are those of `key.ts`. */

/** Says that a connector has relations in the graph. */
export const connectorGraphKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: `W#${workspace}#N#${connector}`,
  sk: 'GRAPH',
});

/** A node under the tail of its name that begins with one of its parts. */
export const nameEntryKey = (workspace: WorkspaceId, tail: string, node: NodeId): Key => ({
  pk: nameEntryPartition(workspace, tail),
  sk: `${tail}#${node}`,
});

/** Where all tails lie that begin with the same character. */
export const nameEntryPartition = (workspace: WorkspaceId, tail: string): string =>
  `W#${workspace}#T#${String.fromCodePoint(tail.codePointAt(0) ?? 0)}`;

export const tailOfEntry = (sk: string): string => sk.slice(0, -1 - nodeIdLength);

/** A tail of the leading parts of names. */
export const leadingTailKey = (workspace: WorkspaceId, tail: string): Key => ({
  pk: `W#${workspace}#LEADING`,
  sk: tail,
});

const highestLevel = 99;

/** A node with a wide side, the widest first. */
export const wideNodeKey = (workspace: WorkspaceId, level: number, node: NodeId): Key => ({
  pk: wideNodePartition(workspace),
  sk: `${String(highestLevel - level).padStart(2, '0')}#${node}`,
});

export const wideNodePartition = (workspace: WorkspaceId): string => `W#${workspace}#WIDE`;

/** Relations that have a column, some on each of its postings. */
export const columnPostingKey = (workspace: WorkspaceId, column: string, posting: number): Key => ({
  pk: columnPostingPartition(workspace, column),
  sk: `${column}#${postingDigits(posting)}`,
});

const postingPartitions = 16;
const postingPartition = (workspace: WorkspaceId, number: number): string => `W#${workspace}#COLUMN#${number}`;

/** Where all columns lie that begin with the same character, with some others. */
export const columnPostingPartition = (workspace: WorkspaceId, column: string): string =>
  postingPartition(workspace, (column.codePointAt(0) ?? 0) % postingPartitions);

/** Columns that a relation has since lately; `digest` tells apart what is stated of it at different times. */
export const recentColumnsKey = (workspace: WorkspaceId, node: NodeId, digest: string): Key => ({
  pk: recentColumnsPartition(workspace),
  sk: `${node}#${digest}`,
});

export const recentColumnsPartition = (workspace: WorkspaceId): string => `W#${workspace}#COLUMN#NEW`;

/** All partitions of the index of columns. */
export const columnPartitions = (workspace: WorkspaceId): string[] => [
  ...Array.from({ length: postingPartitions }, (_, number) => postingPartition(workspace, number)),
  recentColumnsPartition(workspace),
];

const postingWidth = 6;
const postingDigits = (posting: number): string => String(posting).padStart(postingWidth, '0');

export const columnOfPosting = (sk: string): string => sk.slice(0, -1 - postingWidth);

/** All postings of one column: another's name may go on with `#`, so that only its digits end what is its own. */
export const latestPosting = (workspace: WorkspaceId, column: string) => ({
  pk: columnPostingPartition(workspace, column),
  from: `${column}#${postingDigits(0)}`,
  to: `${column}#${'9'.repeat(postingWidth)}`,
});
