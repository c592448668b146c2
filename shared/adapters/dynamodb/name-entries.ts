import type { WorkspaceId } from '../../contract/ids.ts';
import { nodeId } from '../../domain/graph/ids.ts';
import { indexedTails } from '../../domain/graph/name-parts.ts';
import { type Node, relationRefOf, type Urn, urnOf } from '../../domain/graph/node.ts';
import type { Key } from './keys/key.ts';
import { connectorGraphKey, leadingTailKey, nameEntryKey } from './keys/name-keys.ts';

/** `h` of a last entry: digests of the columns by which the node is found. */
export type NameRow = Key & { readonly u?: string; readonly h?: ReadonlySet<string> };

/** The entries by which a node is found. */
export type Entries = {
  readonly id: string;
  readonly urn: Urn;
  /** What names share: the tails of their leading part, and that their connector has a graph. */
  readonly shared: readonly NameRow[];
  readonly first: readonly NameRow[];
  readonly last: NameRow;
};

/** The name of what a node is found by. */
export const entriesId = (workspace: WorkspaceId, node: Node): string => `${workspace} ${urnOf(node)}`;

export function entriesOf(workspace: WorkspaceId, node: Node): Entries {
  const urn = urnOf(node);
  const { own, leading } = indexedTails(relationRefOf(node));
  const rows = own.map((tail) => ({ ...nameEntryKey(workspace, tail, nodeId(urn)), u: urn }));
  const shared = leading.map((tail) => leadingTailKey(workspace, tail));
  return {
    id: entriesId(workspace, node),
    urn,
    shared: node.kind === 'relation' ? [connectorGraphKey(workspace, node.connectorId), ...shared] : shared,
    first: rows.slice(0, -1),
    last: rows.at(-1) ?? { ...nameEntryKey(workspace, urn, nodeId(urn)), u: urn },
  };
}

/** Where a node is listed, with what it shares with others. */
export function directoryKeysOf(workspace: WorkspaceId, node: Node): Key[] {
  const { shared, first, last } = entriesOf(workspace, node);
  return [...shared, ...first, last].map(({ pk, sk }) => ({ pk, sk }));
}

/** The last entry of a node, which says that it has all, and by which columns it is found. */
export function lastEntryKey(workspace: WorkspaceId, node: Node): Key {
  const { pk, sk } = entriesOf(workspace, node).last;
  return { pk, sk };
}
