import type { ExplainedEvidence } from '../../../../contract/explain.ts';
import { globs, scopeGlobs } from '../../../../contract/glob.ts';
import type { PolicyFilters } from '../../../../contract/policy.ts';
import { nodeOf, ownerOf } from '../../graph/node.ts';
import { retentionDaysOf } from '../../names/retention.ts';
import { type EvidenceFacts, ruleMatcher } from '../../policy/policy.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import { type Evidence, engineOf } from '../../traversal/evidence.ts';
import type { QueryContext } from '../../traversal/graph-view.ts';

type Why = ExplainedEvidence['why'];

const admitted: Why = {
  message: 'Every policy that concerns the edge admits it.',
  connector_id: null,
  policy_revision: null,
  rule: null,
};

/** Why a piece of evidence counts, or does not, and which rule decided. Patterns stay in the policy, which only administrators read. */
export function whyOf(context: QueryContext, edge: EvaluatedEdge, evidence: Evidence): Why {
  if (evidence.disposition === 'expired:not_observed') return expired(context, edge);
  const policy = evidence.suppressedBy ? context.policies.get(evidence.suppressedBy) : undefined;
  if (!policy || evidence.suppressedBy === null) return admitted;
  const engine = engineOf(context, evidence.detail, evidence.suppressedBy);
  return {
    ...ruleOf(policy.filters, edge, evidence, engine),
    connector_id: evidence.suppressedBy,
    policy_revision: policy.revision,
  };
}

function expired(context: QueryContext, { downstream }: EvaluatedEdge): Why {
  const node = nodeOf(downstream);
  return {
    message: `It was not observed for ${retentionDaysOf(context, node)} days.`,
    connector_id: ownerOf(node),
    policy_revision: null,
    rule: 'observed_retention_days',
  };
}

type Rule = Pick<Why, 'message' | 'rule'>;

function ruleOf(filters: PolicyFilters, edge: EvaluatedEdge, evidence: Evidence, engine: string | null): Rule {
  switch (evidence.disposition) {
    case 'policy:schema_scope':
      return schemaScope(filters, edge);
    case 'policy:provider_rule':
      return providerRule(filters, { ...edge.refs, providerType: evidence.providerType, engine });
    case 'policy:principal':
      return principal(filters, evidence.detail?.principal ?? null);
    case 'policy:statement_kind':
      return { message: 'Its statement kind is not among those that are admitted.', rule: '/statement_kinds' };
    default:
      return admitted;
  }
}

function schemaScope({ schema_scope: { exclude, include } }: PolicyFilters, edge: EvaluatedEdge): Rule {
  const ends = [
    ['upstream', edge.refs.upstream],
    ['downstream', edge.refs.downstream],
  ] as const;
  for (const [i, pattern] of exclude.entries()) {
    const end = ends.find(([, ref]) => scopeGlobs([pattern])(ref));
    if (end) return { message: `The ${end[0]} relation is excluded.`, rule: `/schema_scope/exclude/${i}` };
  }
  const outside = ends.find(([, ref]) => !scopeGlobs(include)(ref));
  return { message: `The ${outside?.[0]} relation is not included.`, rule: '/schema_scope/include' };
}

type RuleFacts = Pick<EvidenceFacts, 'upstream' | 'downstream' | 'providerType' | 'engine'>;

function providerRule({ provider_rules: rules }: PolicyFilters, facts: RuleFacts): Rule {
  const index = rules.findIndex((rule) => rule.action === 'exclude' && ruleMatcher(rule)(facts));
  if (index >= 0)
    return { message: 'A rule excludes it by its provider and engine.', rule: `/provider_rules/${index}` };
  return { message: 'No rule includes it by its provider, engine and relations.', rule: '/provider_rules' };
}

function principal({ principals: { mode, patterns } }: PolicyFilters, name: string | null): Rule {
  if (name === null) return { message: 'It names no principal.', rule: '/principals/unmatched' };
  if (mode === 'include') return { message: 'Its principal is not included.', rule: '/principals/patterns' };
  const index = patterns.findIndex((pattern) => globs([pattern])(name));
  return { message: 'Its principal is excluded.', rule: `/principals/patterns/${index}` };
}
