import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';

const stores = provideStores();
const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const edge = { from: urn('a'), to: urn('b') };
const at = microsOfIso('2026-11-20T12:00:00.000Z');
const jobs = (count: number): ScopeIdentity[] =>
  Array.from({ length: count }, (_, i) => {
    const scopeKey = `provider:p:job "n|${i}"`;
    const identity = { scopeKey, kind: 'observed', providerType: 'openlineage', providerInstanceId: 'p' } as const;
    return { ...identity, scope: scopeId(scopeKey) };
  });

async function observedBy(scopes: readonly ScopeIdentity[]) {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const ports = graphPorts(stores.client);
  for (const scope of scopes) {
    await ports.scopes.register(graphOf(workspace, 0), scope);
    await ports.claims.observe(graphOf(workspace, 0), { scope, at, edges: [edge] });
  }
  const node = async () => (await ports.pages.nodes(graphOf(workspace, 0), [nodeId(edge.to)]))[0];
  return { workspace, ports, node };
}

/** Who observed the edge, walked either way. */
async function observersShown({ ports, workspace }: Awaited<ReturnType<typeof observedBy>>, side: 'out' | 'in') {
  const view = graphView(queryOf(ports, graphOf(workspace, 0)), null);
  const expansion = await expand(view, { side, nodes: [side === 'out' ? edge.from : edge.to] });
  const found = (await expansion.next(10)) ?? [];
  return found.flatMap(({ claims }) => claims.map(({ scope }) => view.scopes.get(scope)?.head.scopeKey)).sort();
}

it('names on a node who observed the edges to it, until nobody does any more', async () => {
  const scopes = jobs(3);
  const world = await observedBy(scopes);
  const keys = scopes.map(({ scopeKey }) => scopeKey).sort();
  expect((await world.node())?.observers.map(({ scopeKey }) => scopeKey).sort()).toEqual(keys);
  for (const side of ['out', 'in'] as const) expect(await observersShown(world, side)).toEqual(keys);
  const [first, ...others] = scopes.map(({ scope }) => ({
    kind: 'observed' as const,
    other: nodeId(edge.from),
    scope,
    first: at,
    last: at,
  }));
  const page = { side: 'in', node: nodeId(edge.to), number: 0 } as const;
  await world.ports.claims.expireObservations(graphOf(world.workspace, 0), page, first ? [first] : []);
  expect((await world.node())?.observers).toHaveLength(2);
  await world.ports.claims.expireObservations(graphOf(world.workspace, 0), page, others);
  expect(await world.node()).toBeUndefined();
});

it('names no more observers on an item that has grown fat, and knows them all the same', async () => {
  const scopes = jobs(80);
  const world = await observedBy(scopes);
  const named = (await world.node())?.observers.length ?? 0;
  expect(named).toBeGreaterThan(10);
  expect(named).toBeLessThan(scopes.length);
  const keys = scopes.map(({ scopeKey }) => scopeKey).sort();
  for (const side of ['out', 'in'] as const) expect(await observersShown(world, side)).toEqual(keys);
});

it('spreads the observations of one edge by hundreds of differently named jobs over pages', async () => {
  const scopes = jobs(400);
  const { workspace, ports, node } = await observedBy([]);
  const observe = (scope: ScopeIdentity) => ports.claims.observe(graphOf(workspace, 0), { scope, at, edges: [edge] });
  await inParallel(8, scopes, observe);
  const read = await node();
  expect(read?.levels.in).toBeGreaterThan(1);
  const view = graphView(queryOf(ports, graphOf(workspace, 0)), null);
  await view.nodes.load([nodeId(edge.to), nodeId(edge.from)]);
  for (const [side, self, other] of [
    ['in', edge.to, edge.from],
    ['out', edge.from, edge.to],
  ] as const) {
    const first = view.nodes.firstPage(side, nodeId(self))?.claims ?? [];
    const numbers = view.nodes.furtherPages(side, nodeId(self), new Set([nodeId(other)]));
    const further = await view.nodes.loadFurther(
      side,
      numbers.map((number) => ({ node: nodeId(self), number })),
    );
    const pages = [first, ...further.map(({ claims }) => claims)];
    expect(new Set(pages.flat().map(({ scope }) => scope)).size).toBe(scopes.length);
    // An item takes 400 KB, and a register about 60 bytes.
    expect(Math.max(...pages.map((claims) => claims.length))).toBeLessThan(scopes.length / 2);
  }
  const [gone] = scopes;
  if (!gone) throw new Error('no scope');
  expect(await ports.claims.observed(graphOf(workspace, 0), gone.scope, [edge])).toHaveLength(1);
  expect(await ports.claims.narrow(graphOf(workspace, 0), gone.scope, [{ edge, remaining: null }])).toEqual([]);
  expect(await ports.claims.observed(graphOf(workspace, 0), gone.scope, [edge])).toEqual([]);
});
