import { BatchWriteItemCommand, ScanCommand, type ScanCommandInput, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { openStates } from '../../domain/ingest/deliveries/delivery.ts';
import { backoff } from './backoff.ts';
import type { Item } from './batch-get.ts';
import type { Table } from './table.ts';

const segments = 8;
const itemsPerRequest = 25;

/**
 * Copies all items of a table into another; a copy that is repeated does the same again. Items that wait for work come
 * last: the sweep of the other table takes nothing up whose graph is not there yet.
 * @returns how many there were
 */
export async function copyTable(from: Table, to: Table): Promise<number> {
  const settled = await copyWhere(from, to, `NOT (${waits})`);
  return settled + (await copyWhere(from, to, waits));
}

/** What stands in the due index, and open deliveries that the sweep finds by their list. */
const waits = 'attribute_exists(gsi2pk) OR #state IN (:accepted, :processing)';
const [accepted, processing] = openStates;

async function copyWhere(from: Table, to: Table, FilterExpression: string): Promise<number> {
  const all = Array.from({ length: segments }, (_, Segment) => Segment);
  const copied = await inParallel(segments, all, async (Segment) => {
    let count = 0;
    const scan = {
      FilterExpression,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':accepted': { S: accepted }, ':processing': { S: processing } },
      Segment,
      TotalSegments: segments,
      ConsistentRead: true,
    };
    for await (const items of scanPages(from, scan)) {
      for (let at = 0; at < items.length; at += itemsPerRequest)
        await putAll(to, items.slice(at, at + itemsPerRequest));
      count += items.length;
    }
    return count;
  });
  return copied.reduce((sum, count) => sum + count, 0);
}

async function* scanPages(table: Table, scan: Omit<ScanCommandInput, 'TableName'>): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const answer = await table.client.send(
      new ScanCommand({ TableName: table.name, ...scan, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield answer.Items ?? [];
    start = answer.LastEvaluatedKey;
  } while (start);
}

async function putAll(table: Table, items: readonly Item[]): Promise<void> {
  let requests: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 0; requests.length > 0; attempt++) {
    await backoff(attempt);
    const { UnprocessedItems } = await table.client.send(
      new BatchWriteItemCommand({ RequestItems: { [table.name]: requests } }),
    );
    const unprocessed = UnprocessedItems?.[table.name] ?? [];
    if (unprocessed.length < requests.length) attempt = 0;
    requests = unprocessed;
  }
}
