import { createHash } from 'node:crypto';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { type NodeId, nodeIdLength } from '../../../domain/graph/ids.ts';
import type { Key } from './key.ts';

/** Keys of the names by which relations are found; the rules are those of `key.ts`. */

/** Says that a connector has relations in the graph. */
export const connectorGraphKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: `W#${workspace}#N#${connector}`,
  sk: 'GRAPH',
});

/** The directory of a connector's relations by their last name part, lower-cased. */
export const relationKey = (workspace: WorkspaceId, connector: ConnectorId, table: string, ref: string): Key => ({
  pk: `W#${workspace}#N#${connector}#${boundedName(table)}`,
  sk: `R#${boundedName(ref)}`,
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

const highestLevel = 99;

/** A node of which a side has become wide: the widest lie first. */
export const wideNodeKey = (workspace: WorkspaceId, level: number, node: NodeId): Key => ({
  pk: wideNodePartition(workspace),
  sk: `${String(highestLevel - level).padStart(2, '0')}#${node}`,
});

export const wideNodePartition = (workspace: WorkspaceId): string => `W#${workspace}#WIDE`;

/** A sort key holds 1,024 bytes: a longer name stands for itself by its beginning and its digest. */
function boundedName(name: string): string {
  if (Buffer.byteLength(name) <= 800) return name;
  return `${name.slice(0, 100)}#${createHash('sha256').update(name).digest('base64url')}`;
}
