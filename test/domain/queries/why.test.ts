import { describe, expect, it } from 'vitest';
import type { ConnectorId } from '../../../shared/contract/ids.ts';
import type { PolicyFilters } from '../../../shared/contract/policy.ts';
import { urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import { safeDefaults } from '../../../shared/domain/lineage/policy/policy.ts';
import { whyOf } from '../../../shared/domain/lineage/queries/explain/why.ts';
import type { EvaluatedEdge } from '../../../shared/domain/lineage/traversal/evaluate.ts';
import type { Evidence } from '../../../shared/domain/lineage/traversal/evidence.ts';
import type { QueryContext } from '../../../shared/domain/lineage/traversal/graph-view.ts';

const connectorId = 'con_1' as ConnectorId;
const relation = (ref: string) => urnOf({ kind: 'relation', connectorId, ref });
const edge = {
  downstream: relation('crm.mart.b'),
  refs: { upstream: 'crm.raw.a', downstream: 'crm.mart.b' },
} as unknown as EvaluatedEdge;

function why(disposition: Evidence['disposition'], filters: Partial<PolicyFilters>, evidence: object = {}) {
  const context = {
    connectors: new Map([[connectorId, { kind: 'postgres', observed_retention_days: 30 }]]),
    policies: new Map([[connectorId, { revision: 3, filters: { ...safeDefaults, ...filters } }]]),
  } as unknown as QueryContext;
  const one = { providerType: 'openlineage', detail: null, suppressedBy: connectorId, disposition, ...evidence };
  return whyOf(context, edge, one as unknown as Evidence);
}

const scope = (exclude: string[], include: string[]) => ({ schema_scope: { exclude, include } });
const rule = (action: 'include' | 'exclude', engines: string[]) => ({ provider_type: 'openlineage', action, engines });
const principals = (mode: 'include' | 'exclude', patterns: string[]) => ({
  principals: { mode, patterns, unmatched: 'admit' as const },
});

describe('why evidence does not count', () => {
  it.each([
    ['The upstream relation is excluded.', '/schema_scope/exclude/1', scope(['x.*.*', 'crm.raw.*'], ['*'])],
    ['The downstream relation is excluded.', '/schema_scope/exclude/0', scope(['crm.mart.*'], ['*'])],
    ['The upstream relation is not included.', '/schema_scope/include', scope([], ['crm.mart.*'])],
    ['The downstream relation is not included.', '/schema_scope/include', scope([], ['crm.raw.*'])],
  ])('names the end outside of the scope: %s', (message, rule, filters) => {
    const connector = { connector_id: connectorId, policy_revision: 3 };
    expect(why('policy:schema_scope', filters)).toEqual({ message, rule, ...connector });
  });

  it.each([
    ['/provider_rules/1', [rule('exclude', ['spark']), rule('exclude', ['postgres'])]],
    ['/provider_rules', [rule('include', ['spark'])]],
  ])('names the rule of the provider: %s', (name, provider_rules) => {
    expect(why('policy:provider_rule', { provider_rules }).rule).toBe(name);
  });

  it.each([
    ['/principals/unmatched', principals('exclude', ['bot*']), null],
    ['/principals/patterns', principals('include', ['bot*']), 'ada'],
    ['/principals/patterns/1', principals('exclude', ['x*', 'bot*']), 'bot-1'],
  ])('names the pattern of the principal: %s', (name, filters, principal) => {
    expect(why('policy:principal', filters, { detail: { principal } }).rule).toBe(name);
  });

  it('tells after how many days observations expire, whatever policies say', () => {
    expect(why('expired:not_observed', {})).toEqual({
      message: 'It was not observed for 30 days.',
      connector_id: connectorId,
      policy_revision: null,
      rule: 'observed_retention_days',
    });
  });

  it('tells that every policy admits what none suppresses', () => {
    expect(why('admitted', {}, { suppressedBy: null })).toMatchObject({ policy_revision: null, rule: null });
  });
});
