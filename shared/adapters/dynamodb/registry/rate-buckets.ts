import { type AttributeValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { Fault } from '../../../contract/problems.ts';
import type { Lease } from '../../../domain/base/concurrency.ts';
import type { Horizon, Move, MoveHorizon } from '../../../domain/rate-limit/leased-guard.ts';
import { lakeLeaseKey } from '../keys/registry-keys.ts';
import { attributes, deleteItem, putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { attempted } from '../requests/transact.ts';

const BucketItem = v.object({ horizon: v.number() });
const retentionMs = 86_400_000;
const attempts = 4;

/** Shared buckets. Taking tokens is one write of one unit, or two if it is unknown whether the bucket is full. */
export function rateBuckets<Key>(
  table: Table,
  keyOf: (key: Key) => Readonly<Record<string, string>>,
  /** Where the bucket was when this process last saw it. */
  seen: (key: Key) => Horizon,
): MoveHorizon<Key> {
  return async (key, move) => {
    let horizon = seen(key);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { moved, horizon: found } = await update(table, keyOf(key), move, horizon);
      if (moved) return { moved, horizon: found };
      horizon = found;
      if (horizon > move.upTo && horizon <= move.farthest) return { moved: false, horizon };
    }
    throw new Fault('bucket_contended', 'a shared bucket changed time and again');
  };
}

/** Whether it moved the horizon, and where that is then. */
async function update(
  { client, name }: Table,
  key: Readonly<Record<string, string>>,
  { now, by, upTo, farthest }: Move,
  seen: Horizon,
): ReturnType<MoveHorizon<unknown>> {
  const isFull = seen < now;
  const isOfTheFuture = seen > farthest;
  const isReset = isFull || isOfTheFuture;
  const moved = isReset ? { ':to': now + by } : { ':by': by };
  const expected = isOfTheFuture ? { ':seen': seen } : isFull ? { ':now': now } : { ':now': now, ':upTo': upTo };
  const command = new UpdateItemCommand({
    TableName: name,
    Key: marshall(key),
    UpdateExpression: `SET horizon = ${isReset ? ':to' : 'horizon + :by'}, #ttl = :ttl`,
    ConditionExpression: isOfTheFuture
      ? 'horizon = :seen'
      : isFull
        ? 'attribute_not_exists(horizon) OR horizon < :now'
        : 'horizon BETWEEN :now AND :upTo',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: marshall({ ...moved, ...expected, ':ttl': Math.ceil((now + by + retentionMs) / 1_000) }),
    ReturnValues: 'UPDATED_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const { answer, refusal } = await attempted(client.send(command));
  return { moved: refusal === null, horizon: horizonOf(answer?.Attributes ?? refusal?.Item) };
}

/** Without an item the bucket is full. */
const horizonOf = (item: Record<string, AttributeValue> | undefined): Horizon =>
  item === undefined ? 0 : v.parse(BucketItem, unmarshall(item)).horizon;

/** A lease under a key, for this many seconds. Its holder names itself, to take it for longer. */
export const leaseOf = (
  table: Table,
  key: Readonly<Record<string, string>>,
  { holder, seconds }: { readonly holder: string; readonly seconds: number },
): Lease => ({
  take: async (now) => {
    const at = Math.floor(now.getTime() / 1_000);
    const until = at + seconds;
    const refused = await putItem(table, marshall({ ...key, holder, until, ttl: until }), {
      ConditionExpression: 'attribute_not_exists(pk) OR #until < :now OR #holder = :holder',
      ExpressionAttributeNames: { '#until': 'until', '#holder': 'holder' },
      ExpressionAttributeValues: attributes({ ':now': at, ':holder': holder }),
    });
    return refused === null;
  },
  // A lease that somebody else has taken meanwhile stays.
  release: () =>
    deleteItem(table, key, {
      ConditionExpression: '#holder = :holder',
      ExpressionAttributeNames: { '#holder': 'holder' },
      ExpressionAttributeValues: attributes({ ':holder': holder }),
    }),
});

/** As long as the function that compacts may run: who died holds the lake no longer. */
export const lakeLeaseSeconds = 900;

/** Held while stored rows are moved or removed. */
export const lakeLease = (ledger: Table, holder: string): Lease =>
  leaseOf(ledger, lakeLeaseKey, { holder, seconds: lakeLeaseSeconds });
