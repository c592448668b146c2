import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectorId } from '../../../shared/contract/ids.ts';
import type { EdgeColumn } from '../../../shared/domain/lineage/graph/derivation.ts';
import { nodeId, nodeOf, relationRefOf, scopeId, type Urn, urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import { columnsOf } from '../../../shared/domain/lineage/traversal/columns.ts';
import type { EvaluatedEdge, SuppressionCause } from '../../../shared/domain/lineage/traversal/evaluate.ts';
import {
  deepen,
  deferredCount,
  startState,
  type TraversalState,
  visit,
} from '../../../shared/domain/lineage/traversal/traversal-state.ts';

const relation = (name: string | number): Urn =>
  urnOf({ kind: 'relation', connectorId: 'c' as ConnectorId, ref: `d.s.${name}` });
const nameOf = (urn: Urn) => relationRefOf(nodeOf(urn)).slice(4);

type Extra = { readonly columns?: readonly EdgeColumn[]; readonly suppression?: SuppressionCause };

/** A downstream edge with one piece of evidence; without columns its source mapped none. */
function edge(from: string | number, to: string | number, { columns, suppression }: Extra = {}): EvaluatedEdge {
  const [upstream, downstream] = [relation(from), relation(to)];
  const detail = {
    producer: { namespace: '', name: '' },
    deliveryId: '',
    location: '',
    observedAt: '',
    statementKind: null,
    principal: null,
    columns: columns ?? [],
    unresolved: columns ? [] : [{ outputColumn: null, reason: 'columns_not_reported' }],
  };
  return {
    self: upstream,
    other: downstream,
    claims: [],
    upstream,
    downstream,
    refs: { upstream: relationRefOf(nodeOf(upstream)), downstream: relationRefOf(nodeOf(downstream)) },
    status: suppression === 'policy' || suppression === 'expired' ? 'stale' : 'active',
    confidence: 0.9,
    evidence: [
      {
        scope: scopeId('project'),
        kind: 'snapshot',
        class: 'declared',
        providerType: 'dbt_manifest',
        providerInstanceId: '',
        scopeKey: '',
        observedAt: '',
        disposition: 'admitted',
        suppressedBy: null,
        weight: 0.9,
        from: nodeId(upstream),
        to: nodeId(downstream),
        detail,
      },
    ],
    suppression: suppression ?? null,
  };
}

const mapping = (inputColumn: string, outputColumn: string | null): EdgeColumn => ({
  inputColumn,
  outputColumn,
  type: 'DIRECT',
  subtype: null,
  masking: false,
});

const reached = ({ reached }: TraversalState) => [...reached.keys()].map(nameOf).sort();
const start = (columns: readonly string[] | null = null) =>
  startState('out', relation('root'), columns && columnsOf(columns));

describe('a step of a traversal', () => {
  it('reaches no more relations than its budget, and defers the others', () => {
    const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(20)), { maxLength: 40 });
    fc.assert(
      fc.property(edges, fc.nat(12), (pairs, budget) => {
        const all = pairs.map(([from, to]) => edge(`a${from}`, `b${to}`));
        const state = visit(start(), all, budget);
        const others = new Set(pairs.map(([, to]) => to)).size;
        expect(state.reached.size).toBe(Math.min(budget, others));
        expect(deferredCount(state)).toBe(others - state.reached.size);
        expect(reached(visit(state, state.deferred, others))).toEqual(reached(visit(start(), all, others)));
      }),
    );
  });

  it('finds the same in several batches as in one', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const column = fc.constantFrom('x', 'y');
    const edges = fc.array(
      fc.record({ to: names, columns: fc.option(fc.array(fc.tuple(column, fc.option(column)), { maxLength: 2 })) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(edges, fc.nat(8), (specs, cut) => {
        const all = specs.map(({ to, columns }) =>
          edge('root', to, columns ? { columns: columns.map(([from, to]) => mapping(from, to)) } : {}),
        );
        const once = visit(start(['x']), all, 10);
        const twice = visit(visit(start(['x']), all.slice(0, cut), 10), all.slice(cut), 10);
        expect(twice.reached).toEqual(once.reached);
        expect(twice.next).toEqual(once.next);
        expect(twice.reasons).toEqual(once.reasons);
        expect(new Set(twice.edges.keys())).toEqual(new Set(once.edges.keys()));
      }),
    );
  });

  it('shows the same case of a column that sources write differently, whatever the order of the edges', () => {
    const written = fc.constantFrom('id', 'ID', 'Id');
    const specs = fc.uniqueArray(fc.record({ from: fc.nat(3), to: fc.nat(2), column: written }), {
      selector: ({ from, to }) => `${from} ${to}`,
      minLength: 2,
    });
    const shuffled = specs.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    const visited = (all: readonly { from: number; to: number; column: string }[]) => {
      const edges = all.map(({ from, to, column }) => edge(`a${from}`, `b${to}`, { columns: [mapping('x', column)] }));
      const near = visit(
        start(),
        [0, 1, 2, 3].map((from) => edge('root', `a${from}`)),
        10,
      );
      return visit(deepen({ ...near, byColumn: true }, 0), edges, 10);
    };
    fc.assert(
      fc.property(shuffled, ([inOrder, reordered]) => {
        const [one, other] = [visited(inOrder), visited(reordered)];
        expect(other.reached).toEqual(one.reached);
        expect(other.next).toEqual(one.next);
      }),
    );
  });

  it('does not reach the root, but follows further columns of it that a cycle affects', () => {
    const first = visit(start(['x']), [edge('root', 'a', { columns: [mapping('x', 'y')] })], 10);
    const second = visit(deepen(first, 0), [edge('a', 'root', { columns: [mapping('y', 'z')] })], 10);
    expect(reached(second)).toEqual(['a']);
    expect([...(second.next.get(relation('root'))?.names.keys() ?? [])]).toEqual(['z']);
  });

  it('treats a value as masked if all statements about it do (C-IMPACT-15)', () => {
    const masked = { ...mapping('x', 'y'), masking: true };
    const shown = (columns: readonly EdgeColumn[]) =>
      [...visit(start(['x']), [edge('root', 'a', { columns })], 10).edges.values()].flatMap(({ mappings }) =>
        [...mappings.values()].map(({ masking }) => masking),
      );
    expect([shown([masked, masked]), shown([masked, mapping('x', 'y')]), shown([mapping('x', 'y'), masked])]).toEqual([
      [true],
      [false],
      [false],
    ]);
  });

  it('keeps the depth of the shortest path', () => {
    const first = visit(start(), [edge('root', 'a'), edge('root', 'b')], 10);
    const second = visit(deepen(first, 0), [edge('a', 'b'), edge('a', 'c')], 10);
    expect([...second.reached.values()].map(({ urn, depth }) => [nameOf(urn), depth])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ]);
    expect([...second.next.keys()].map(nameOf)).toEqual(['c']);
  });

  it('counts suppressed edges that the question would have followed, and does not follow them', () => {
    const edges = [
      edge('root', 'a', { suppression: 'policy' }),
      edge('root', 'b', { suppression: 'confidence', columns: [mapping('x', 'y')] }),
      edge('root', 'c', { suppression: 'expired', columns: [mapping('other', 'y')] }),
    ];
    const state = visit(start(['x']), edges, 10);
    expect(reached(state)).toEqual([]);
    expect([...state.suppressed.values()].map(({ suppression }) => suppression)).toEqual(['policy', 'confidence']);
  });

  it('counts what is left behind when it goes deeper', () => {
    const state = visit(start(), [edge('root', 'a'), edge('root', 'b'), edge('root', 'c')], 1);
    expect(deepen(state, 4)).toMatchObject({ unexplored: 6, depth: 2, deferred: [] });
  });
});
