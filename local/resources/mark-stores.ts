import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { healthKey, healthObject } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { getObject, putObject } from '../../shared/adapters/s3/bucket.ts';
import { accessKeysOf, type LocalStores } from '../../shared/contract/stack-outputs.ts';

/** Marks table and bucket as two that belong together: health then tells which of them was lost and is there anew. */
export async function markStores(stores: LocalStores): Promise<void> {
  const common = { region: stores.region, credentials: accessKeysOf(stores) };
  const dynamodb = new DynamoDBClient({ ...common, endpoint: stores.endpoints.dynamodb });
  const s3 = new S3Client({ ...common, endpoint: stores.endpoints.s3, forcePathStyle: true });
  try {
    const bucket = { client: s3, name: stores.raw_bucket };
    const [TableName, Key] = [stores.table, { pk: { S: healthKey.pk }, sk: { S: healthKey.sk } }];
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key }));
    if (Item !== undefined || (await getObject(bucket, healthObject)) !== null) return;
    await putObject(bucket, healthObject, new Uint8Array(), { type: 'application/octet-stream' });
    await dynamodb.send(new PutItemCommand({ TableName, Item: Key }));
  } finally {
    for (const client of [dynamodb, s3]) client.destroy();
  }
}
