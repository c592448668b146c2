import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyFilters } from '../../../shared/contract/policy.ts';
import {
  type EvidenceFacts,
  mayAdmit,
  policyEvaluator,
  safeDefaults,
} from '../../../shared/domain/lineage/policy/policy.ts';

const claim: EvidenceFacts = {
  upstream: 'shop.raw.orders',
  downstream: 'shop.main.orders',
  providerType: 'openlineage',
  engine: 'duckdb',
  statementKind: 'insert',
  principal: 'etl@example.com',
};
const judge = (filters: Partial<PolicyFilters>, extra: Partial<EvidenceFacts> = {}) =>
  policyEvaluator({ filters: { ...safeDefaults, ...filters } }).evaluate({ ...claim, ...extra });
const scope = (include: string[], exclude: string[] = []) => ({ schema_scope: { include, exclude } });
const principals = (mode: 'include' | 'exclude', patterns: string[], unmatched: 'admit' | 'suppress' = 'admit') => ({
  principals: { mode, patterns, unmatched },
});
const rules = (...provider_rules: PolicyFilters['provider_rules']) => ({ provider_rules });

describe('the safe defaults', () => {
  it('admit everything and need no detail (C-POLICY-2)', () => {
    expect(judge({})).toBe('admitted');
    expect(judge({}, { principal: null, statementKind: null, engine: null })).toBe('admitted');
    expect(policyEvaluator({ filters: safeDefaults }).needsDetail).toBe(false);
  });
});

describe('schema scope', () => {
  it.each([
    [['shop.*'], [], 'admitted'],
    [['shop.main.*'], [], 'policy:schema_scope'],
    [['shop.raw', 'shop.main'], [], 'admitted'],
    [[], ['shop.raw.*'], 'policy:schema_scope'],
    [[], ['*.MAIN.*'], 'policy:schema_scope'],
    [['shop.*'], ['shop.raw.orders'], 'policy:schema_scope'],
    [[], ['other.*'], 'admitted'],
  ] as const)('include %j and exclude %j is %s (C-POLICY-8)', (include, exclude, expected) => {
    expect(judge(scope([...include], [...exclude]))).toBe(expected);
  });
});

describe('principals', () => {
  it.each([
    ['exclude', ['etl@*'], 'policy:principal'],
    ['exclude', ['ETL@EXAMPLE.COM'], 'policy:principal'],
    ['exclude', ['etl'], 'admitted'],
    ['include', ['etl@*'], 'admitted'],
    ['include', ['bi@*'], 'policy:principal'],
    ['include', [], 'policy:principal'],
  ] as const)('%s %j is %s (C-POLICY-9)', (mode, patterns, expected) => {
    expect(judge(principals(mode, [...patterns]))).toBe(expected);
  });

  it('apply their setting to claims without a principal (C-POLICY-9)', () => {
    for (const mode of ['include', 'exclude'] as const) {
      expect(judge(principals(mode, ['*'], 'admit'), { principal: null })).toBe('admitted');
      expect(judge(principals(mode, [], 'suppress'), { principal: null })).toBe('policy:principal');
    }
  });

  it('are found in details wherever they may decide', () => {
    for (const filters of [
      principals('include', []),
      principals('exclude', ['a']),
      principals('exclude', [], 'suppress'),
    ])
      expect(policyEvaluator({ filters: { ...safeDefaults, ...filters } }).needsDetail).toBe(true);
  });
});

describe('statement kinds', () => {
  it('admit those listed, and evidence that has none (C-POLICY-10)', () => {
    expect(judge({ statement_kinds: ['insert', 'merge'] })).toBe('admitted');
    expect(judge({ statement_kinds: ['merge'] })).toBe('policy:statement_kind');
    expect(judge({ statement_kinds: ['merge'] }, { statementKind: null })).toBe('admitted');
  });
});

describe('provider rules', () => {
  it('exclude a provider for the engines they name, without case, or for all (C-POLICY-12)', () => {
    const exclude = (engines?: string[]) =>
      rules({ provider_type: 'openlineage', action: 'exclude', ...(engines && { engines }) });
    for (const filters of [exclude(), exclude([]), exclude(['DuckDB'])])
      expect(judge(filters)).toBe('policy:provider_rule');
    expect(judge(exclude(['spark']))).toBe('admitted');
    expect(judge(exclude(['duckdb']), { engine: null })).toBe('admitted');
    expect(judge(rules({ provider_type: 'query_log', action: 'exclude' }))).toBe('admitted');
  });

  it('admit only evidence of a type that one of its including ones names, and any of other types (C-POLICY-11)', () => {
    const include = (rule: object) => ({ provider_type: 'openlineage', action: 'include' as const, ...rule });
    expect(judge(rules({ provider_type: 'query_log', action: 'include' }))).toBe('admitted');
    expect(judge(rules(include({ engines: ['spark'] })))).toBe('policy:provider_rule');
    expect(judge(rules(include({ engines: ['spark'] })), { providerType: 'dbt_manifest' })).toBe('admitted');
    expect(judge(rules(include({ engines: ['spark'] }), include({ engines: ['duckdb'] })))).toBe('admitted');
    expect(judge(rules(include({ schema_scope: { include: ['*.MAIN', 'shop.raw'], exclude: [] } })))).toBe('admitted');
    for (const scope of [
      { include: ['*.main.*'], exclude: [] },
      { include: [], exclude: ['shop.raw'] },
    ])
      expect(judge(rules(include({ schema_scope: scope })))).toBe('policy:provider_rule');
  });

  it('are judged by details if they name engines', () => {
    const named = rules({ provider_type: 'openlineage', action: 'exclude', engines: ['spark'] });
    expect(policyEvaluator({ filters: { ...safeDefaults, ...named } }).needsDetail).toBe(true);
  });

  it('let exclusion win over inclusion (C-POLICY-7)', () => {
    const both = rules(
      { provider_type: 'openlineage', action: 'include' },
      { provider_type: 'openlineage', action: 'exclude' },
    );
    expect(judge(both)).toBe('policy:provider_rule');
  });
});

describe('any policy', () => {
  const providerType = fc.constantFrom('openlineage', 'query_log');
  const engine = fc.constantFrom('duckdb', 'spark');
  const schema = fc.constantFrom('shop.raw', 'shop.main');
  const kind = fc.constantFrom('insert' as const, 'merge' as const);
  const principal = fc.constantFrom('a', 'b');
  const some = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { maxLength: 2 });
  const schemas = fc.record({ include: some(schema), exclude: some(schema) });
  const rule = fc.record(
    {
      provider_type: providerType,
      action: fc.constantFrom('include' as const, 'exclude' as const),
      engines: some(engine),
      schema_scope: schemas,
    },
    { requiredKeys: ['provider_type', 'action'] },
  );
  const anyFilters = fc.record({
    schema_scope: schemas,
    principals: fc.record({
      mode: fc.constantFrom('include' as const, 'exclude' as const),
      patterns: some(principal),
      unmatched: fc.constantFrom('admit' as const, 'suppress' as const),
    }),
    statement_kinds: some(kind),
    provider_rules: fc.array(rule, { maxLength: 3 }),
  });
  const facts = fc.record({
    upstream: schema.map((name) => `${name}.a`),
    downstream: schema.map((name) => `${name}.b`),
    providerType,
    engine: fc.option(engine),
    statementKind: fc.option(kind),
    principal: fc.option(principal),
  });

  /** The rules of the contract, word for word. */
  function expected({ schema_scope, principals, statement_kinds, provider_rules }: PolicyFilters, one: EvidenceFacts) {
    const holds = ({ include, exclude }: PolicyFilters['schema_scope']) =>
      [one.upstream, one.downstream].every((name) => {
        const isIn = (list: readonly string[]) => list.some((each) => name.startsWith(`${each}.`));
        return !isIn(exclude) && (include.length === 0 || isIn(include));
      });
    if (!holds(schema_scope)) return 'policy:schema_scope';
    const own = provider_rules.filter((each) => each.provider_type === one.providerType);
    const names = ({ engines = [] }: { engines?: readonly string[] | undefined }) =>
      engines.length === 0 || (one.engine !== null && engines.includes(one.engine));
    if (own.some((each) => each.action === 'exclude' && names(each))) return 'policy:provider_rule';
    const including = own.filter((each) => each.action === 'include');
    const isIncluded = including.some((each) => names(each) && (!each.schema_scope || holds(each.schema_scope)));
    if (including.length > 0 && !isIncluded) return 'policy:provider_rule';
    const isListed = one.principal === null ? null : principals.patterns.includes(one.principal);
    const isAdmitted =
      isListed === null ? principals.unmatched === 'admit' : isListed === (principals.mode === 'include');
    if (!isAdmitted) return 'policy:principal';
    const isOther = one.statementKind !== null && !statement_kinds.includes(one.statementKind);
    return statement_kinds.length > 0 && isOther ? 'policy:statement_kind' : 'admitted';
  }

  it('admits what all of its filters admit, and names the first that does not (C-POLICY-7)', () => {
    fc.assert(
      fc.property(anyFilters, facts, (filters, one) => {
        expect(policyEvaluator({ filters: filters as PolicyFilters }).evaluate(one)).toBe(
          expected(filters as PolicyFilters, one),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads details only if they may decide, and knows which provider types it never admits', () => {
    fc.assert(
      fc.property(anyFilters, facts, facts, (stated, one, other) => {
        const filters = stated as PolicyFilters;
        const { needsDetail, evaluate } = policyEvaluator({ filters });
        const { upstream, downstream, providerType } = one;
        if (!needsDetail) expect(evaluate({ ...other, upstream, downstream, providerType })).toBe(evaluate(one));
        if (!mayAdmit(filters, providerType)) expect(evaluate(one)).not.toBe('admitted');
        const onlyThis = {
          ...safeDefaults,
          provider_rules: filters.provider_rules.filter(({ action }) => action === 'exclude'),
        };
        expect(mayAdmit(onlyThis, providerType)).toBe(expected(onlyThis, { ...one, engine: null }) === 'admitted');
      }),
      { numRuns: 500 },
    );
  });
});
