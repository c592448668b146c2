import { describe, expect, it } from 'vitest';
import type { ConnectorId } from '../../../shared/contract/ids.ts';
import { nodeId, type ScopeId, urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import type { ScopeHead } from '../../../shared/domain/lineage/graph/scope-store.ts';
import { defaultPolicy, type Policy, safeDefaults } from '../../../shared/domain/lineage/policy/policy.ts';
import { type EvaluationOptions, edgeEvaluator, followed } from '../../../shared/domain/lineage/traversal/evaluate.ts';
import type { GraphView } from '../../../shared/domain/lineage/traversal/graph-view.ts';

const connectorId = '00000000-0000-4000-8000-000000000001' as ConnectorId;
const relation = (ref: string) => urnOf({ kind: 'relation', connectorId, ref } as Parameters<typeof urnOf>[0]);
const [orders, revenue] = [relation('shop.core.orders'), relation('shop.core.revenue')];
const now = '2026-06-30T00:00:00.000Z';
const options: EvaluationOptions = {
  asOf: null,
  includeStale: false,
  minConfidence: 0,
  withDetails: false,
};

type Statement = { readonly provider: string; readonly kind?: 'observed' | 'snapshot'; readonly at?: string };

/** The evaluation of one edge with these claims. */
async function evaluated(statement: readonly Statement[], extra: Partial<EvaluationOptions> = {}, policy?: Policy) {
  const heads = statement.map(({ provider, kind = 'snapshot' }, i) => {
    const head = { scopeKey: `scope ${i}`, kind, providerType: provider, providerInstanceId: `feed ${i}` };
    return [`s${i}` as ScopeId, { head: head as unknown as ScopeHead }] as const;
  });
  const context = { connectors: new Map(), policies: new Map(policy ? [[connectorId, policy]] : []), now };
  const view = { scopes: new Map(heads), context } as unknown as GraphView;
  const ends = { from: nodeId(orders), to: nodeId(revenue) };
  const claims = statement.map(({ at = now }, i) => ({
    ...ends,
    scope: `s${i}` as ScopeId,
    order: null,
    observedAt: at,
  }));
  const edge = { self: orders, other: revenue, claims };
  return edgeEvaluator(view, { ...options, ...extra }).evaluate('out', [edge]);
}

const longAgo = '2025-01-01T00:00:00.000Z';
const withoutDbt: Policy = {
  ...defaultPolicy,
  filters: { ...safeDefaults, provider_rules: [{ action: 'exclude', provider_type: 'dbt_manifest' }] },
};

describe('the evidence of an edge', () => {
  it('adds up to its confidence, whatever the order of the claims (C-EVIDENCE-2)', async () => {
    const statement = [{ provider: 'dbt_manifest' }, { provider: 'query_log' }];
    const [[one], [other]] = await Promise.all([evaluated(statement), evaluated(statement.toReversed())]);
    expect(one).toMatchObject({ status: 'active', confidence: 0.95, suppression: null });
    expect(other?.confidence).toBe(one?.confidence);
  });

  it('expires if it was observed and not seen for the retention, and never where it was declared', async () => {
    const [observed] = await evaluated([{ provider: 'openlineage', kind: 'observed', at: longAgo }]);
    expect(observed).toMatchObject({ status: 'stale', confidence: 0, suppression: 'expired' });
    const [declared] = await evaluated([{ provider: 'dbt_manifest', at: longAgo }]);
    expect(declared).toMatchObject({ status: 'active', suppression: null });
    const [past] = await evaluated([{ provider: 'openlineage', kind: 'observed', at: longAgo }], { asOf: longAgo });
    expect(past).toMatchObject({ status: 'active' });
  });

  it('counts no more if a policy excludes its provider; what is left keeps the edge', async () => {
    const both = [{ provider: 'dbt_manifest' }, { provider: 'openlineage' }];
    const [alone] = await evaluated(both.slice(0, 1), {}, withoutDbt);
    expect(alone).toMatchObject({ status: 'stale', suppression: 'policy' });
    expect(alone?.evidence).toMatchObject([{ disposition: 'policy:provider_rule', suppressedBy: connectorId }]);
    const [stored] = await evaluated(both, {}, withoutDbt);
    expect(stored).toMatchObject({ status: 'active', confidence: 0.8, suppression: null });
  });

  it('is followed by the confidence that was requested, and stale if that was requested too', async () => {
    const weak = await evaluated([{ provider: 'query_log' }], { minConfidence: 0.6 });
    expect(weak).toMatchObject([{ suppression: 'confidence' }]);
    expect(followed(weak)).toEqual([]);
    expect(followed(await evaluated([{ provider: 'dbt_manifest' }], { includeStale: true }, withoutDbt))).toHaveLength(
      1,
    );
  });
});
