import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchWrite } from '../../shared/adapters/dynamodb/requests/batched-changes.ts';
import { beginningWith, queryAll } from '../../shared/adapters/dynamodb/requests/queries.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const table = () => ({ client: stores.client, name: stores.environment.TABLE_NAME });

const text = fc.string({
  unit: fc.constantFrom('a', 'A', '#', '%', '_', 'ü', '\uffff', '😀'),
  minLength: 1,
  maxLength: 4,
});

async function write(sortKeys: readonly string[]): Promise<string> {
  const pk = randomUUID();
  const items = sortKeys.map((sk) => ({ pk: { S: pk }, sk: { S: sk }, gsi1pk: { S: pk }, gsi1sk: { S: `of ${sk}` } }));
  await batchWrite(
    table(),
    items.map((Item) => ({ PutRequest: { Item } })),
  );
  return pk;
}

async function found(query: ReturnType<typeof beginningWith>): Promise<string[]> {
  const keys: string[] = [];
  for await (const item of queryAll(table(), query)) keys.push(item['sk']?.S ?? '');
  return keys.sort();
}

describe('a query for the keys that begin with a text', () => {
  it('finds them and no others, in the table and in its index, upper case apart from lower', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 12 }), text, async (sortKeys, prefix) => {
        const pk = await write(sortKeys);
        const expected = sortKeys.filter((sk) => sk.startsWith(prefix)).sort();
        expect(await found(beginningWith({ pk, sk: prefix }))).toEqual(expected);
        expect(await found(beginningWith({ pk, sk: `of ${prefix}` }, 'gsi1'))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});
