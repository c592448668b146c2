import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { EdgeDetail } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { historyDays, microsOfIso, type Order } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import {
  expireObservations,
  expireObservationsDaily,
  type NodePosition,
} from '../../shared/domain/operations/sweep/expire-observations.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { readDetails } from '../support/read-details.ts';
import { Crash, unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

const now = new Date('2026-11-20T12:00:00.000Z');
const retention = 30;
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const edge = ([from, to]: readonly [string, string]) => ({ from: urn(from), to: urn(to) });
const never = () => false;
/** The connectors' retention is shorter than the default one, which then holds. */
const oldest = 90 + historyDays;

const detail: EdgeDetail = {
  producer: { namespace: 'p', name: 'm' },
  deliveryId: '',
  location: '',
  observedAt: '',
  statementKind: null,
  principal: null,
  columns: [],
  unresolved: [],
};

const scopeNamed = (scopeKey: string): ScopeIdentity => ({
  scope: scopeId(scopeKey),
  scopeKey,
  kind: 'observed',
  providerType: 'openlineage',
  providerInstanceId: 'p',
});

const name = fc.constantFrom<string>('a', 'b', 'c');
const observation = fc.record({
  edge: fc.tuple(name, name),
  scope: fc.constantFrom('one', 'two').map(scopeNamed),
  days: fc.constantFrom(1, oldest - 1, oldest + 1, oldest + 50),
});
const observations = fc.array(observation, { minLength: 1, maxLength: 8 });

const portsOf = (workspace: WorkspaceId, one: DynamoDBClient) => ({
  ...graphPorts(one),
  workspaces: async () => [{ id: workspace }],
  namesOf: async () => ({ connectors: [{ observed_retention_days: retention }], generation: 0, forgotten: {} }),
});

async function observe(workspace: WorkspaceId, seen: typeof observation extends fc.Arbitrary<infer T> ? T : never) {
  const ports = graphPorts(stores.client);
  const at = microsOfIso(daysAgo(seen.days));
  const stated = { order: `${at}x` as Order, detail };
  await ports.claims.observe(graphOf(workspace, 0), { scope: seen.scope, at, edges: [{ ...edge(seen.edge), stated }] });
}

/** What stands on the pages of one side, and what is known in detail. */
async function known(workspace: WorkspaceId, side: 'out' | 'in') {
  const ports = graphPorts(stores.client);
  const nodes = ['a', 'b', 'c'].map((one) => nodeId(urn(one)));
  const ends = (await ports.pages.nodes(graphOf(workspace, 0), nodes)).flatMap(({ node, pages }) =>
    pages[side].claims.map(({ other, scope }) =>
      side === 'out' ? { from: node, to: other, scope } : { from: other, to: node, scope },
    ),
  );
  return {
    claims: ends.map(({ from, to, scope }) => `${from} ${to} ${scope}`).sort(),
    details: (await readDetails(ports, graphOf(workspace, 0), ends)).length,
  };
}

it('forgets exactly what was not observed for both retentions, while new observations come in and runs die', async () => {
  const death = fc.option(fc.tuple(fc.nat(150), fc.constantFrom('before' as const, 'after' as const)), { nil: null });
  await fc.assert(
    fc.asyncProperty(observations, observations, death, fc.scheduler(), async (old, late, death, scheduler) => {
      const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
      for (const one of old) await observe(workspace, one);
      const dying = unsteadyClient(stores.client, scheduler, (request) => (death?.[0] === request ? death[1] : null));
      const run = async () => {
        await expireObservations(portsOf(workspace, dying), { from: null, now, timeIsUp: never }).catch((error) => {
          if (!(error instanceof Crash)) throw error;
        });
      };
      const fresh = late.map((one) => ({ ...one, days: 1 }));
      await scheduler.waitFor(Promise.all([run(), ...fresh.map((one) => observe(workspace, one))]));
      await expireObservations(portsOf(workspace, stores.client), { from: null, now, timeIsUp: never });
      const remaining = [...old, ...fresh].filter(({ days }) => days < oldest);
      const expected = [
        ...new Set(remaining.map((one) => [...one.edge.map((end) => nodeId(urn(end))), one.scope.scope].join(' '))),
      ];
      for (const side of ['out', 'in'] as const)
        expect(await known(workspace, side)).toEqual({ claims: expected.sort(), details: expected.length });
    }),
    { numRuns: 3 },
  );
});

it('begins a round a day, and goes on where a run stopped', async () => {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const edges = ['a', 'b', 'c'].map((to) => ['hub', to] as const);
  for (const one of edges) await observe(workspace, { edge: [...one], scope: scopeNamed('one'), days: oldest + 1 });
  const places = new Map<string, unknown>();
  const ports = {
    ...portsOf(workspace, stores.client),
    places: {
      read: async (task: string) => places.get(task) ?? null,
      write: async (task: string, place: unknown) => void places.set(task, place),
    },
  };
  const forgotten: number[] = [];
  const placeOf = () => (places.get('observations') as { place: NodePosition | null }).place;
  do forgotten.push(await expireObservationsDaily(ports, { now, timeIsUp: () => true }));
  while (placeOf() !== null);
  // Each edge once on either side: the hub's page holds all three.
  expect(forgotten.filter((n) => n > 0).toSorted()).toEqual([1, 1, 1, 3]);
  await observe(workspace, { edge: ['a', 'b'], scope: scopeNamed('one'), days: oldest + 1 });
  expect(await expireObservationsDaily(ports, { now, timeIsUp: never })).toBe(0);
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect(await expireObservationsDaily(ports, { now: tomorrow, timeIsUp: never })).toBe(2);
});
