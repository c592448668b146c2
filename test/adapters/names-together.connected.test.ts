import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import { newKnownRelations, relationDirectory } from '../../shared/adapters/dynamodb/names/relation-directory.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, type Node } from '../../shared/domain/lineage/graph/node.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const connectorId = 'con_aaaaaaaaaa' as ConnectorId;
const relation = (name: string): Node => ({ kind: 'relation', connectorId, ref: `db.public.${name}` });

function begin() {
  const client = new DynamoDBClient();
  const directory = relationDirectory({ client, name: stores.environment.TABLE_NAME }, newKnownRelations());
  const graph = graphOf(`w-${randomUUID()}` as WorkspaceId, 0);
  const refsNamed = async (name: string) => (await directory.named(graph, connectorId, name)).map(({ ref }) => ref);
  return { client, directory, graph, refsNamed };
}

const five = ['a', 'b', 'c', 'd', 'e'].map((letter) => `orders_${letter}`);

it('adds the relations of events that come together by one read and two writes, and each only once', async () => {
  const { client, directory, graph, refsNamed } = begin();
  const units = countUnits(client);
  await Promise.all([...five, ...five].map((name) => directory.add(graph, [relation(name)])));
  expect(units().requests).toBe(3);
  await Promise.all(five.map((name) => directory.add(graph, [relation(name)])));
  expect(units().requests).toBe(0);
  for (const name of five) expect(await refsNamed(name)).toEqual([`db.public.${name}`]);
});

it('fails only the event whose relation the table refuses', async () => {
  const { client, directory, graph, refsNamed } = begin();
  client.middlewareStack.add(
    (next) => (args) =>
      JSON.stringify(args.input).includes('orders_c') ? Promise.reject(new Error('refused')) : next(args),
    { step: 'initialize' },
  );
  const added = await Promise.allSettled(five.map((name) => directory.add(graph, [relation(name)])));
  expect(added.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true]);
  expect(await refsNamed('orders_d')).toEqual(['db.public.orders_d']);
});

it('sends a relation that comes by itself once, though the table refuses it', async () => {
  const { client, directory, graph } = begin();
  let sent = 0;
  client.middlewareStack.add(
    () => () => {
      sent++;
      return Promise.reject(new Error('refused'));
    },
    { step: 'initialize' },
  );
  await expect(directory.add(graph, [relation('orders')])).rejects.toThrow('refused');
  expect(sent).toBe(1);
});
