import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import { nodeId } from '../../domain/graph/ids.ts';
import type { NameIndex } from '../../domain/graph/name-ports.ts';
import type { Urn } from '../../domain/graph/node.ts';
import { keyOf } from './keys/key.ts';
import { leadingTailKey, nameEntryPartition, tailOfEntry, wideNodeKey, wideNodePartition } from './keys/name-keys.ts';
import { queryPrefix } from './query-prefix.ts';
import type { Table } from './table.ts';

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
