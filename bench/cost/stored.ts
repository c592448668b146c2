import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import type { Usage } from './prices.ts';

/** What DynamoDB adds to each item when it charges storage. */
const overhead = 100;

/** The bytes that DynamoDB charges for an item: names, values, and 100 more ("Item sizes and formats" of its guide). */
export const storedBytes = (item: Readonly<Record<string, AttributeValue>>): number =>
  overhead + Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

function bytesOf(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replaceAll(/[^\d]/g, '').length / 2) + 1;
  if (value.B !== undefined) return value.B.length;
  if (value.L) return 3 + value.L.reduce((sum, one) => sum + 1 + bytesOf(one), 0);
  if (value.M)
    return 3 + Object.entries(value.M).reduce((sum, [key, one]) => sum + 1 + Buffer.byteLength(key) + bytesOf(one), 0);
  return [...(value.SS ?? [])].reduce((sum, one) => sum + Buffer.byteLength(one), 1);
}

const gibibyte = 2 ** 30;

/** What the stores of this process hold now, as a month of it is charged. */
export async function kept(): Promise<Usage> {
  const of = (name: string): string => process.env[name] ?? '';
  const [table, ledger, ...buckets] = await Promise.all([
    ...['TABLE_NAME', 'EVENT_TABLE_NAME'].map((name) => bytesOfTable(of(name))),
    ...['RAW_BUCKET', 'LAKE_BUCKET'].map((name) => bytesOfBucket(of(name))),
  ]);
  return {
    table_gb_months: (table ?? 0) / gibibyte,
    ledger_gb_months: (ledger ?? 0) / gibibyte,
    s3_gb_months: buckets.reduce((sum, bytes) => sum + bytes, 0) / gibibyte,
  };
}

async function bytesOfTable(TableName: string): Promise<number> {
  let bytes = 0;
  for await (const { Items = [] } of paginateScan({ client: dynamodb() }, { TableName }))
    for (const item of Items) bytes += storedBytes(item);
  return bytes;
}

async function bytesOfBucket(Bucket: string): Promise<number> {
  let bytes = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3() }, { Bucket }))
    for (const { Size = 0 } of Contents) bytes += Size;
  return bytes;
}
