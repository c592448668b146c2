import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { healthKey, healthObject } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { getObject, putObject } from '../../shared/adapters/s3/bucket.ts';
import type { LocalStores } from '../../shared/contract/stack-outputs.ts';
import type { StoreClients } from './clients.ts';

/** Marks table and bucket as two that belong together: health then tells which of them was lost and is there anew. */
export async function markStores({ dynamodb, s3 }: StoreClients, stores: LocalStores): Promise<void> {
  const bucket = { client: s3, name: stores.raw_bucket };
  const [TableName, Key] = [stores.table, { pk: { S: healthKey.pk }, sk: { S: healthKey.sk } }];
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key }));
  if (Item !== undefined || (await getObject(bucket, healthObject)) !== null) return;
  await putObject(bucket, healthObject, new Uint8Array(), { type: 'application/octet-stream' });
  await dynamodb.send(new PutItemCommand({ TableName, Item: Key }));
}
