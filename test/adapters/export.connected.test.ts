import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import { ConnectorId, type WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeId, scopeId, shardOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso, snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import { exportLines, exportPage } from '../../shared/domain/lineage/queries/export/export-page.ts';
import { pruneDeadOrders } from '../../shared/domain/operations/sweep/prune-dead-orders.ts';
import { connectorWith } from '../domain/identity/connectors.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { runs } from '../support/runs.ts';

const stores = provideStores();

const connectors = new Map(
  ['warehouse', 'lake'].map((id) => [
    v.parse(ConnectorId, id),
    connectorWith({ id, namespaces: [`postgres://${id}`] }),
  ]),
);
/** Relations of two shards, so that several are read together. */
const relationsOf = (connector: string, count: number) =>
  Array.from({ length: 10_000 }, (_, i) => ({
    kind: 'relation' as const,
    connectorId: v.parse(ConnectorId, connector),
    ref: `d.s.${connector}_${i}`,
  }))
    .filter((node) => shardOf(nodeId(urnOf(node))) < 2)
    .slice(0, count);
const [drawn, further] = [16, 150];
const relations = [...relationsOf('lake', 3), ...relationsOf('warehouse', drawn - 3 + further)];
/** The last relation that is drawn is an alias of the one before it. */
const [canonical, alias] = [drawn - 2, drawn - 1];
const nodeAt = (index: number) => {
  const node = relations[index];
  if (!node) throw new Error('no such relation');
  return node;
};

type Pair = readonly [from: number, to: number];
const relation = fc.nat(drawn - 1);
const pair = fc
  .tuple(relation, fc.oneof(relation, fc.constantFrom(5, alias)))
  .filter(([from, to]) => from !== to && Math.min(from, to) !== canonical);
const load = fc.record({
  scope: fc.constantFrom('one', 'two'),
  complete: fc.boolean(),
  pairs: fc.uniqueArray(pair, { maxLength: 12, selector: String }),
});
type Load = { readonly scope: string; readonly complete: boolean; readonly pairs: readonly Pair[] };

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));
const producerOf = ([from, to]: Pair) => ({ namespace: 'p', name: `${from} feeds ${to}` });
const identityOf = <K extends 'snapshot' | 'observed'>(
  name: string,
  kind: K,
): ScopeIdentity & { readonly kind: K } => ({
  scope: scopeId(name),
  scopeKey: name,
  kind,
  providerType: 'dbt_manifest',
  providerInstanceId: randomUUID(),
});

/** One workspace of the shared table, whose nth load is made on day n. */
function world() {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  let today = 0;
  const graph = graphOf(workspace, 0);
  const ports = { ...graphPorts(stores.client), graph, clock: { now: () => day(today) } };
  const collecting = {
    ...ports,
    scopes: {
      ...ports.scopes,
      retired: async function* () {
        for await (const batch of ports.scopes.retired()) yield batch.filter((one) => one.graph === graph);
      },
      expired: async function* () {},
    },
  };
  const exporting = () => queryOf(ports, graph, { connectors, now: day(today).toISOString() });
  return {
    now: () => day(today).toISOString(),
    apply: async ({ scope, complete, pairs }: Load): Promise<void> => {
      today++;
      await loadSnapshot(ports, {
        graph,
        scope: identityOf(scope, 'snapshot'),
        order: await takeOrder(ports.table, graph, identityOf(scope, 'snapshot'), complete),
        complete,
        deliveryId: '',
        receivedAt: day(today).toISOString(),
        derivations: pairs.map((one) => ({ ...statement(one), output: nodeAt(one[1]), inputs: [nodeAt(one[0])] })),
        shrinkGuard: { mode: 'off', share: 0.5 },
        released: false,
      });
    },
    observe: async (pairs: readonly Pair[]): Promise<void> => {
      const identity = identityOf('job', 'observed');
      await ports.scopes.register(graph, identity);
      const edges = pairs.map((one) => ({
        ...{ from: urnOf(nodeAt(one[0])), to: urnOf(nodeAt(one[1])) },
        stated: { order: snapshotOrder(1), detail: { ...statement(one), deliveryId: '', observedAt: '' } },
      }));
      await ports.claims.observe(graph, { scope: identity, at: microsOfIso(day(today).toISOString()), edges });
    },
    name: () => ports.claims.alias(graph, urnOf(nodeAt(alias)), urnOf(nodeAt(canonical))),
    collect: async (): Promise<void> => {
      const onOrderFailed = (_: unknown, error: unknown) => {
        throw error;
      };
      await pruneDeadOrders(collecting, { now: day(today), timeIsUp: () => false, onOrderFailed });
    },
    lines: async (asOf: string, connectorId: ConnectorId | null): Promise<unknown[]> => {
      const found: string[] = [];
      const request = { workspace, connectorId, profile: 'job', asOf } as const;
      for await (const lines of exportLines(exporting(), request)) found.push(lines);
      return found
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    page: (connectorId: ConnectorId | null, limit: number, cursor: string | null) =>
      exportPage(exporting(), {
        ...{ workspace, connectorId, profile: 'job', now: day(today).toISOString() },
        ...{ limit, cursor, secret: new Uint8Array(32) },
      }),
  };
}

const statement = (pair: Pair) => ({
  columns: [],
  unresolved: [],
  producer: producerOf(pair),
  statementKind: null,
  principal: null,
  location: '',
});

/** What stands after the loads, by a plain reading of them: a complete load replaces what its scope said, a partial one adds. */
function standing(loads: readonly Load[], observed: readonly Pair[], connectorId: ConnectorId | null): string[] {
  const scopes = new Map<string, readonly Pair[]>();
  for (const { scope, complete, pairs } of loads) {
    scopes.set(scope, complete ? pairs : [...(scopes.get(scope) ?? []), ...pairs]);
  }
  const shown = [...scopes.values(), observed]
    .flat()
    .filter((pair) => connectorId === null || pair.some((end) => nodeAt(end).connectorId === connectorId))
    .map((pair) => {
      const [from, to] = pair.map((end) => (end === alias ? canonical : end));
      return `${producerOf(pair).name}: ${from} ${to}`;
    });
  return [...new Set(shown)].sort();
}

type Event = {
  readonly job: { readonly name: string };
  readonly inputs: readonly { readonly name: string }[];
  readonly outputs: readonly { readonly name: string }[];
};
const shownIn = (events: readonly unknown[]) =>
  (events as Event[]).map(({ job, inputs, outputs }) => {
    const [from, to] = [inputs, outputs].map((ends) =>
      ends.map(({ name }) => relations.findIndex(({ ref }) => ref === name)).join(),
    );
    return `${job.name}: ${from} ${to}`;
  });

it('tells what was at its moment, by lines and by pages of any size, whatever is loaded and pruned meanwhile (C-EXPORT-2)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(load, { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(pair, { maxLength: 8, selector: String }),
      fc.array(load, { maxLength: 3 }),
      fc.integer({ min: 3, max: 20 }),
      fc.constantFrom(null, ...connectors.keys()),
      async (before, observed, meanwhile, limit, connector) => {
        const { apply, observe, name, collect, lines, page, now } = world();
        await name();
        await observe(observed);
        for (const one of before) await apply(one);
        await collect();
        const asOf = now();
        const exported = await lines(asOf, connector);
        expect(shownIn(exported).sort()).toEqual(standing(before, observed, connector));

        let { events, next_cursor } = await page(connector, limit, null);
        const [first, ...rest] = meanwhile;
        if (first) await apply(first);
        for (let cursor = next_cursor; cursor !== null; cursor = next_cursor) {
          const further = await page(connector, limit, cursor);
          expect(further.as_of).toBe(asOf);
          events = [...events, ...further.events];
          next_cursor = further.next_cursor;
        }
        expect(events).toEqual(exported);
        for (const one of rest) await apply(one);
        await collect();
        expect(await lines(asOf, connector)).toEqual(exported);
        expect(shownIn(await lines(now(), connector)).sort()).toEqual(
          standing([...before, ...meanwhile], observed, connector),
        );
      },
    ),
    // What it shrinks would take minutes to find.
    { numRuns: runs(4), endOnFailure: true },
  );
});

it('tells all that feeds a relation of more pages than one, and what did before', async () => {
  const { apply, collect, lines, now } = world();
  const all = relations.map((_, i): Pair => [i, canonical]).filter(([from]) => from !== canonical && from !== alias);
  const loads = [all, all.slice(0, 100)].map((pairs) => ({ scope: 'one', complete: true, pairs }));
  const moments: string[] = [];
  for (const one of loads) {
    await apply(one);
    moments.push(now());
  }
  await collect();
  for (const [i, asOf] of moments.entries()) {
    expect(shownIn(await lines(asOf, null)).sort()).toEqual(standing(loads.slice(0, i + 1), [], null));
  }
});
