import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose } from '../../../shared/domain/lineage/sources/models/base-columns.ts';
import { dependenciesOf, inDependencyOrder } from '../../../shared/domain/lineage/sources/models/dependencies.ts';
import { readMatcher } from '../../../shared/domain/lineage/sources/models/match-read.ts';
import type { Model } from '../../../shared/domain/lineage/sources/models/model-project.ts';
import type { SourceInfluence } from '../../../shared/domain/lineage/sql/types.ts';

const model = (id: string, dependsOn: readonly string[], isInlined = false): Model => ({
  id,
  isModel: true,
  node: isInlined ? null : { kind: 'dataset', namespace: 'test', name: id },
  names: [[id]],
  dependsOn,
  statement: { kind: 'none', reason: null },
  statementKind: null,
  addedColumns: [],
  columns: null,
  location: '',
});
const projectOf = (models: readonly Model[]) => ({
  root: '/project',
  namespace: 'test',
  models,
  sources: [],
  modelCount: models.length,
  reasons: { readsOutside: 'outside', inlinedColumnUnknown: 'column_unknown', inlinedDependency: 'inlined' },
});

/** Models whose dependencies may be any of the others, circles included. */
const models = fc
  .array(fc.record({ to: fc.array(fc.nat(11), { maxLength: 4 }), inlined: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) => all.map(({ to, inlined }, i) => model(String(i), to.map(String), inlined)));

describe('inDependencyOrder', () => {
  it('gives every model once, after what it depends on unless they form a circle', () => {
    fc.assert(
      fc.property(models, (all) => {
        const order = inDependencyOrder(all).map(({ id }) => id);
        expect([...order].sort()).toEqual(all.map(({ id }) => id).sort());
        for (const one of all)
          for (const id of one.dependsOn) {
            const isCircle = reaches(all, id, one.id);
            if (!isCircle && order.includes(id)) expect(order.indexOf(id)).toBeLessThan(order.indexOf(one.id));
          }
      }),
    );
  });

  it('orders a chain of any length', () => {
    const chain = Array.from({ length: 50_000 }, (_, i) => model(String(i), [String(i + 1)]));
    expect(inDependencyOrder(chain)[0]?.id).toBe('49999');
  });
});

function reaches(all: readonly Model[], from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return (all.find(({ id }) => id === from)?.dependsOn ?? []).some((id) => reaches(all, id, to, seen));
}

describe('dependenciesOf', () => {
  it('collapses inlined models, however deep and in whatever circle (C-DBT-2, C-SQLMESH-4)', () => {
    fc.assert(
      fc.property(models, (all) => {
        const dependencies = dependenciesOf(projectOf(all));
        for (const one of all) {
          const { relations, inlined, unknown } = dependencies(one);
          expect(relations.every(({ node, id }) => node !== null && id !== one.id)).toBe(true);
          expect(inlined.every(({ node }) => node === null)).toBe(true);
          expect(unknown.every((id) => Number(id) >= all.length)).toBe(true);
        }
      }),
    );
    const dependencies = dependenciesOf(projectOf([model('a', []), model('b', ['a'], true), model('c', ['b'], true)]));
    expect(dependencies(model('d', ['c'])).relations.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('readMatcher', () => {
  const name = (text: string) => text.split('.').map((part) => ({ text: part, quoted: false }));
  const members = ['db.s.orders', 'db.s.Orders', 'db.t.orders', 'x.items'].map((id) => ({
    id,
    names: [id.split('.')],
  }));
  it.each([
    ['db.s.orders', 'db.s.orders'],
    ['db.s.Orders', 'db.s.Orders'],
    ['t.orders', 'db.t.orders'],
    ['T.ORDERS', 'db.t.orders'],
    ['orders', null],
    ['ITEMS', 'x.items'],
    ['any.x.items', 'x.items'],
    ['other.orders', null],
    ['db.s.ORDERS', null],
  ])('takes %s for %s', (read, id) => {
    expect(readMatcher(members)(name(read))?.id ?? null).toBe(id);
  });
});

describe('compose', () => {
  const influence: fc.Arbitrary<SourceInfluence> = fc.oneof(
    fc.record({
      type: fc.constant('DIRECT' as const),
      subtype: fc.constantFrom('IDENTITY' as const, 'TRANSFORMATION' as const, 'AGGREGATION' as const),
      masking: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('INDIRECT' as const),
      subtype: fc.constantFrom('FILTER' as const, 'WINDOW' as const),
      masking: fc.boolean(),
    }),
  );
  const identity: SourceInfluence = { type: 'DIRECT', subtype: 'IDENTITY', masking: false };

  it('does not depend on which steps are joined first, and a plain copy changes nothing', () => {
    fc.assert(
      fc.property(influence, influence, influence, (a, b, c) => {
        expect(compose(compose(a, b), c)).toEqual(compose(a, compose(b, c)));
        expect(compose(identity, a)).toEqual(a);
        expect(compose(a, identity)).toEqual(a);
      }),
    );
  });
});
