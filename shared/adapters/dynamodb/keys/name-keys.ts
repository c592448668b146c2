import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { type NodeId, nodeIdLength } from '../../../domain/lineage/graph/ids.ts';
import type { Key } from './key.ts';

/** Keys of the names by which relations are found; the rules are those of `key.ts`. */

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

/** A node of which a side has become wide: the widest lie first. */
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
