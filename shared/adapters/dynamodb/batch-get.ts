import { setTimeout as delay } from 'node:timers/promises';
import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Key } from './keys.ts';
import type { Meter, Table } from './table.ts';

export type Item = Record<string, AttributeValue>;

const keysARequest = 100;
const requestsInFlight = 8;

/** Reads items by key, 100 a request; items that are not there are left out, and the order is not the keys'. */
export async function batchGet(
  table: Table,
  keys: readonly Key[],
  options: { readonly consistent?: boolean; readonly meter?: Meter; readonly attributes?: readonly string[] } = {},
): Promise<Item[]> {
  const chunks: Key[][] = [];
  for (let i = 0; i < keys.length; i += keysARequest) chunks.push(keys.slice(i, i + keysARequest));
  const found = await inParallel(requestsInFlight, chunks, (chunk) => getChunk(table, chunk, options));
  return found.flat();
}

async function getChunk(
  table: Table,
  keys: readonly Key[],
  { consistent = false, meter, attributes }: Parameters<typeof batchGet>[2] & object,
): Promise<Item[]> {
  const items: Item[] = [];
  const projection = attributes && {
    ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
  };
  let request: Record<string, AttributeValue>[] = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
  for (let attempt = 0; request.length > 0; attempt++) {
    // Throttled keys come back unprocessed; asking again at once would be throttled again.
    if (attempt > 0) await delay(Math.min(1_000, 25 * 2 ** attempt) * (0.5 + Math.random() / 2));
    const answer = await table.client.send(
      new BatchGetItemCommand({
        RequestItems: { [table.name]: { Keys: request, ConsistentRead: consistent, ...projection } },
        ...(meter && { ReturnConsumedCapacity: 'TOTAL' }),
      }),
    );
    if (meter) {
      meter.requests++;
      for (const used of answer.ConsumedCapacity ?? []) meter.readUnits += used.CapacityUnits ?? 0;
    }
    items.push(...(answer.Responses?.[table.name] ?? []));
    request = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return items;
}
