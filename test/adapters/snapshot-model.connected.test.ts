import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeOrder } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, type Node, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import { pruneOrder } from '../../shared/domain/lineage/projection/prune-order.ts';
import { changeLimits, type Snapshot } from '../../shared/domain/lineage/projection/snapshot-status.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { runs } from '../support/runs.ts';
import { takeEffect } from '../support/take-effect.ts';
import { Crash, unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

const relation = (name: string): Node => ({ kind: 'relation', connectorId: 'c1' as ConnectorId, ref: `d.s.${name}` });
const names = ['a', 'b', 'c', 'd'];
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

const scopeOf = (name: string): ScopeIdentity & { readonly kind: 'snapshot' } => ({
  scope: scopeId(`scope:${name}`),
  scopeKey: `scope:${name}`,
  kind: 'snapshot',
  providerType: 'dbt_manifest',
  providerInstanceId: randomUUID(),
});

const delivery = fc.record({
  scope: fc.constantFrom('one', 'two'),
  complete: fc.boolean(),
  pairs: fc.uniqueArray(fc.constantFrom(...pairs), { maxLength: 5 }),
  /** Runs that die at a request, before the one that goes through. */
  deaths: fc.array(fc.record({ at: fc.nat(25), when: fc.constantFrom('before' as const, 'after' as const) }), {
    maxLength: 2,
  }),
  redelivered: fc.boolean(),
});

/** As a deployment has them, and so that nearly every snapshot is loaded as a change. */
const limits = fc.constantFrom(changeLimits, { share: 100, removals: 6, orders: 4, attempts: 2 });

/** What each scope says once every delivery took effect in the order of its acceptance. */
function oracle(deliveries: readonly { scope: string; complete: boolean; pairs: readonly string[] }[]): string[] {
  const scopes = new Map<string, Set<string>>();
  for (const { scope, complete, pairs } of deliveries) {
    scopes.set(scope, new Set(complete ? pairs : [...(scopes.get(scope) ?? []), ...pairs]));
  }
  return [...new Set([...scopes.values()].flatMap((edges) => [...edges]))].sort();
}

async function liveEdges(workspace: WorkspaceId, side: 'out' | 'in'): Promise<string[]> {
  const view = graphView(queryOf(graphPorts(stores.client), graphOf(workspace, 0)), null);
  const urns = names.map((name) => urnOf(relation(name)));
  const expansion = await expand(view, { side, nodes: urns });
  const edges = (await expansion.next(1_000)) ?? [];
  const last = (urn: string) => urn.slice(-1);
  return edges.map(({ self, other }) => (side === 'out' ? last(self) + last(other) : last(other) + last(self))).sort();
}

it('keeps exactly what the newest complete snapshots and the partial deliveries since say, however loads interleave, die and repeat (C-DECLARED-6, C-DECLARED-7, C-DECLARED-8, C-EVIDENCE-5)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(delivery, { minLength: 1, maxLength: 7 }),
      fc.record({ limits, workedFirst: fc.nat(3) }),
      fc.scheduler(),
      async (deliveries, { limits, workedFirst }, scheduler) => {
        const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
        const accepted: Snapshot[] = [];
        for (const { scope, complete, pairs } of deliveries) {
          accepted.push({
            graph: graphOf(workspace, 0),
            scope: scopeOf(scope),
            order: await takeOrder(graphPorts(stores.client).table, graphOf(workspace, 0), scopeOf(scope), complete),
            complete,
            deliveryId: randomUUID(),
            receivedAt: new Date().toISOString(),
            derivations: pairs.map(derivation),
            shrinkGuard: { mode: 'off', share: 0.5 },
            released: false,
          });
        }
        const prune = async () => {
          const unsteady = graphPorts(unsteadyClient(stores.client, scheduler, () => null));
          for await (const batch of graphPorts(stores.client).scopes.retired())
            for (const retired of batch)
              if (retired.graph === graphOf(workspace, 0)) await pruneOrder(unsteady, retired, new Date());
        };
        const work = async (i: number) => {
          const [snapshot, plan] = [accepted[i], deliveries[i]];
          if (!snapshot || !plan) return;
          for (const death of [...plan.deaths, null, ...(plan.redelivered ? [null] : [])]) {
            const dies = (request: number) => (death?.at === request ? death.when : null);
            const ports = graphPorts(unsteadyClient(stores.client, scheduler, dies));
            await loadSnapshot(ports, snapshot, limits).catch((error) => {
              if (!(error instanceof Crash)) throw error;
            });
          }
          await prune();
        };
        // Those after the first few interleave.
        for (const i of accepted.keys()) if (i < workedFirst) await scheduler.waitFor(work(i));
        await scheduler.waitFor(Promise.all(accepted.map((_, i) => (i < workedFirst ? null : work(i)))));
        expect(await liveEdges(workspace, 'out')).toEqual(oracle(deliveries));
        expect(await liveEdges(workspace, 'in')).toEqual(oracle(deliveries));
      },
    ),
    { numRuns: runs(6) },
  );
}, 240_000);

it('widens a node with many statements, and loses no neighbours', async () => {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const hub = urnOf(relation('hub'));
  const leaf = (i: number) => urnOf(relation(`leaf${i}`));
  const scopes = ['one', 'two', 'three'].map((name) => scopeOf(name));
  await Promise.all(
    scopes.map(async ({ scope }, s) => {
      const ports = graphPorts(stores.client);
      for (let start = s * 40; start < s * 40 + 300; start += 100) {
        const edges = Array.from({ length: 100 }, (_, i) => ({ from: hub, to: leaf(start + i) }));
        await ports.claims.claim(graphOf(workspace, 0), { kind: 'snapshot', scope, order: snapshotOrder(1), edges });
      }
    }),
  );
  const store = graphPorts(stores.client).scopes;
  await Promise.all(
    scopes.map(async (scope) => {
      await store.register(graphOf(workspace, 0), scope);
      await takeEffect(store, graphOf(workspace, 0), scope.scope, snapshotOrder(1));
    }),
  );
  const view = graphView(queryOf(graphPorts(stores.client), graphOf(workspace, 0)), null);
  const found = new Set<string>();
  const expansion = await expand(view, { side: 'out', nodes: [hub], isVisited: (node) => found.has(node) });
  for (let edges = await expansion.next(100); edges; edges = await expansion.next(100)) {
    for (const { other } of edges) found.add(nodeId(other));
  }
  expect(found.size).toBe(380);
});
