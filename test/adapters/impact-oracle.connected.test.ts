import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { EdgeColumn, EdgeDetail } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso, snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { type Connector, connectorDefaults } from '../../shared/domain/lineage/names/connector.ts';
import { defaultPolicy, type Policy, safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { askImpact } from '../../shared/domain/lineage/queries/impact/ask-impact.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { runs } from '../support/runs.ts';
import { takeEffect } from '../support/take-effect.ts';

const stores = provideStores();

const connector: Connector = {
  ...connectorDefaults,
  id: 'c1' as ConnectorId,
  workspace_id: 'w' as WorkspaceId,
  kind: 'postgres',
  name: 'c1',
  namespaces: [],
  datahub_platform_instances: [],
  shrink_guard: { ...connectorDefaults.shrink_guard },
};
const now = '2026-11-20T12:00:00.000Z';
const ref = (node: number) => `d.s.n${node}`;
const urn = (node: number) => urnOf({ kind: 'relation', connectorId: connector.id, ref: ref(node) });

type Statement = { from: number; to: number; scope: string; columns: EdgeColumn[] | 'unknown' };

const node = fc.nat(9);
const column = fc.constantFrom('x', 'y', 'z');
const mapping: fc.Arbitrary<EdgeColumn> = fc.record({
  inputColumn: column,
  outputColumn: fc.oneof({ weight: 5, arbitrary: column }, { weight: 1, arbitrary: fc.constant(null) }),
  type: fc.constantFrom('DIRECT' as const, 'INDIRECT' as const),
  subtype: fc.constant(null),
  masking: fc.constant(false),
});
const statement: fc.Arbitrary<Statement> = fc.record({
  from: node,
  to: node,
  scope: fc.constantFrom('declared', 'dead', 'run', 'expired'),
  columns: fc.oneof(
    { weight: 4, arbitrary: fc.array(mapping, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
});
const graph = fc.uniqueArray(statement, { maxLength: 25, selector: ({ from, to, scope }) => `${from} ${to} ${scope}` });

const providerOf = ({ scope }: Statement) =>
  scope === 'declared' || scope === 'dead' ? 'dbt_manifest' : 'openlineage';

/** What a policy suppresses: the evidence of a provider, and edges that touch a relation. */
const suppressed = fc.record({
  provider: fc.constantFrom(null, null, 'dbt_manifest', 'openlineage'),
  relation: fc.option(node, { nil: null, freq: 2 }),
});
type Suppressed = { readonly provider: string | null; readonly relation: number | null };

const policyOf = ({ provider, relation }: Suppressed): Policy => ({
  ...defaultPolicy,
  revision: 1,
  filters: {
    ...safeDefaults,
    schema_scope: { include: [], exclude: relation === null ? [] : [ref(relation)] },
    provider_rules: provider === null ? [] : [{ provider_type: provider, action: 'exclude' }],
  },
});

/** Retracted evidence is gone; what is expired or suppressed is stale. */
function counts(printed: Statement, { provider, relation }: Suppressed, includeStale: boolean): boolean {
  if (printed.scope === 'dead') return false;
  const isSuppressed = providerOf(printed) === provider || printed.from === relation || printed.to === relation;
  return includeStale || (printed.scope !== 'expired' && !isSuppressed);
}

async function build(workspace: WorkspaceId, graph: readonly Statement[]) {
  const ports = graphPorts(stores.client);
  for (const [name, kind] of [
    ['declared', 'snapshot'],
    ['dead', 'snapshot'],
    ['run', 'observed'],
    ['expired', 'observed'],
  ] as const) {
    const identity: ScopeIdentity = {
      scope: scopeId(name),
      scopeKey: name,
      kind,
      providerType: kind === 'snapshot' ? 'dbt_manifest' : 'openlineage',
      providerInstanceId: randomUUID(),
    };
    await ports.scopes.register(graphOf(workspace, 0), identity);
    const mine = graph.filter(({ scope }) => scope === name);
    const order = snapshotOrder(1);
    const edges = mine.map(({ from, to, columns }) => ({ from: urn(from), to: urn(to), detail: detail(columns) }));
    const at = microsOfIso(name === 'expired' ? '2026-01-01T00:00:00Z' : now);
    if (kind === 'observed') {
      const seen = edges.map((edge) => ({ ...edge, stated: { order, detail: edge.detail } }));
      await ports.claims.observe(graphOf(workspace, 0), { scope: identity, at, edges: seen });
    } else {
      const claims = { kind, scope: identity.scope, order, edges, stated: edges };
      await ports.claims.claim(graphOf(workspace, 0), claims);
    }
    if (kind === 'snapshot')
      await takeEffect(ports.scopes, graphOf(workspace, 0), identity.scope, snapshotOrder(1), now);
    if (name === 'dead') await takeEffect(ports.scopes, graphOf(workspace, 0), identity.scope, snapshotOrder(2), now);
  }
  return ports;
}

const detail = (columns: Statement['columns']): EdgeDetail => ({
  producer: { namespace: 'p', name: 'm' },
  deliveryId: '',
  location: '',
  observedAt: now,
  statementKind: null,
  principal: null,
  columns: columns === 'unknown' ? [] : columns,
  unresolved: columns === 'unknown' ? [{ outputColumn: null, reason: 'unknown' }] : [],
});

type State = 'x' | 'y' | 'z' | '*';

/** A plain walk in memory over (relation, column) pairs; `*` represents any column. */
function oracle(
  graph: readonly Statement[],
  root: number,
  columns: readonly State[],
  side: 'out' | 'in',
  maxDepth: number,
) {
  const depths = new Map<number, number>();
  const seen = new Map<number, Set<State>>([[root, new Set(columns)]]);
  let frontier = new Map<number, Set<State>>([[root, new Set(columns)]]);
  for (let depth = 1; depth <= maxDepth && frontier.size > 0; depth++) {
    const next = new Map<number, Set<State>>();
    for (const [here, states] of frontier) {
      for (const edge of graph.filter((one) => one[side === 'out' ? 'from' : 'to'] === here)) {
        const existing = side === 'out' ? edge.to : edge.from;
        const reached = pass(edge, states, side);
        if (reached.size === 0) continue;
        if (existing !== root && !depths.has(existing)) depths.set(existing, depth);
        const known = seen.get(existing) ?? new Set();
        const fresh = [...reached].filter((one) => !known.has(one));
        if (fresh.length > 0) next.set(existing, new Set([...(next.get(existing) ?? []), ...fresh]));
        seen.set(existing, new Set([...known, ...reached]));
      }
    }
    frontier = next;
  }
  return { depths, seen };
}

/** Whether all of the columns are named by evidence of the root's edges that was not retracted. */
function areNamed(graph: readonly Statement[], root: number, columns: readonly string[]): boolean {
  const named = graph.flatMap(({ from, to, scope, columns }) =>
    scope === 'dead' || columns === 'unknown'
      ? []
      : columns.flatMap((one) => [
          ...(from === root ? [one.inputColumn] : []),
          ...(to === root ? [one.outputColumn] : []),
        ]),
  );
  return columns.every((column) => named.includes(column));
}

function pass({ columns }: Statement, states: ReadonlySet<State>, side: 'out' | 'in'): Set<State> {
  if (columns === 'unknown') return new Set(['*']);
  const reached = new Set<State>();
  for (const { inputColumn, outputColumn } of columns) {
    if (side === 'out') {
      if (!states.has('*') && !states.has(inputColumn as State)) continue;
      if (outputColumn !== null) reached.add(outputColumn as State);
      else {
        reached.add('*');
        for (const other of columns) if (other.outputColumn !== null) reached.add(other.outputColumn as State);
      }
    } else if (outputColumn === null || states.has('*') || states.has(outputColumn as State)) {
      reached.add(inputColumn as State);
    }
  }
  return reached;
}

const questionOf = (workspace: WorkspaceId, root: number) => ({
  workspace,
  connectorId: connector.id,
  relationRef: ref(root),
  columns: [] as string[],
  direction: 'both' as const,
  maxDepth: 10,
  maxNodes: 500,
  asOf: null,
  includeStale: false,
  minConfidence: 0,
});

const owned = { connectors: new Map([[connector.id, connector]]), now };

it('reaches what a plain walk in memory reaches, at the same depth and by the same columns (C-IMPACT-6, C-IMPACT-7, C-READ-2)', async () => {
  await fc.assert(
    fc.asyncProperty(
      graph,
      node,
      fc.uniqueArray(column, { maxLength: 2 }),
      fc.constantFrom('out' as const, 'in' as const),
      fc.integer({ min: 1, max: 6 }),
      suppressed,
      fc.boolean(),
      async (graph, root, columns, side, maxDepth, rules, includeStale) => {
        const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
        const ports = await build(workspace, graph);
        const direction = side === 'out' ? ('downstream' as const) : ('upstream' as const);
        const question = { ...questionOf(workspace, root), columns, direction, maxDepth, includeStale };
        const policies = new Map([[connector.id, policyOf(rules)]]);
        const query = queryOf(ports, graphOf(workspace, 0), { ...owned, policies });
        const answer = await askImpact(query, connector, question);
        const items = side === 'out' ? answer.downstream : answer.upstream;
        const admitted = graph.filter((one) => counts(one, rules, includeStale));
        const byColumn = columns.length > 0 && areNamed(graph, root, columns);
        const known = byColumn ? admitted : admitted.map((one) => ({ ...one, columns: 'unknown' as const }));
        const expected = oracle(known, root, byColumn ? (columns as State[]) : ['*'], side, maxDepth);
        expect(items.map(({ relation_ref, depth }) => [relation_ref, depth]).sort()).toEqual(
          [...expected.depths].map(([one, depth]) => [ref(one), depth]).sort(),
        );
        expect(answer.precision.reasons.some(({ reason }) => reason === 'unknown_column')).toBe(
          columns.length > 0 && !byColumn && answer.lineage_resolution.method !== 'unresolved',
        );
        if (byColumn) {
          for (const item of items) {
            const states = expected.seen.get(Number(item.relation_ref.slice(5))) ?? new Set<State>();
            expect(item.columns.filter((one) => one !== '*')).toEqual([...states].filter((one) => one !== '*').sort());
          }
        }
        // The walk itself holds functions, which never equal.
        const { walk: _, ...repeated } = await askImpact(query, connector, question);
        expect(answer).toMatchObject(repeated);
      },
    ),
    { numRuns: runs(12) },
  );
});

it('spends one budget of relations on both directions, and leaves nothing out before it is spent', async () => {
  await fc.assert(
    fc.asyncProperty(
      graph,
      node,
      fc.uniqueArray(column, { maxLength: 2 }),
      fc.integer({ min: 1, max: 9 }),
      async (graph, root, columns, maxNodes) => {
        const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
        const ports = await build(workspace, graph);
        const query = queryOf(ports, graphOf(workspace, 0), owned);
        const answer = await askImpact(query, connector, { ...questionOf(workspace, root), columns, maxNodes });
        const admitted = graph.filter((one) => counts(one, { provider: null, relation: null }, false));
        const byColumn = columns.length > 0 && areNamed(graph, root, columns);
        const known = byColumn ? admitted : admitted.map((one) => ({ ...one, columns: 'unknown' as const }));
        const states = byColumn ? (columns as State[]) : (['*'] as const);
        const expected = {
          upstream: oracle(known, root, states, 'in', 10).depths,
          downstream: oracle(known, root, states, 'out', 10).depths,
        };
        const total = answer.upstream.length + answer.downstream.length;
        expect(total).toBeLessThanOrEqual(maxNodes);
        for (const side of ['upstream', 'downstream'] as const) {
          const refs = answer[side].map(({ relation_ref }) => relation_ref);
          const all = [...expected[side].keys()].map(ref);
          expect(all).toEqual(expect.arrayContaining(refs));
          if (total < maxNodes) expect(refs.sort()).toEqual(all.sort());
        }
        if (total < expected.upstream.size + expected.downstream.size) expect(answer.truncated.by_nodes).toBe(true);
        // With the budget spent, edges that were not read may or may not count.
        if (total < maxNodes) expect(answer.truncated.by_nodes).toBe(false);
      },
    ),
    { numRuns: runs(6) },
  );
});

it('reaches exactly as many relations as it may around a wide root', async () => {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const ports = graphPorts(stores.client);
  const scope = scopeId('wide');
  const identity = {
    scope,
    scopeKey: 'wide',
    kind: 'snapshot',
    providerType: 'dbt_manifest',
    providerInstanceId: randomUUID(),
  } as const;
  await ports.scopes.register(graphOf(workspace, 0), identity);
  const many = Array.from({ length: 400 }, (_, i) => i + 1);
  const edges = many.flatMap((i) => [
    { from: urn(i), to: urn(0) },
    { from: urn(0), to: urn(1_000 + i) },
  ]);
  await ports.claims.claim(graphOf(workspace, 0), { kind: 'snapshot', scope, order: snapshotOrder(1), edges });
  await takeEffect(ports.scopes, graphOf(workspace, 0), scope, snapshotOrder(1), now);
  const query = queryOf(ports, graphOf(workspace, 0), owned);
  for (const maxNodes of [9, 21, 101]) {
    const answer = await askImpact(query, connector, { ...questionOf(workspace, 0), maxNodes });
    expect(answer.upstream.length + answer.downstream.length).toBe(maxNodes);
    expect(Math.abs(answer.upstream.length - answer.downstream.length)).toBeLessThanOrEqual(1);
  }
});
