import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchedChanges } from '../../shared/adapters/dynamodb/requests/batched-changes.ts';
import { batchGet } from '../../shared/adapters/dynamodb/requests/items.ts';
import { updateItem } from '../../shared/adapters/dynamodb/requests/update-item.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();

type Given = { readonly last?: number; readonly first?: number; readonly wide?: boolean };

/** Moves `last` of many items to 5, and sets `note`, where `last` is earlier, `first` no later and `wide` is not there. */
function begin() {
  let requests = 0;
  const send = (command: Parameters<DynamoDBClient['send']>[0]) => {
    requests++;
    return stores.client.send(command);
  };
  const name = process.env['TABLE_NAME'] ?? '';
  const table = { client: stores.client, name };
  const change = batchedChanges({ client: { send } as unknown as DynamoDBClient, name });
  const pk = randomUUID();
  const keyOf = (i: number) => ({ pk, sk: `${100 + i}` });
  const store = (i: number, { last, first, wide }: Given) =>
    updateItem(table, keyOf(i), {
      UpdateExpression: `SET a = :a${last === undefined ? '' : ', #l = :l'}${first === undefined ? '' : ', #f = :f'}${wide ? ', wide = :a' : ''}`,
      ...((last !== undefined || first !== undefined) && {
        ExpressionAttributeNames: {
          ...(last !== undefined && { '#l': 'last' }),
          ...(first !== undefined && { '#f': 'first' }),
        },
      }),
      ExpressionAttributeValues: {
        ':a': { BOOL: true },
        ...(last !== undefined && { ':l': { N: String(last) } }),
        ...(first !== undefined && { ':f': { N: String(first) } }),
      },
    });
  const move = (i: number, note = 'moved') =>
    change({
      key: keyOf(i),
      set: { last: { N: '5' }, note: { S: note } },
      where: [
        { name: 'wide', is: 'missing' },
        { name: 'last', is: '<', value: { N: '5' } },
        { name: 'first', is: '<=', value: { N: '3' } },
      ],
    });
  const stored = async (count: number) => {
    const items = await batchGet(
      table,
      Array.from({ length: count }, (_, i) => keyOf(i)),
      { consistent: true },
    );
    return new Map(items.map((item) => [Number(item['sk']?.S) - 100, item]));
  };
  return { store, move, stored, requests: () => requests };
}

const time = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
const provided = fc.option(fc.record({ last: time, first: time, wide: fc.boolean() }), { nil: null });

it('changes each item under its own condition, and tells which are changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(provided, { minLength: 1, maxLength: 60 }), async (items) => {
      const { store, move, stored, requests } = begin();
      await Promise.all(items.map((one, i) => one && store(i, one as Given)));
      const changed = await Promise.all(items.map((_, i) => move(i)));
      expect(requests()).toBe(Math.ceil(items.length / 25));
      const found = await stored(items.length);
      for (const [i, one] of items.entries()) {
        const isDue = one !== null && !one.wide && (one.last ?? 9) < 5 && (one.first ?? 9) <= 3;
        expect(changed[i]).toBe(isDue);
        expect(found.get(i)?.['note']).toEqual(isDue ? { S: 'moved' } : undefined);
        expect(found.get(i)?.['last']?.N).toBe(isDue ? '5' : one?.last?.toString());
        // A change that is refused makes no item.
        expect(found.has(i)).toBe(one !== null);
      }
    }),
    { numRuns: 8 },
  );
});

it('makes the first of two changes of one item, from the first request on', async () => {
  const { store, move, stored } = begin();
  await store(0, { last: 1, first: 1 });
  await store(1, { last: 1, first: 1 });
  expect(await move(0, 'first')).toBe(true);
  const repeated = await Promise.all([move(1, 'one'), move(1, 'other')]);
  expect(repeated).toEqual([true, false]);
  const items = await stored(2);
  expect(items.get(1)?.['note']).toEqual({ S: 'one' });
  expect(items.get(0)?.['note']).toEqual({ S: 'first' });
});
