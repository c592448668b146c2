import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Urn } from '../../../../shared/domain/lineage/graph/node.ts';
import { edgeName } from '../../../../shared/domain/lineage/projection/edges.ts';
import { compareVersions } from '../../../../shared/domain/lineage/queries/diff/compare.ts';
import type { GraphVersion, VersionEdge } from '../../../../shared/domain/lineage/queries/diff/graph-version.ts';

const urn = fc.constantFrom(...['a', 'b', 'c', 'd'].map((name) => `relation:c1:d.s.${name}` as Urn));
const column = fc.constantFrom('x', 'y', 'Z');
const mapping = fc.record({
  inputColumn: column,
  outputColumn: fc.option(column),
  type: fc.constantFrom('DIRECT' as const, 'INDIRECT' as const),
  subtype: fc.constant(null),
  masking: fc.boolean(),
});
const detail = fc.option(
  fc.record({
    columns: fc.array(mapping, { maxLength: 3 }),
    unresolved: fc.array(fc.record({ outputColumn: fc.option(column), reason: fc.constant('why') }), { maxLength: 1 }),
  }),
);
const edge: fc.Arbitrary<VersionEdge> = fc
  .record({ from: urn, to: urn, details: fc.array(detail, { minLength: 1, maxLength: 2 }) })
  .filter(({ from, to }) => from !== to);
const side: fc.Arbitrary<GraphVersion> = fc.array(edge, { maxLength: 6 }).map((edges) => ({
  edges: new Map(edges.map((one) => [edgeName(one), one])),
  relations: new Set<Urn>(),
  inventory: new Map(),
}));

it('finds nothing between a graph and itself', () => {
  fc.assert(
    fc.property(side, (one) => {
      const { relations, edges, columns } = compareVersions(one, structuredClone(one));
      expect([relations, edges, columns]).toEqual([[], [], []]);
    }),
  );
});

it('finds the same edges and relations the other way round, added for removed', () => {
  const named = (change: string, changes: readonly { change: string }[], nameOf: (one: never) => string) =>
    changes
      .filter((one) => one.change === change)
      .map((one) => nameOf(one as never))
      .sort();
  fc.assert(
    fc.property(side, side, (before, after) => {
      const [there, back] = [compareVersions(before, after), compareVersions(after, before)];
      for (const [one, other] of [
        ['added', 'removed'],
        ['removed', 'added'],
        ['changed', 'changed'],
      ] as const) {
        expect(named(one, there.edges, edgeName)).toEqual(named(other, back.edges, edgeName));
      }
      const refs = (change: string, { relations }: typeof there) =>
        named(change, relations, ({ relation }: { relation: Urn }) => relation);
      expect(refs('added', there)).toEqual(refs('removed', back));
    }),
  );
});

it('calls no column gone of a relation whose columns are not all known (C-DIFF-4)', () => {
  fc.assert(
    fc.property(side, side, (before, after) => {
      const { columns, unknown } = compareVersions(before, after);
      const uncertain = new Set(unknown.map(({ relation }) => relation));
      const sure = columns.filter(({ change, relation }) => change !== 'changed' && uncertain.has(relation));
      expect(sure).toEqual([]);
    }),
  );
});

it('calls a column gone that a reader names, if the branch lists the columns of a model without SQL and not this one', () => {
  const [source, py, reader] = ['s', 'py', 'r'].map((name) => `relation:c1:d.s.${name}` as Urn) as [Urn, Urn, Urn];
  const read = { inputColumn: 'Gone', outputColumn: 'g', type: 'DIRECT', subtype: null, masking: false } as const;
  const edges = new Map(
    [
      { from: source, to: py, details: [null] },
      { from: py, to: reader, details: [{ columns: [read], unresolved: [] }] },
    ].map((one): [string, VersionEdge] => [edgeName(one), one]),
  );
  const goneFrom = (...listed: string[]) => {
    const after = { edges, relations: new Set<Urn>(), inventory: new Map([[py, new Set(listed)]]) };
    return compareVersions({ ...after, inventory: new Map() }, after).columns.map(({ change, column }) => [
      change,
      column,
    ]);
  };
  expect([goneFrom('kept'), goneFrom('kept', 'gone')]).toEqual([[['removed', 'Gone']], []]);
});
