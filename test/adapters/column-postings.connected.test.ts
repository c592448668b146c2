import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { removeGraph } from '../../shared/adapters/dynamodb/graph/retire/remove-graph.ts';
import { columnPartitions } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import { columnIndex } from '../../shared/adapters/dynamodb/names/name-indexes.ts';
import { queryAll } from '../../shared/adapters/dynamodb/requests/queries.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { ColumnIndex } from '../../shared/domain/lineage/graph/name-parts.ts';
import { graphOf, nodeOf, type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();

const urn = (name: string): Urn => urnOf({ kind: 'dataset', namespace: 'n', name });

/** All relations that a prefix leads to, each with its columns of that beginning, by portions. */
async function found(index: ColumnIndex, workspace: WorkspaceId, prefix: string): Promise<Map<Urn, Set<string>>> {
  const all = new Map<Urn, Set<string>>();
  for (let after: string | null = null; ; ) {
    const { postings, next } = await index.beginningWith(graphOf(workspace, 0), [prefix], { after, limit: 7 });
    for (const { columns, urns } of postings)
      for (const one of urns) all.set(one, new Set([...(all.get(one) ?? []), ...columns]));
    if (next === null) return all;
    after = next;
  }
}

/** How many relations each item names: postings, and items that are not posted yet. */
async function sizesOf(workspace: WorkspaceId) {
  const { table } = graphPorts(stores.client);
  const sizes: number[][] = [];
  for (const pk of columnPartitions(graphOf(workspace, 0))) {
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } };
    const own: number[] = [];
    for await (const { u } of queryAll(table, query)) own.push(u?.SS?.length ?? 1);
    sizes.push(own);
  }
  return { posted: sizes.slice(0, -1).flat(), recent: sizes.at(-1) ?? [] };
}

async function itemsOf(workspace: WorkspaceId) {
  const { posted, recent } = await sizesOf(workspace);
  return { posted: posted.length, recent: recent.length };
}

it('leads from each column to every relation that has it, written by any process, at once or one by one (G-NAME-8, G-NAME-9)', async () => {
  const workspace = randomUUID() as WorkspaceId;
  const processes = [graphPorts(stores.client), graphPorts(stores.client)].map(({ directory }) => directory);
  const has = new Map<Urn, Set<string>>();
  const add = async (process: number, names: readonly string[], columnsOf: (i: number) => readonly string[]) => {
    const columns = new Map(names.map((name, i) => [urn(name), new Set(columnsOf(i))]));
    for (const [one, some] of columns) has.set(one, new Set([...(has.get(one) ?? []), ...some]));
    await processes[process]?.add(graphOf(workspace, 0), [...columns.keys()].map(nodeOf), columns);
  };
  const names = Array.from({ length: 150 }, (_, i) => `d.s.v${i}`);
  for (let at = 0; at < names.length; at += 50)
    await add(0, names.slice(at, at + 50), (i) => ['id', `only_${(at + i) % 9}`]);
  const { recent, posted } = await itemsOf(workspace);
  expect([recent, posted]).toEqual([0, 20]);
  // Two processes meet the same relations at the same time, and know different columns of them.
  await Promise.all(
    [0, 1].map((one) => add(one, names.slice(0, 60), (i) => (one === 0 ? ['id', `of_${i % 5}`] : ['at', 'id']))),
  );
  await add(1, [...names.slice(100), ...names.map((name) => `${name}b`)], (i) => ['id', 'at', `of_${i % 5}`]);
  const index = columnIndex(graphPorts(stores.client).table);
  for (const prefix of ['id', 'o', 'of_', 'of_3', 'only_1', 'at', 'x']) {
    const target = [...has].flatMap(([one, some]): [Urn, string[]][] => {
      const columns = [...some].filter((column) => column.startsWith(prefix));
      return columns.length > 0 ? [[one, columns.sort()]] : [];
    });
    const answered = [...(await found(index, workspace, prefix))].map(([one, some]) => [one, [...some].sort()]);
    expect(answered.sort()).toEqual(target.sort());
  }
});

it('writes nothing of columns that a relation was indexed by before, and leaves nothing of a graph that is removed', async () => {
  const workspace = randomUUID() as WorkspaceId;
  const statement = new Map([[urn('d.s.one'), new Set(['id', 'at'])]]);
  for (const { directory } of [graphPorts(stores.client), graphPorts(stores.client)])
    for (const _ of ['first', 'again'])
      await directory.add(graphOf(workspace, 0), [...statement.keys()].map(nodeOf), statement);
  expect(await itemsOf(workspace)).toEqual({ posted: 0, recent: 1 });
  const many = new Map(Array.from({ length: 70 }, (_, i) => [urn(`d.s.m${i}`), new Set(['id'])] as const));
  await graphPorts(stores.client).directory.add(graphOf(workspace, 0), [...many.keys()].map(nodeOf), many);
  expect(await itemsOf(workspace)).toEqual({ posted: 5, recent: 1 });
  await removeGraph(graphPorts(stores.client).table, graphOf(workspace, 0), { keepsHeads: false });
  expect(await itemsOf(workspace)).toEqual({ posted: 0, recent: 0 });
});

it('fills postings by the batch, and loses no concurrent postings of two processes', async () => {
  const workspace = randomUUID() as WorkspaceId;
  const [one, other] = [graphPorts(stores.client), graphPorts(stores.client)];
  const named = (from: number, count: number) =>
    new Map(Array.from({ length: count }, (_, i) => [urn(`d.s.r${from + i}`), new Set(['id'])] as const));
  const add = ({ directory }: typeof one, columns: ReturnType<typeof named>) =>
    directory.add(graphOf(workspace, 0), [...columns.keys()].map(nodeOf), columns);
  await add(one, named(0, 165));
  expect(await itemsOf(workspace)).toEqual({ posted: 11, recent: 0 });
  await Promise.all([add(one, named(200, 100)), add(other, named(300, 100))]);
  await Promise.all([add(one, named(400, 100)), add(one, named(500, 100))]);
  const all = [...named(0, 165).keys(), ...named(200, 400).keys()];
  const index = columnIndex(one.table);
  expect([...(await found(index, workspace, 'id')).keys()].sort()).toEqual(all.sort());
});

it('adds to a posting until it names sixteen relations, though every process begins at the first', async () => {
  const workspace = randomUUID() as WorkspaceId;
  for (let process = 0; process < 5; process++) {
    const { directory } = graphPorts(stores.client);
    const many = Array.from({ length: 70 }, (_, i) => urn(`d.s.p${process}_${i}`));
    const columns = new Map(many.map((one) => [one, new Set(['id'])] as const));
    await directory.add(graphOf(workspace, 0), many.map(nodeOf), columns);
  }
  const { posted } = await sizesOf(workspace);
  expect(posted.reduce((sum, size) => sum + size, 0)).toBe(350);
  // The last that is added may be a whole posting's.
  expect(Math.max(...posted)).toBeLessThan(2 * 16);
});
