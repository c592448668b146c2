import {
  DeleteTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
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
  await waitUntilTableExists({ client, maxWaitTime: maxWaitSeconds, minDelay: 1, maxDelay: 30 }, tableOf(restored));
  return restored;
}

/** Deletes a table with all its items. Throws ResourceNotFoundException where there is none. */
export const dropTable = async (table: Table): Promise<void> => {
  await table.client.send(new DeleteTableCommand(tableOf(table)));
};

const tableOf = ({ name }: { readonly client: DynamoDBClient; readonly name: string }) => ({ TableName: name });
