import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { WorkspaceId } from '../../contract/ids.ts';
import { nodeId } from '../../domain/graph/ids.ts';
import type { NameEntries, NameIndex } from '../../domain/graph/name-ports.ts';
import type { Urn } from '../../domain/graph/node.ts';
import { leadingTailKey, nameEntryPartition, tailOfEntry, wideNodeKey, wideNodePartition } from './keys/name-keys.ts';
import type { Table } from './table.ts';

/** The names that `relationDirectory` wrote, and the nodes that writers of claims found wide. */
export const nameIndex = (table: Table): NameIndex => ({
  beginningWith: (workspace, prefix, page) => beginningWith(table, workspace, prefix, page),
  leads: async (workspace, prefix) => {
    const { pk } = leadingTailKey(workspace, prefix);
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': { S: pk }, ':prefix': { S: prefix } },
        Limit: 1,
      }),
    );
    return (answer.Count ?? 0) > 0;
  },
  wideNodes: async (workspace, limit) => {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: wideNodePartition(workspace) } },
        Limit: limit,
      }),
    );
    return [...new Set((answer.Items ?? []).map((item) => (item['u']?.S ?? '') as Urn))];
  },
  addWideNode: (workspace, urn, level) => addWideNode(table, workspace, urn, level),
});

export async function addWideNode(table: Table, workspace: WorkspaceId, urn: Urn, level: number): Promise<void> {
  const Item = marshall({ ...wideNodeKey(workspace, level, nodeId(urn)), u: urn });
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
}

async function beginningWith(
  table: Table,
  workspace: WorkspaceId,
  prefix: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<NameEntries> {
  const pk = { S: nameEntryPartition(workspace, prefix) };
  const answer = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': { S: prefix } },
      ...(after !== null && { ExclusiveStartKey: { pk, sk: { S: after } } }),
      Limit: limit,
    }),
  );
  const entries = (answer.Items ?? []).map((item) => {
    const place = item['sk']?.S ?? '';
    return { tail: tailOfEntry(place), urn: (item['u']?.S ?? '') as Urn, place };
  });
  return { entries, next: answer.LastEvaluatedKey?.['sk']?.S ?? null };
}
