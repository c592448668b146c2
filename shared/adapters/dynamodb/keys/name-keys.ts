import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { type NodeId, nodeIdLength } from '../../../domain/graph/ids.ts';
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
