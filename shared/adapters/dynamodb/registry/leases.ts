import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { LakeLease } from '../../../domain/events/compact/ports.ts';
import { lakeLeaseKey } from '../keys/ledger-keys.ts';
import { attributes } from '../requests/batch-get.ts';
import type { Table } from '../requests/table.ts';

/** Takes a lease for so many seconds; false where somebody else holds it. Who holds it names itself, to take it again. */
export async function takeLease(
  table: Table,
  key: Readonly<Record<string, string>>,
  { holder, now, seconds }: { readonly holder: string; readonly now: Date; readonly seconds: number },
): Promise<boolean> {
  const at = Math.floor(now.getTime() / 1_000);
  const until = at + seconds;
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall({ ...key, holder, until, ttl: until }),
        ConditionExpression: 'attribute_not_exists(pk) OR #until < :now OR #holder = :holder',
        ExpressionAttributeNames: { '#until': 'until', '#holder': 'holder' },
        ExpressionAttributeValues: attributes({ ':now': at, ':holder': holder }),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Gives a lease back; one that somebody else has taken meanwhile stays. */
export async function releaseLease(table: Table, key: Readonly<Record<string, string>>, holder: string): Promise<void> {
  try {
    await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: marshall(key),
        ConditionExpression: '#holder = :holder',
        ExpressionAttributeNames: { '#holder': 'holder' },
        ExpressionAttributeValues: attributes({ ':holder': holder }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** As long as the function that compacts may run: who died holds the lake no longer. */
export const lakeLeaseSeconds = 900;

/** The lease by which one at a time moves or removes stored rows. */
export const lakeLease = (ledger: Table, holder: string): LakeLease => ({
  take: (now) => takeLease(ledger, lakeLeaseKey, { holder, now, seconds: lakeLeaseSeconds }),
  release: () => releaseLease(ledger, lakeLeaseKey, holder),
});
