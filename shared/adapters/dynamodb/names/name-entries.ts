import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { nodeId } from '../../../domain/lineage/graph/ids.ts';
import { indexedTails } from '../../../domain/lineage/graph/name-parts.ts';
import type { NameIndex } from '../../../domain/lineage/graph/name-ports.ts';
import { type Node, relationRefOf, type Urn, urnOf } from '../../../domain/lineage/graph/node.ts';
import { type Key, keyOf } from '../keys/key.ts';
import {
  connectorGraphKey,
  leadingTailKey,
  nameEntryKey,
  nameEntryPartition,
  tailOfEntry,
  wideNodeKey,
  wideNodePartition,
} from '../keys/name-keys.ts';
import { queryPrefix } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';

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

/** The names that `relationDirectory` wrote, and the nodes that writers of claims found wide. */
export const nameIndex = (table: Table): NameIndex => ({
  beginningWith: async (workspace, prefix, page) => {
    const { items, next } = await queryPrefix(table, { pk: nameEntryPartition(workspace, prefix), prefix, ...page });
    const entries = items.map((item) => {
      const place = keyOf(item).sk;
      return { tail: tailOfEntry(place), urn: (item['u']?.S ?? '') as Urn, place };
    });
    return { entries, next };
  },
  leads: async (workspace, prefix) => {
    const { pk } = leadingTailKey(workspace, prefix);
    const { items } = await queryPrefix(table, { pk, prefix, after: null, limit: 1 });
    return items.length > 0;
  },
  wideNodes: async (workspace, limit) => {
    const { items } = await queryPrefix(table, { pk: wideNodePartition(workspace), prefix: '', after: null, limit });
    return [...new Set(items.map((item) => (item['u']?.S ?? '') as Urn))];
  },
  addWideNode: (workspace, urn, level) => addWideNode(table, workspace, urn, level),
});

/** Lists a node as wide at a level; listing it again changes nothing. */
export async function addWideNode(table: Table, workspace: WorkspaceId, urn: Urn, level: number): Promise<void> {
  const Item = marshall({ ...wideNodeKey(workspace, level, nodeId(urn)), u: urn });
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
}
