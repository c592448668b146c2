import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyFilters } from '../../../shared/contract/policy.ts';
import { statementKinds } from '../../../shared/contract/vocabulary.ts';
import { normalizeFilters, policyHash } from '../../../shared/domain/lineage/policy/normalize.ts';
import { defaultWeights, safeDefaults } from '../../../shared/domain/lineage/policy/policy.ts';

const patterns = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 5 });
const rule = fc.record({
  provider_type: fc.constantFrom('openlineage', 'dbt_manifest'),
  action: fc.constantFrom('include' as const, 'exclude' as const),
  engines: fc.array(fc.constantFrom('duckdb', 'Postgres'), { maxLength: 3 }),
});
const filters: fc.Arbitrary<PolicyFilters> = fc.record({
  schema_scope: fc.record({ include: patterns, exclude: patterns }),
  principals: fc.record({
    mode: fc.constantFrom('exclude' as const, 'include' as const),
    patterns,
    unmatched: fc.constantFrom('admit' as const, 'suppress' as const),
  }),
  statement_kinds: fc.array(fc.constantFrom(...statementKinds), { maxLength: 5 }),
  provider_rules: fc.array(rule, { maxLength: 4 }),
});
const hashOf = (one: PolicyFilters) => policyHash(normalizeFilters(one), defaultWeights);
const twiceBackwards = <T>(list: readonly T[]): T[] => [...list, ...list].reverse();

describe('the policy hash', () => {
  it('ignores order, duplicates and case (C-POLICY-5)', () => {
    fc.assert(
      fc.property(filters, (one) => {
        const other: PolicyFilters = {
          provider_rules: twiceBackwards(one.provider_rules).map(({ engines, ...rest }) => ({
            ...(engines && { engines: twiceBackwards(engines) }),
            ...rest,
          })),
          statement_kinds: twiceBackwards(one.statement_kinds),
          principals: { ...one.principals, patterns: twiceBackwards(one.principals.patterns) },
          schema_scope: {
            exclude: twiceBackwards(one.schema_scope.exclude),
            include: twiceBackwards(one.schema_scope.include).map((pattern) => pattern.toLowerCase()),
          },
        };
        expect(normalizeFilters(other)).toEqual(normalizeFilters(one));
        expect(hashOf(other)).toBe(hashOf(one));
      }),
    );
  });

  it('takes a rule without a schema scope for one whose scope is empty, and for no other', () => {
    const withScope = (schema_scope?: { include: string[]; exclude: string[] }) => {
      const one = { provider_type: 'openlineage', action: 'include' as const, ...(schema_scope && { schema_scope }) };
      return normalizeFilters({ ...safeDefaults, provider_rules: [one] }).provider_rules;
    };
    expect(withScope({ include: [], exclude: [] })).toEqual(withScope());
    for (const scope of [
      { include: ['a.*'], exclude: [] },
      { include: [], exclude: ['b.*'] },
    ])
      expect(withScope(scope)).toEqual([expect.objectContaining({ schema_scope: scope })]);
  });

  it('is the same for filters that are normalized already', () => {
    fc.assert(fc.property(filters, (one) => hashOf(normalizeFilters(one)) === hashOf(one)));
  });

  it('differs where filters or weights differ', () => {
    const hashes = [
      hashOf(safeDefaults),
      hashOf({ ...safeDefaults, schema_scope: { include: ['a'], exclude: [] } }),
      hashOf({ ...safeDefaults, schema_scope: { include: [], exclude: ['a'] } }),
      hashOf({ ...safeDefaults, principals: { ...safeDefaults.principals, unmatched: 'suppress' } }),
      hashOf({ ...safeDefaults, statement_kinds: ['merge'] }),
      hashOf({ ...safeDefaults, provider_rules: [{ provider_type: 'a', action: 'exclude' }] }),
      policyHash(safeDefaults, { ...defaultWeights, catalog: 0.61 }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('takes lone surrogates, and letters whose lower case is longer', () => {
    const odd = { ...safeDefaults, schema_scope: { include: ['\ud800', 'İ'.repeat(500)], exclude: [] } };
    expect(
      normalizeFilters(odd)
        .schema_scope.include.map(({ length }) => length)
        .sort(),
    ).toEqual([1, 500]);
    expect(hashOf(odd)).toMatch(/^[0-9a-f]{64}$/);
  });
});
