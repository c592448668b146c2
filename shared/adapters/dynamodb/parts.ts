import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../domain/in-parallel.ts';
import { batchGet } from './batch-get.ts';
import type { Key } from './keys.ts';
import type { Meter, Table } from './table.ts';
import { type Expression, updateItem } from './update-item.ts';

type Target = { readonly table: Table; readonly meter?: Meter | undefined };
type KeyOfPart = (part: number) => Key;

/** An item takes 400 KB, names and keys included. */
export const longestInline = 350_000;
const inFlight = 4;

export const partsOf = (bytes: Uint8Array): number => Math.ceil(bytes.length / longestInline);

/** Keeps bytes too long for one item as several. The keys must be of this content alone: what refers to it comes after. */
export async function putParts(
  target: Target,
  bytes: Uint8Array,
  keyOf: KeyOfPart,
  expiresAt: number | null = null,
): Promise<void> {
  await inParallel(inFlight, numbers(partsOf(bytes)), async (part) => {
    const B = bytes.subarray(part * longestInline, (part + 1) * longestInline);
    await updateItem(target, keyOf(part), expiresAt === null ? kept(B) : expiring(B, expiresAt));
  });
}

const kept = (B: Uint8Array): Expression => ({
  UpdateExpression: 'SET part = :part',
  ExpressionAttributeValues: { ':part': { B } },
});

const expiring = (B: Uint8Array, expiresAt: number): Expression => ({
  UpdateExpression: 'SET part = :part, #ttl = :ttl',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':part': { B }, ':ttl': { N: String(expiresAt) } },
});

/** The bytes of all the parts, or null where one is no longer there. */
export async function readParts({ table, meter }: Target, count: number, keyOf: KeyOfPart): Promise<Uint8Array | null> {
  const keys = numbers(count).map(keyOf);
  const items = await batchGet(table, keys, { consistent: true, ...(meter && { meter }) });
  const parts = new Map(items.map((item) => [item['sk']?.S, item['part']?.B]));
  const found = keys.flatMap(({ sk }) => parts.get(sk) ?? []);
  return found.length === count ? Buffer.concat(found) : null;
}

export async function deleteParts({ table }: Target, count: number, keyOf: KeyOfPart): Promise<void> {
  await inParallel(inFlight, numbers(count), async (part) => {
    const { pk, sk } = keyOf(part);
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } } }));
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, part) => part);
