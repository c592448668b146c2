import {
  DeleteTableCommand,
  paginateScan,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { openStates } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import { batchWrite, itemsPerRequest } from './batched-changes.ts';
import type { Item } from './items.ts';
import type { Table } from './table.ts';

const maxWaitSeconds = 12 * 3_600;

/**
 * Has DynamoDB make a table that holds what another held at a time, and waits until it is there: from twenty minutes to
 * hours, whatever the size. Its name follows from both, so that a call that is repeated waits for the same table.
 * @param at between five minutes and 35 days ago; null for the latest time that can be had
 */
export async function restoreTable({ client, name }: Table, at: Date | null): Promise<Table> {
  const restored = { client, name: `${name}-at-${at ? at.toISOString().replaceAll(/\W/g, '') : 'latest'}` };
  try {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: name,
        TargetTableName: restored.name,
        ...(at ? { RestoreDateTime: at } : { UseLatestRestorableTime: true }),
      }),
    );
  } catch (error) {
    if (!(error instanceof TableAlreadyExistsException)) throw error;
  }
  await waitForTable(restored);
  return restored;
}

export const waitForTable = ({ client, name: TableName }: Table) =>
  waitUntilTableExists({ client, maxWaitTime: maxWaitSeconds, minDelay: 1, maxDelay: 30 }, { TableName });

/** Deletes a table with all its items. Throws ResourceNotFoundException if there is none. */
export const dropTable = async ({ client, name: TableName }: Table): Promise<void> => {
  await client.send(new DeleteTableCommand({ TableName }));
};

const segments = 8;

/** Copies all items, those that wait for work last: the sweep must not start before their graph is there. */
export async function copyTable(from: Table, to: Table): Promise<number> {
  const settled = await copyWhere(from, to, `NOT (${waits})`);
  return settled + (await copyWhere(from, to, waits));
}

/** What is in the due index, and open deliveries that the sweep finds by their list. */
const waits = 'attribute_exists(gsi2pk) OR #state IN (:accepted, :processing)';
const [accepted, processing] = openStates;

async function copyWhere(from: Table, to: Table, FilterExpression: string): Promise<number> {
  const all = Array.from({ length: segments }, (_, Segment) => Segment);
  const copied = await inParallel(segments, all, async (Segment) => {
    let count = 0;
    const scan = {
      TableName: from.name,
      FilterExpression,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':accepted': { S: accepted }, ':processing': { S: processing } },
      Segment,
      TotalSegments: segments,
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateScan({ client: from.client }, scan)) {
      for (const some of chunksOf(Items, itemsPerRequest))
        await batchWrite(
          to,
          some.map((Item) => ({ PutRequest: { Item } })),
        );
      count += Items.length;
    }
    return count;
  });
  return copied.reduce((sum, count) => sum + count, 0);
}
