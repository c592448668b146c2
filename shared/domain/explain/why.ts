import type { ExplainedEvidence } from '../../contract/explain.ts';
import type { PolicyFilters } from '../../contract/policy.ts';
import { type Evidence, type JudgedEdge, type JudgePorts, retentionDaysOf } from '../impact/evidence.ts';
import { nodeOf } from '../lineage/node.ts';
import { globs, scopeGlobs } from '../policy/glob.ts';

export type Why = ExplainedEvidence['why'];

const admitted: Why = {
  message: 'Every policy that concerns the edge admits it.',
  connector_id: null,
  policy_revision: null,
  rule: null,
};

/** Why a piece of evidence counts, or does not, and which rule decided. Patterns stay in the policy, which only administrators read. */
export function whyOf(ports: JudgePorts, edge: JudgedEdge, evidence: Evidence): Why {
  if (evidence.disposition === 'expired:not_observed') return expired(ports, edge);
  const policy = evidence.refusedBy ? ports.policies.get(evidence.refusedBy) : undefined;
  if (!policy || evidence.refusedBy === null) return admitted;
  const engine = ports.connectors.get(evidence.refusedBy)?.kind ?? null;
  return {
    ...ruleOf(policy.filters, edge, evidence, engine),
    connector_id: evidence.refusedBy,
    policy_revision: policy.revision,
  };
}

function expired(ports: JudgePorts, { downstream }: JudgedEdge): Why {
  const node = nodeOf(downstream);
  return {
    message: `It was not observed for ${retentionDaysOf(ports, node)} days.`,
    connector_id: 'connectorId' in node ? node.connectorId : null,
    policy_revision: null,
    rule: 'observed_retention_days',
  };
}

type Rule = Pick<Why, 'message' | 'rule'>;

function ruleOf(filters: PolicyFilters, edge: JudgedEdge, evidence: Evidence, engine: string | null): Rule {
  switch (evidence.disposition) {
    case 'policy:schema_scope':
      return schemaScope(filters, edge);
    case 'policy:provider_rule':
      return providerRule(filters, evidence.providerType, engine);
    case 'policy:principal':
      return principal(filters, evidence.detail?.principal ?? null);
    case 'policy:statement_kind':
      return { message: 'Its statement kind is not among those that are admitted.', rule: '/statement_kinds' };
    default:
      return admitted;
  }
}

function schemaScope({ schema_scope: { exclude, include } }: PolicyFilters, edge: JudgedEdge): Rule {
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

function providerRule({ provider_rules: rules }: PolicyFilters, type: string, engine: string | null): Rule {
  const index = rules.findIndex(
    ({ action, provider_type, engines }) =>
      action === 'exclude' &&
      provider_type === type &&
      (!engines?.length || (engine !== null && engines.includes(engine))),
  );
  if (index >= 0) return { message: 'Providers of its type are excluded.', rule: `/provider_rules/${index}` };
  return { message: 'Providers of its type are not among those that are included.', rule: '/provider_rules' };
}

function principal({ principals: { mode, patterns } }: PolicyFilters, name: string | null): Rule {
  if (name === null) return { message: 'It names no principal.', rule: '/principals/unmatched' };
  if (mode === 'include') return { message: 'Its principal is not included.', rule: '/principals/patterns' };
  const index = patterns.findIndex((pattern) => globs([pattern])(name));
  return { message: 'Its principal is excluded.', rule: `/principals/patterns/${index}` };
}
