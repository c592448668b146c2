import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { longDetailsShard, nodeKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import { getItem } from '../../shared/adapters/dynamodb/requests/items.ts';
import { queryAll } from '../../shared/adapters/dynamodb/requests/queries.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { EdgeDetail, EdgeInScope } from '../../shared/domain/lineage/graph/derivation.ts';
import { type GraphId, graphOf, nodeId, scopeId, shardOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { micros, type Order, runOrder, runToken, snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import { visibleAs } from '../../shared/domain/lineage/traversal/visible-version.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { readDetails } from '../support/read-details.ts';
import { runs } from '../support/runs.ts';
import { unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const scope = scopeId('job');
const names = ['a', 'b', 'c'];
const edges = names.flatMap((from) => ['x', 'y'].map((to) => ({ from: urn(from), to: urn(to) })));
const edgeAt = (index: number) => edges[index] ?? { from: urn(''), to: urn('') };
const idsOf = (index: number): EdgeInScope => {
  const { from, to } = edgeAt(index);
  return { from: nodeId(from), to: nodeId(to), scope };
};
const noise = randomBytes(30_000).toString('base64');
const orderOf = (at: number, run: string): Order => runOrder(micros(BigInt(at)), runToken(run), []);
const detailOf = (at: number, run: string, size: number): EdgeDetail => ({
  producer: { namespace: run, name: noise.slice(0, size) },
  deliveryId: '',
  location: '',
  observedAt: String(at),
  statementKind: null,
  principal: null,
  columns: [],
  unresolved: [],
});

const put = fc.record({
  at: fc.integer({ min: 1, max: 6 }),
  run: fc.constantFrom('one', 'two'),
  edges: fc.array(fc.nat(edges.length - 1), { minLength: 1, maxLength: 8 }),
  // The middle size goes to a long item, with all that is stated beside it.
  size: fc.constantFrom(1, 6_000, 30_000),
});
const forgetting = fc.oneof(
  fc.record({ run: fc.constantFrom('one', 'two') }),
  fc.record({ upTo: fc.integer({ min: 0, max: 6 }) }),
);

it('keeps the newest order of each edge, however large, despite concurrent writers, and forgets only what it is given', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(put, { minLength: 1, maxLength: 6 }),
      forgetting,
      fc.array(put, { maxLength: 2 }),
      fc.scheduler(),
      async (puts, forgetting, late, scheduler) => {
        const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
        const graph = graphOf(workspace, 0);
        const write = ({ at, run, edges: stating, size }: (typeof puts)[number], one: DynamoDBClient) =>
          graphPorts(one).claims.claim(graph, {
            ...{ kind: 'snapshot', scope, order: orderOf(at, run), edges: [] },
            stated: [...new Set(stating)].map((index) => ({ ...edgeAt(index), detail: detailOf(at, run, size) })),
          });
        const unsteady = unsteadyClient(stores.client, scheduler, () => null);
        await scheduler.waitFor(Promise.all(puts.map((one) => write(one, unsteady))));
        const known = new Map<number, { readonly order: Order; readonly run: string }>();
        const say = ({ at, run, edges }: (typeof puts)[number]) => {
          for (const index of edges) {
            const order = orderOf(at, run);
            if ((known.get(index)?.order ?? '') < order) known.set(index, { order, run });
          }
        };
        puts.forEach(say);
        if ('run' in forgetting) {
          await graphPorts(stores.client).claims.forgetRun(graph, scope, runToken(forgetting.run), edges);
          for (const [index, { run }] of known) if (run === forgetting.run) known.delete(index);
        } else {
          const order = orderOf(forgetting.upTo, 'two');
          const all = edges.map((_, index) => idsOf(index));
          await graphPorts(stores.client).claims.forgetDetails(graph, all, order);
          for (const [index, one] of known) if (one.order <= order) known.delete(index);
        }
        for (const one of late) await write(one, stores.client);
        late.forEach(say);
        const expected = [...known].map(([index, { order }]) => `${index} ${order}`).sort();
        const shown = (found: readonly (EdgeInScope & { readonly detail: EdgeDetail })[]) =>
          found
            .map(({ from, to, detail: { observedAt, producer } }) => {
              const index = edges.findIndex((edge) => nodeId(edge.from) === from && nodeId(edge.to) === to);
              return `${index} ${orderOf(Number(observedAt), producer.namespace)}`;
            })
            .sort();
        const requested = edges.map((_, index) => idsOf(index));
        expect(shown(await readDetails(graphPorts(stores.client), graph, requested))).toEqual(expected);
      },
    ),
    { numRuns: runs(8) },
  );
}, 240_000);

it('keeps what each of hundreds of jobs states of one relation that they write at once', async () => {
  const graph = graphOf(`w${randomUUID().slice(0, 8)}` as WorkspaceId, 0);
  const { claims } = graphPorts(stores.client);
  const jobs = Array.from({ length: 300 }, (_, job) => {
    const scopeKey = `job ${job}`;
    const ids = { scope: scopeId(scopeKey), scopeKey, providerType: 'openlineage', providerInstanceId: 'p' } as const;
    return { edge: { from: urn(`read by ${job}`), to: urn('x') }, scope: { ...ids, kind: 'observed' } as const };
  });
  const state = (at: number) =>
    Promise.all(
      jobs.map(({ edge, scope }) => {
        const stated = { order: orderOf(at, scope.scopeKey), detail: detailOf(at, scope.scopeKey, 1) };
        return claims.observe(graph, { scope, at: micros(BigInt(at)), edges: [{ ...edge, stated }] });
      }),
    );
  for (const at of [1, 2]) await state(at);
  const requested = jobs.map(({ edge: { from, to }, scope: { scope } }) => {
    return { from: nodeId(from), to: nodeId(to), scope };
  });
  const found = await readDetails(graphPorts(stores.client), graph, requested);
  const shown = found.map(({ scope, order, detail }) => [scope, order, detail.producer.namespace, detail.observedAt]);
  const expected = jobs.map(({ scope }) => [scope.scope, orderOf(2, scope.scopeKey), scope.scopeKey, '2']);
  expect(shown).toEqual(expected);
});

it('deletes the item of long details with the last of them, and loses nothing that is stated meanwhile (G-DETAIL-2)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(edges.length - 1), { maxLength: 3 }), fc.scheduler(), async (late, scheduler) => {
      const graph = graphOf(`w${randomUUID().slice(0, 8)}` as WorkspaceId, 0);
      // One process: it remembers what pages held.
      const { claims } = graphPorts(unsteadyClient(stores.client, scheduler, () => null));
      const all = edges.map((_, index) => idsOf(index));
      const put = (some: readonly number[], at: number) =>
        claims.claim(graph, {
          ...{ kind: 'snapshot', scope, order: orderOf(at, 'one'), edges: [] },
          stated: some.map((index) => ({ ...edgeAt(index), detail: detailOf(at, 'one', 30_000) })),
        });
      await scheduler.waitFor(put([...edges.keys()], 1));
      const meanwhile = [...new Set(late)];
      await scheduler.waitFor(
        Promise.all([
          claims.forgetDetails(graph, all, orderOf(2, 'one')),
          ...meanwhile.map((index) => put([index], 3)),
        ]),
      );
      const ports = graphPorts(stores.client);
      const found = await readDetails(ports, graph, all);
      const named = (some: readonly EdgeInScope[]) => some.map(({ from, to }) => `${from} ${to}`).sort();
      expect(named(found)).toEqual(named(meanwhile.map(idsOf)));
      await ports.claims.forgetDetails(graph, all, orderOf(3, 'one'));
      expect(await longItemsOf(graph)).toEqual([]);
      for (const { to } of all) {
        const item = await getItem(ports.table, nodeKey(graph, to));
        expect(Object.keys(item ?? {}).filter((name) => name.startsWith('e'))).toEqual([]);
      }
    }),
    { numRuns: runs(8) },
  );
}, 240_000);

/** The sort keys of all long details of a graph. */
async function longItemsOf(graph: GraphId): Promise<readonly string[]> {
  const table = { client: stores.client, name: process.env['TABLE_NAME'] ?? '' };
  const shards = new Set(edges.map(({ to }) => longDetailsShard(graph, shardOf(nodeId(to)))));
  const found: string[] = [];
  for (const shard of shards)
    for await (const { sk } of queryAll(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: shard } },
      ConsistentRead: true,
    }))
      found.push(sk?.S ?? '');
  return found;
}

const snapshotPut = fc.record({
  order: fc.integer({ min: 2, max: 9 }).map(snapshotOrder),
  edges: fc.uniqueArray(fc.nat(edges.length - 1), { minLength: 1, maxLength: 6 }),
  size: fc.constantFrom(1, 6_000, 30_000),
});

it('shows the word of the newest snapshot that has taken effect, while newer ones replace it at once and in any order (G-DETAIL-6)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(snapshotPut, { minLength: 2, maxLength: 4, selector: ({ order }) => order }),
      fc.scheduler(),
      async (puts, scheduler) => {
        const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
        const graph = graphOf(workspace, 0);
        let current = snapshotOrder(1);
        const write = ({ order, edges: stating, size }: (typeof puts)[number], client = stores.client) =>
          graphPorts(client).claims.claim(graph, {
            ...{ kind: 'snapshot', scope, order, edges: [] },
            stated: stating.map((index) => ({ ...edgeAt(index), detail: detailOf(Number(order), 'one', size) })),
            hasTakenEffect: (other) => other <= current,
          });
        const first: (typeof puts)[number] = { order: current, edges: [...edges.keys()], size: 1 };
        await write(first);
        const unsteady = unsteadyClient(stores.client, scheduler, () => null);
        await scheduler.waitFor(Promise.all(puts.map((one) => write(one, unsteady))));
        const all = [first, ...puts].sort((a, b) => (a.order < b.order ? -1 : 1));
        for (const { order } of all) {
          current = order;
          const found = await readDetails(
            graphPorts(stores.client),
            graph,
            edges.map((_, index) => idsOf(index)),
          );
          const shown = found.map((one) => visibleAs(one, (other) => other <= current).detail.observedAt);
          const newest = edges.map((_, index) =>
            all.findLast((one) => one.order <= order && one.edges.includes(index)),
          );
          expect(shown.sort()).toEqual(newest.map((one) => String(Number(one?.order))).sort());
        }
      },
    ),
    { numRuns: runs(4), endOnFailure: true },
  );
}, 240_000);
