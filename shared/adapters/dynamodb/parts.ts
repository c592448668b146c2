import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { batchGet } from './batch-get.ts';
import type { Key } from './keys/key.ts';
import type { Table } from './table.ts';
import { type UpdateExpression, updateItem } from './update-item.ts';

type KeyOfPart = (part: number) => Key;

/** An item takes 400 KB, names and keys included. */
export const maxInlineBytes = 350_000;
const inFlight = 4;

/** How many items bytes take. */
export const partsOf = (bytes: Uint8Array): number => Math.ceil(bytes.length / maxInlineBytes);

/** Keeps bytes too long for one item as several. The keys must be of this content alone: what refers to it comes after. */
export async function putParts(
  table: Table,
  bytes: Uint8Array,
  keyOf: KeyOfPart,
  expiresAt: number | null = null,
): Promise<void> {
  await inParallel(inFlight, numbers(partsOf(bytes)), async (part) => {
    const B = bytes.subarray(part * maxInlineBytes, (part + 1) * maxInlineBytes);
    await updateItem(table, keyOf(part), expiresAt === null ? kept(B) : expiring(B, expiresAt));
  });
}

const kept = (B: Uint8Array): UpdateExpression => ({
  UpdateExpression: 'SET part = :part',
  ExpressionAttributeValues: { ':part': { B } },
});

const expiring = (B: Uint8Array, expiresAt: number): UpdateExpression => ({
  UpdateExpression: 'SET part = :part, #ttl = :ttl',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':part': { B }, ':ttl': { N: String(expiresAt) } },
});

/** The bytes of all the parts, or null where one is no longer there. */
export async function readParts(table: Table, count: number, keyOf: KeyOfPart): Promise<Uint8Array | null> {
  const keys = numbers(count).map(keyOf);
  const items = await batchGet(table, keys, { consistent: true });
  const parts = new Map(items.map((item) => [item['sk']?.S, item['part']?.B]));
  const found = keys.flatMap(({ sk }) => parts.get(sk) ?? []);
  return found.length === count ? Buffer.concat(found) : null;
}

/** Also where some of them are gone already. */
export async function deleteParts(table: Table, count: number, keyOf: KeyOfPart): Promise<void> {
  await inParallel(inFlight, numbers(count), async (part) => {
    const { pk, sk } = keyOf(part);
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } } }));
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, part) => part);
