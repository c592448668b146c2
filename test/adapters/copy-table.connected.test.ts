import { BatchWriteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScratchStores, startScratchStores } from '../../local/scratch-stores.ts';
import { copyTable } from '../../shared/adapters/dynamodb/requests/restore-table.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';

let stores: readonly ScratchStores[];
beforeAll(async () => {
  stores = [await startScratchStores(), await startScratchStores()];
});
afterAll(() => Promise.all(stores.map((one) => one.stop())));

const tables = (): readonly Table[] =>
  stores.map(({ innerEndpoints, keys, names }) => ({
    client: new DynamoDBClient({ region: 'us-east-1', credentials: keys, endpoint: innerEndpoints.dynamodb }),
    name: names[stackOutputs.table] ?? '',
  }));

const itemsOf = async ({ client, name }: Table) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name }));
  return new Map(Items.map((item) => unmarshall(item)).map((item) => [`${item['pk']} ${item['sk']}`, item]));
};

it('copies every item as it is, those last that wait for work, and the same again', async () => {
  const [from, to] = tables();
  if (!from || !to) throw new Error('Two tables were made.');
  for (let at = 0; at < 120; at++) {
    const waits = at % 10 === 0 ? { gsi2pk: 'due', gsi2sk: String(at) } : {};
    const Item = marshall({ pk: `p${at % 7}`, sk: `s${at}`, at, bytes: new Uint8Array([at]), ...waits });
    await from.client.send(new PutItemCommand({ TableName: from.name, Item }));
  }
  const written: boolean[] = [];
  to.client.middlewareStack.add(
    (next, context) => (args) => {
      if (context.commandName === BatchWriteItemCommand.name) {
        const { RequestItems = {} } = args.input as BatchWriteItemCommand['input'];
        const puts = RequestItems[to.name] ?? [];
        written.push(...puts.map(({ PutRequest }) => PutRequest?.Item?.['gsi2pk'] !== undefined));
      }
      return next(args);
    },
    { step: 'initialize' },
  );
  expect(await copyTable(from, to)).toBe(120);
  expect(await itemsOf(to)).toEqual(await itemsOf(from));
  expect(written.filter(Boolean)).toHaveLength(12);
  expect(written.indexOf(true)).toBe(108);
  expect(await copyTable(from, to)).toBe(120);
  expect(await itemsOf(to)).toEqual(await itemsOf(from));
});
