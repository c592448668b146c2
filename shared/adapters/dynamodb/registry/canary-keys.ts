import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { CanaryKeys } from '../../../contract/collection.ts';
import { canaryKey } from '../keys/registry-keys.ts';
import { putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';

export async function readCanaryKeys(table: Table): Promise<CanaryKeys | null> {
  const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key: marshall(canaryKey) }));
  return Item ? v.parse(CanaryKeys, unmarshall(Item)) : null;
}

export async function writeCanaryKeys(table: Table, keys: CanaryKeys): Promise<void> {
  await putItem(table, marshall({ ...keys, ...canaryKey }));
}
