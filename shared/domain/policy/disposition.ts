import type { PolicyFilters } from '../../contract/policy.ts';
import type { ConnectorKind, StatementKind } from '../../contract/vocabulary.ts';
import { globs, type Matcher, scopeGlobs } from './glob.ts';
import type { Policy } from './policy.ts';

/** Why a piece of evidence does not count; `admitted` where it does. */
export type Disposition =
  | 'admitted'
  | 'policy:schema_scope'
  | 'policy:principal'
  | 'policy:statement_kind'
  | 'policy:provider_rule'
  | 'expired:not_observed';

/** What a policy looks at: both ends' relation refs and who says so, how. */
export type EvidenceFacts = {
  readonly upstream: string;
  readonly downstream: string;
  readonly providerType: string;
  readonly engine: ConnectorKind | null;
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
};

/** Evaluates evidence by one policy: exclusion wins over inclusion, in every filter. */
export type PolicyEvaluator = {
  readonly evaluate: (evidence: EvidenceFacts) => Disposition;
  /** Whether it looks at what stands in edge details alone. */
  readonly needsDetail: boolean;
};

export function policyEvaluator({ filters }: Pick<Policy, 'filters'>): PolicyEvaluator {
  const inScope = schemaScope(filters);
  const providers = providerRules(filters);
  const principal = principals(filters);
  const kinds = new Set<StatementKind>(filters.statement_kinds);
  return {
    evaluate: (evidence) => {
      if (!inScope(evidence.upstream) || !inScope(evidence.downstream)) return 'policy:schema_scope';
      if (!providers(evidence.providerType, evidence.engine)) return 'policy:provider_rule';
      if (!principal(evidence.principal)) return 'policy:principal';
      if (kinds.size > 0 && evidence.statementKind !== null && !kinds.has(evidence.statementKind)) {
        return 'policy:statement_kind';
      }
      return 'admitted';
    },
    needsDetail: kinds.size > 0 || looksAtPrincipals(filters),
  };
}

function schemaScope({ schema_scope: { include, exclude } }: PolicyFilters): Matcher {
  const [included, excluded] = [scopeGlobs(include), scopeGlobs(exclude)];
  return (ref) => !excluded(ref) && (include.length === 0 || included(ref));
}

function principals({ principals: { mode, patterns, unmatched } }: PolicyFilters): (name: string | null) => boolean {
  const matches = globs(patterns);
  const admitsUnmatched = unmatched === 'admit';
  if (mode === 'include') return (name) => (name === null ? admitsUnmatched : matches(name));
  return (name) => (name === null ? admitsUnmatched : !matches(name));
}

const looksAtPrincipals = ({ principals: { mode, patterns, unmatched } }: PolicyFilters): boolean =>
  mode === 'include' || patterns.length > 0 || unmatched === 'suppress';

/** An `include` rule makes an allowlist for the engines it names (all where it names none); `exclude` goes before it. */
export function providerRules({ provider_rules: rules }: Pick<PolicyFilters, 'provider_rules'>) {
  return (providerType: string, engine: ConnectorKind | null): boolean => {
    const concerning = rules.filter(({ engines }) => !engines?.length || (engine !== null && engines.includes(engine)));
    if (concerning.some((rule) => rule.action === 'exclude' && rule.provider_type === providerType)) return false;
    const allowed = concerning.filter(({ action }) => action === 'include');
    return allowed.length === 0 || allowed.some((rule) => rule.provider_type === providerType);
  };
}
