import { randomUUID } from 'node:crypto';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { insertMissing } from '../../shared/adapters/dynamodb/requests/batched-changes.ts';
import { batchGet } from '../../shared/adapters/dynamodb/requests/items.ts';
import { updateItem } from '../../shared/adapters/dynamodb/requests/update-item.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();

type Criteria = { readonly sk: string; readonly attributes: number };

/** A table whose client counts requests; `forgetful` reads find nothing, like a lagging replica. */
function begin({ forgetful = false } = {}) {
  const pk = randomUUID();
  let requests = 0;
  const send = async (command: Parameters<DynamoDBClient['send']>[0]) => {
    requests++;
    return forgetful && command instanceof BatchGetItemCommand ? {} : stores.client.send(command);
  };
  const name = process.env['TABLE_NAME'] ?? '';
  const [table, watched] = [
    { client: stores.client, name },
    { client: { send } as unknown as DynamoDBClient, name },
  ];
  const keyOf = ({ sk }: Criteria) => ({ pk, sk });
  const insert = (requested: readonly Criteria[]) =>
    insertMissing(watched, requested, {
      keyOf,
      attributesOf: ({ sk, attributes }) =>
        Object.fromEntries(Array.from({ length: attributes }, (_, i) => [`a${i}`, { SS: [sk, 'other'] }])),
    });
  const holdsAlready = async (one: Criteria) => {
    const before = { UpdateExpression: 'SET a0 = :a', ExpressionAttributeValues: { ':a': { S: 'before' } } };
    await updateItem(table, keyOf(one), before);
  };
  const stored = async (requested: readonly Criteria[]) => {
    const items = await batchGet(table, requested.map(keyOf));
    return new Map(items.map((item) => [item['sk']?.S, item['a0']]));
  };
  return { insert, holdsAlready, stored, requests: () => requests };
}

const wantedOf = (count: number): Criteria[] =>
  Array.from({ length: count }, (_, i) => ({ sk: `${100 + i}`, attributes: 1 }));

it.each([false, true])(
  'inserts by the batch what is not there, and leaves what is (found late: %s)',
  async (forgetful) => {
    const { insert, holdsAlready, stored, requests } = begin({ forgetful });
    const target = wantedOf(60);
    const known = target.filter((_, i) => i % 7 === 0);
    await Promise.all(known.map(holdsAlready));
    expect((await insert(target)).toSorted((a, b) => (a.sk < b.sk ? -1 : 1))).toEqual(known);
    expect(requests()).toBeLessThanOrEqual(4);
    const items = await stored(target);
    for (const one of target)
      expect(items.get(one.sk)).toEqual(known.includes(one) ? { S: 'before' } : { SS: [one.sk, 'other'] });
    // A delivery that comes again leaves it all to updates.
    expect(await insert(target)).toHaveLength(target.length);
  },
);

it('leaves what a statement cannot hold, and asks nothing for hardly anything', async () => {
  const { insert, stored, requests } = begin();
  const target = [...wantedOf(4), { sk: 'large', attributes: 1_000 }];
  expect(await insert(target)).toEqual([{ sk: 'large', attributes: 1_000 }]);
  expect((await stored(target)).size).toBe(4);
  const before = requests();
  expect(await insert(wantedOf(2))).toHaveLength(2);
  expect(requests()).toBe(before);
});
