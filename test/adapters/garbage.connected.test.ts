import { randomUUID } from 'node:crypto';
import { type AttributeValue, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageDetailsOf } from '../../shared/adapters/dynamodb/graph/details/packed-details.ts';
import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, type Node, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { type Order, snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { RelationSchema } from '../../shared/domain/lineage/graph/schema.ts';
import type { RetiredOrder, ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { listingOf } from '../../shared/domain/lineage/projection/listing.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import type { Snapshot } from '../../shared/domain/lineage/projection/snapshot-status.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { pruneDeadOrders } from '../../shared/domain/operations/sweep/prune-dead-orders.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { runs } from '../support/runs.ts';
import { Crash, unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

const relation = (name: string): Node => ({ kind: 'relation', connectorId: 'c1' as ConnectorId, ref: `d.s.${name}` });
const names = ['a', 'b', 'c'];
const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => `${from}${to}`));
const derivation = (pair: string): Derivation => ({
  output: relation(pair.charAt(1)),
  inputs: [relation(pair.charAt(0))],
  columns: [],
  unresolved: [],
  producer: { namespace: 'p', name: pair },
  statementKind: null,
  principal: null,
  location: '',
});
const schema = (column: string): RelationSchema => ({
  columns: [{ name: column, type: null }],
  stars: [],
  complete: true,
});
const scopeOf = (name: string): ScopeIdentity & { readonly kind: 'snapshot' } => ({
  scope: scopeId(name),
  scopeKey: name,
  kind: 'snapshot',
  providerType: 'dbt_manifest',
  providerInstanceId: randomUUID(),
});

const start = Date.UTC(2026, 0, 1);
const days = (n: number) => new Date(start + n * 86_400_000);
const never = () => false;
const runOn = (now: Date) => ({
  now,
  timeIsUp: never,
  // Nobody survives the death of a process.
  onOrderFailed: (_: RetiredOrder, error: unknown) => {
    throw error;
  },
});

type Load = { readonly scope: string; readonly complete: boolean; readonly pairs: readonly string[] };
const load: fc.Arbitrary<Load> = fc.record({
  scope: fc.constantFrom('one', 'two'),
  complete: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  pairs: fc.uniqueArray(fc.constantFrom(...pairs), { maxLength: 4 }),
});
/** The requests, counted over a collector's life, at which it dies, and is started again. */
const deaths = fc.array(fc.record({ at: fc.nat(60), when: fc.constantFrom('before' as const, 'after' as const) }), {
  maxLength: 3,
});

/** One workspace of the shared table, with a clock of days: the nth load is made on day n. */
function world() {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const listings = new Map();
  let day = 0;
  const ports = (one: DynamoDBClient) => {
    const all = graphPorts(one, listings);
    // The index lists the orders of all workspaces: those of other runs of this test are not this one's.
    async function* mine(batches: AsyncIterable<readonly RetiredOrder[]>) {
      for await (const batch of batches) yield batch.filter((order) => order.graph === graphOf(workspace, 0));
    }
    return {
      ...all,
      graph: graphOf(workspace, 0),
      clock: { now: () => days(day) },
      scopes: {
        ...all.scopes,
        retired: () => mine(graphPorts(stores.client).scopes.retired()),
        expired: (now: string) => mine(graphPorts(stores.client).scopes.expired(now)),
      },
    };
  };
  const apply = async (one: Load) => {
    day++;
    const load = await accept(one);
    await load();
    return load;
  };
  const accept = async ({ scope, complete, pairs }: Load) => {
    const order = await takeOrder(ports(stores.client).table, graphOf(workspace, 0), scopeOf(scope), complete);
    const snapshot: Snapshot = {
      graph: graphOf(workspace, 0),
      scope: scopeOf(scope),
      order,
      complete,
      deliveryId: randomUUID(),
      receivedAt: days(day).toISOString(),
      derivations: pairs.map(derivation),
      // One relation has columns and no edge.
      schemas: new Map(['ad', ...pairs].map((pair) => [urnOf(relation(pair.charAt(1))), schema(pair)])),
      shrinkGuard: { mode: 'off', share: 0.5 },
      released: false,
    };
    return (one = stores.client) => loadSnapshot(ports(one), snapshot);
  };
  const edges = async (asOf: string | null): Promise<string[]> => {
    const sides = await Promise.all(
      (['out', 'in'] as const).map(async (side) => {
        const view = graphView(queryOf(ports(stores.client), graphOf(workspace, 0)), asOf);
        const expansion = await expand(view, { side, nodes: names.map((name) => urnOf(relation(name))) });
        const last = (urn: string) => urn.slice(-1);
        return ((await expansion.next(1_000)) ?? [])
          .flatMap(({ self, other, claims }) =>
            claims.map(
              ({ observedAt }) =>
                `${side === 'out' ? last(self) + last(other) : last(other) + last(self)} ${observedAt}`,
            ),
          )
          .sort();
      }),
    );
    expect(sides[0]).toEqual(sides[1]);
    return sides[0] ?? [];
  };
  return { workspace, ports, accept, apply, edges, today: () => day };
}

const items = async (workspace: WorkspaceId) => {
  const pages = paginateScan({ client: stores.client }, { TableName: process.env['TABLE_NAME'] ?? '' });
  const all: Record<string, AttributeValue>[] = [];
  for await (const { Items = [] } of pages) all.push(...Items);
  return all.filter(({ pk }) => pk?.S?.startsWith(`W#${workspace}#`));
};

it('changes no answer, of today or of any day before, however it dies and overlaps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(load, { minLength: 2, maxLength: 6 }),
      deaths,
      fc.scheduler(),
      async (loads, deaths, scheduler) => {
        const { ports, apply, edges } = world();
        const answers: string[][] = [];
        for (const [n, one] of loads.entries()) {
          await apply(one);
          answers.push(await edges(days(n + 1).toISOString()));
        }
        const now = await edges(null);
        const collector = async (plan: typeof deaths) => {
          for (const death of [...plan, null]) {
            const dying = unsteadyClient(stores.client, scheduler, (request) =>
              death?.at === request ? death.when : null,
            );
            await pruneDeadOrders(ports(dying), runOn(days(loads.length))).catch((error) => {
              if (!(error instanceof Crash)) throw error;
            });
          }
        };
        await scheduler.waitFor(Promise.all([collector(deaths), collector([])]));
        expect(await edges(null)).toEqual(now);
        for (const [n, answer] of answers.entries()) expect(await edges(days(n + 1).toISOString())).toEqual(answer);
      },
    ),
    { numRuns: runs(2) },
  );
});

it('deletes everything that is dead once its history expires, and keeps all that lives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(load, { minLength: 1, maxLength: 5 }), fc.boolean(), async (loads, often) => {
      const { workspace, ports, apply, edges, today } = world();
      for (const one of loads) {
        await apply(one);
        if (often) await pruneDeadOrders(ports(stores.client), runOn(days(today())));
      }
      const now = await edges(null);
      const collected = await pruneDeadOrders(ports(stores.client), runOn(days(today())));
      expect(collected.forgotten).toBe(0);
      await pruneDeadOrders(ports(stores.client), runOn(days(today() + 91)));
      expect(await edges(null)).toEqual(now);
      const heads = await ports(stores.client).scopes.heads(graphOf(workspace, 0), [scopeId('one'), scopeId('two')]);
      const floors = new Map(heads.map(({ scope, floor }) => [scope as string, floor]));
      for (const item of await items(workspace)) {
        const pk = item['pk']?.S ?? '';
        expect(pk.endsWith('#H')).toBe(false);
        const [, , letter, scope = ''] = pk.split('#');
        const sk = item['sk']?.S ?? '';
        if (letter === 'S' && sk !== 'HEAD') expect((sk.slice(2) as Order) >= (floors.get(scope) ?? '')).toBe(true);
        if (letter === 'G') {
          const claims = Object.keys(item).filter((name) => name.length > 18);
          expect(claims.length).toBeGreaterThan(0);
          for (const name of claims) expect(name.slice(18) >= (floors.get(name.slice(2, 18)) ?? '')).toBe(true);
        }
      }
      const stored = (await items(workspace)).flatMap((item) =>
        Object.entries(item).filter(([name]) => name.startsWith('e') && name.length === 17),
      );
      const details = stored.map(([, value]) => pageDetailsOf(value));
      const stated = details.flatMap((one) => (one && 'inline' in one ? [...one.inline.keys()] : []));
      expect(stated.length).toBe(now.length);
    }),
    { numRuns: runs(2) },
  );
});

it('deletes the column list of a relation without edges with the order that stated it', async () => {
  const { workspace, ports, apply, today } = world();
  for (const pair of ['ab', 'bc']) await apply({ scope: 'one', complete: true, pairs: [pair] });
  for (const day of [0, 91]) await pruneDeadOrders(ports(stores.client), runOn(days(today() + day)));
  const d = nodeId(urnOf(relation('d')));
  const item = (await items(workspace)).find(({ pk, sk }) => pk?.S?.includes('#G#') && sk?.S?.startsWith(d));
  const [only, ...more] = Object.keys(item ?? {}).filter((name) => name.length > 18);
  expect([only, more]).toEqual([`cs${scopeId('one')}${snapshotOrder(2)}`, []]);
});

it('spares what an unchanged snapshot took over, no matter how often and late each is worked again', async () => {
  const { ports, apply, edges, today } = world();
  const same = { scope: 'one', complete: true, pairs: ['ab', 'bc'] };
  const loads = [await apply(same), await apply(same), await apply({ ...same, complete: false, pairs: ['ca'] })];
  const now = await edges(null);
  expect(now).toHaveLength(3);
  for (const load of [...loads].reverse()) await load();
  await pruneDeadOrders(ports(stores.client), runOn(days(today())));
  expect(await edges(null)).toEqual(now);
});

it('spares a snapshot that two workers load at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { ports, accept, edges, today } = world();
      const load = await accept({ scope: 'one', complete: true, pairs: ['ab', 'bc'] });
      const worker = () => load(unsteadyClient(stores.client, scheduler, () => null));
      const outcomes = Promise.all([worker(), worker()]);
      await scheduler.waitFor(outcomes);
      expect((await outcomes).map(({ state }) => state)).toEqual(['projected', 'projected']);
      await pruneDeadOrders(ports(stores.client), runOn(days(today())));
      expect(await edges(null)).toHaveLength(2);
      expect(await edges(days(today()).toISOString())).toHaveLength(2);
    }),
    { numRuns: runs(2) },
  );
});

it('works the others if one order cannot be collected, and that one once it can', async () => {
  const { workspace, ports, apply, today } = world();
  for (const scope of ['one', 'two'])
    for (const pair of ['ab', 'bc']) await apply({ scope, complete: true, pairs: [pair] });
  const failed: string[] = [];
  const run = { ...runOn(days(today())), onOrderFailed: ({ scope }: RetiredOrder) => failed.push(scope) };
  const broken = ports(stores.client);
  const recorded: typeof broken.scopes.recorded = (graph, scope, order) =>
    scope === scopeId('one') ? Promise.reject(new Error('listing')) : broken.scopes.recorded(graph, scope, order);
  const partly = await pruneDeadOrders({ ...broken, scopes: { ...broken.scopes, recorded } }, run);
  expect(partly).toEqual({ pruned: 1, forgotten: 0, failed: 1 });
  expect(failed).toEqual([scopeId('one')]);
  expect(await pruneDeadOrders(ports(stores.client), run)).toEqual({ pruned: 1, forgotten: 0, failed: 0 });
  expect((await items(workspace)).filter(({ pk }) => pk?.S?.endsWith('#H')).length).toBeGreaterThan(0);
});

it('goes on behind any number of orders that fail for good', async () => {
  const { workspace, ports } = world();
  const { scopes } = ports(stores.client);
  const broken = 60;
  const scope = scopeOf('one');
  await scopes.register(graphOf(workspace, 0), scope);
  const orders = Array.from({ length: broken + 5 }, (_, i) => snapshotOrder(i + 1));
  const record = {
    complete: true,
    at: '',
    listing: listingOf([]),
    retracted: 0,
    warnings: [],
    deliveryId: 'd',
    content: '',
  };
  await Promise.all(
    orders.map((order) => scopes.recordOrder(graphOf(workspace, 0), scope.scope, { ...record, order })),
  );
  const floor = snapshotOrder(1_000);
  await scopes.recordOrder(graphOf(workspace, 0), scope.scope, { ...record, order: floor });
  await scopes.commit(graphOf(workspace, 0), scope.scope, {
    order: floor,
    at: '',
    content: '',
    end: null,
    against: null,
  });
  for (const [i, order] of orders.entries())
    await scopes.retire([{ graph: graphOf(workspace, 0), scope: scope.scope, kind: 'snapshot', order }], {
      at: days(i).toISOString(),
    });
  const failed: Order[] = [];
  const run = { ...runOn(days(100)), onOrderFailed: ({ order }: RetiredOrder) => failed.push(order) };
  const recorded: typeof scopes.recorded = (graph, scope, order) =>
    orders.indexOf(order) < broken ? Promise.reject(new Error('lost')) : scopes.recorded(graph, scope, order);
  const summary = await pruneDeadOrders({ ...ports(stores.client), scopes: { ...scopes, recorded } }, run);
  expect(summary).toEqual({ pruned: 5, forgotten: 0, failed: broken });
  expect(failed.sort()).toEqual(orders.slice(0, broken));
});

it('grows history with changes, not with every snapshot', async () => {
  const { workspace, ports, apply } = world();
  const rounds = 12;
  for (let n = 0; n < rounds; n++) {
    await apply({ scope: 'one', complete: true, pairs: ['ab', 'ac', n % 2 === 0 ? 'bc' : 'cb'] });
    await pruneDeadOrders(ports(stores.client), runOn(days(n)));
  }
  const history = (await items(workspace)).filter(({ pk }) => pk?.S?.includes('#G#') && pk.S.endsWith('#H'));
  const downstream = history.flatMap((item) => Object.entries(item).filter(([name]) => name.startsWith('o')));
  const words = downstream.flatMap(([, { SS = [] }]) => SS);
  // One run for each of the two edges that stayed; of those that took turns one a turn, except for the one that lives.
  expect(words).toHaveLength(2 + rounds - 1);
});
