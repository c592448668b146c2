import { describe, expect, it } from 'vitest';
import type { PolicyFilters } from '../../../shared/contract/policy.ts';
import { type EvidenceFacts, policyEvaluator, safeDefaults } from '../../../shared/domain/lineage/policy/policy.ts';

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
