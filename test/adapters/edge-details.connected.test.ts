import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { detailStore } from '../../shared/adapters/dynamodb/graph/details/detail-store.ts';
import { edgeDetailShard } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import { queryAll } from '../../shared/adapters/dynamodb/requests/queries.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { EdgeDetail, EdgeInScope } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, nodeId, scopeId, shardOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { micros, type Order, runOrder, runToken, snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import { visibleAs } from '../../shared/domain/lineage/traversal/visible-details.ts';
import { provideStores } from '../support/provide-stores.ts';
import { runs } from '../support/runs.ts';
import { unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const scope = scopeId('job');
const names = ['a', 'b', 'c'];
const edges = names.flatMap((from) => ['x', 'y'].map((to) => ({ from: urn(from), to: urn(to) })));
const idsOf = (index: number): EdgeInScope => {
  const { from = urn(''), to = urn('') } = edges[index] ?? {};
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
  // Three of the middle size make a node's item wide, and one of the largest.
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
        const store = (one: DynamoDBClient) => detailStore({ client: one, name: process.env['TABLE_NAME'] ?? '' });
        const write = ({ at, run, edges, size }: (typeof puts)[number], one: DynamoDBClient) =>
          store(one).put(
            graphOf(workspace, 0),
            edges.map((index) => ({ ...idsOf(index), order: orderOf(at, run), detail: detailOf(at, run, size) })),
            null,
          );
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
          await store(stores.client).forget(graphOf(workspace, 0), scope, runToken(forgetting.run), edges);
          for (const [index, { run }] of known) if (run === forgetting.run) known.delete(index);
        } else {
          const order = orderOf(forgetting.upTo, 'two');
          const all = edges.map((_, index) => idsOf(index));
          await store(stores.client).forgetUpTo(graphOf(workspace, 0), all, order);
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
        expect(shown(await store(stores.client).get(graphOf(workspace, 0), requested))).toEqual(expected);
        const ranges = ['x', 'y'].map((to) => ({ first: nodeId(urn(to)), last: nodeId(urn(to)) }));
        const inRanges = await Promise.all(
          ranges.map((range) => store(stores.client).ofNodes(graphOf(workspace, 0), range)),
        );
        expect(shown(inRanges.flat())).toEqual(expected);
      },
    ),
    { numRuns: runs(8) },
  );
}, 240_000);

it('deletes the mark of a wide item with its last detail, and loses nothing that is put meanwhile (G-DETAIL-2)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(edges.length - 1), { maxLength: 3 }), fc.scheduler(), async (late, scheduler) => {
      const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
      const client = unsteadyClient(stores.client, scheduler, () => null);
      // One process: it remembers which items were wide.
      const store = detailStore({ client, name: process.env['TABLE_NAME'] ?? '' });
      const all = edges.map((_, index) => idsOf(index));
      const put = (some: readonly EdgeInScope[], at: number) =>
        store.put(
          graphOf(workspace, 0),
          some.map((edge) => ({ ...edge, order: orderOf(at, 'one'), detail: detailOf(at, 'one', 30_000) })),
          null,
        );
      await scheduler.waitFor(put(all, 1));
      const meanwhile = [...new Set(late)].map(idsOf);
      await scheduler.waitFor(
        Promise.all([
          store.forgetUpTo(graphOf(workspace, 0), all, orderOf(2, 'one')),
          ...meanwhile.map((edge) => put([edge], 3)),
        ]),
      );
      const reader = detailStore({ client: stores.client, name: process.env['TABLE_NAME'] ?? '' });
      const found = await reader.get(graphOf(workspace, 0), all);
      const named = (some: readonly EdgeInScope[]) => some.map(({ from, to }) => `${from} ${to}`).sort();
      expect(named(found)).toEqual(named(meanwhile));
      await reader.forgetUpTo(graphOf(workspace, 0), all, orderOf(3, 'one'));
      expect(await itemsOf(workspace)).toEqual([]);
    }),
    { numRuns: runs(8) },
  );
}, 240_000);

/** The sort keys of all details of a workspace. */
async function itemsOf(workspace: WorkspaceId): Promise<readonly string[]> {
  const table = { client: stores.client, name: process.env['TABLE_NAME'] ?? '' };
  const shards = new Set(edges.map(({ to }) => edgeDetailShard(graphOf(workspace, 0), shardOf(nodeId(to)))));
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
        const store = (client: DynamoDBClient) => detailStore({ client, name: process.env['TABLE_NAME'] ?? '' });
        let current = snapshotOrder(1);
        const write = ({ order, edges, size }: (typeof puts)[number], client = stores.client) =>
          store(client).put(
            graphOf(workspace, 0),
            edges.map((index) => ({ ...idsOf(index), order, detail: detailOf(Number(order), 'one', size) })),
            (other) => other <= current,
          );
        const first: (typeof puts)[number] = { order: current, edges: [...edges.keys()], size: 1 };
        await write(first);
        const unsteady = unsteadyClient(stores.client, scheduler, () => null);
        await scheduler.waitFor(Promise.all(puts.map((one) => write(one, unsteady))));
        const all = [first, ...puts].sort((a, b) => (a.order < b.order ? -1 : 1));
        for (const { order } of all) {
          current = order;
          const found = await store(stores.client).get(
            graphOf(workspace, 0),
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
