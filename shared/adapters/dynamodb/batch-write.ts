import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../domain/chunks-of.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { backoff } from './backoff.ts';
import type { Table } from './table.ts';

const itemsPerRequest = 25;
const requestsInFlight = 8;

/** Puts and deletes items without conditions, 25 a request; no two of them may have one key. */
export async function batchWrite(table: Table, requests: readonly WriteRequest[]): Promise<void> {
  await inParallel(requestsInFlight, chunksOf(requests, itemsPerRequest), (chunk) => writeChunk(table, chunk));
}

async function writeChunk(table: Table, chunk: WriteRequest[]): Promise<void> {
  let request = chunk;
  for (let attempt = 0; request.length > 0; attempt++) {
    await backoff(attempt);
    const answer = await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: request } }));
    const unprocessed = answer.UnprocessedItems?.[table.name] ?? [];
    // A large request leaves items unprocessed too: only attempts without progress count.
    if (unprocessed.length < request.length) attempt = 0;
    request = unprocessed;
  }
}
