import { globs, scopeMatcher } from '../../../contract/glob.ts';
import type { FusionWeights, PolicyFilters, ProviderRule } from '../../../contract/policy.ts';
import type { EvidenceClass, StatementKind } from '../../../contract/vocabulary.ts';

/** What is admitted where no policy was ever set: everything. */
export const safeDefaults: PolicyFilters = {
  schema_scope: { include: [], exclude: [] },
  principals: { mode: 'exclude', patterns: [], unmatched: 'admit' },
  statement_kinds: [],
  provider_rules: [],
};

export const defaultWeights: FusionWeights = { declared: 0.9, openlineage: 0.8, catalog: 0.6, query_log: 0.5 };

export type Policy = {
  readonly revision: number;
  readonly filters: PolicyFilters;
  readonly weights: FusionWeights;
};

export const defaultPolicy: Policy = { revision: 0, filters: safeDefaults, weights: defaultWeights };

/** The weight of a provider type: its own, or that of its class (C-EVIDENCE-3). */
export const weightOf = (weights: FusionWeights, providerType: string, evidenceClass: EvidenceClass): number =>
  weights[providerType] ?? weights[evidenceClass === 'runtime' ? 'openlineage' : evidenceClass];

/** `1 - Π(1 - wᵢ)`: C-EVIDENCE-2. */
export function confidenceOf(weights: readonly number[]): number {
  const doubt = weights.reduce((left, weight) => left * (1 - weight), 1);
  return Number((1 - doubt).toFixed(6));
}

/** Why a piece of evidence does not count; `admitted` where it does. */
export type Disposition =
  | 'admitted'
  | 'policy:schema_scope'
  | 'policy:principal'
  | 'policy:statement_kind'
  | 'policy:provider_rule'
  | 'expired:not_observed';

export type EvidenceFacts = {
  readonly upstream: string;
  readonly downstream: string;
  readonly providerType: string;
  /** In lower case. */
  readonly engine: string | null;
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
};

/** Evaluates evidence by one policy: exclusion wins over inclusion, in every filter. */
export type PolicyEvaluator = {
  readonly evaluate: (evidence: EvidenceFacts) => Disposition;
  /** Whether it looks at what stands only in edge details. */
  readonly needsDetail: boolean;
};

export function policyEvaluator({ filters }: Pick<Policy, 'filters'>): PolicyEvaluator {
  const isInSchemaScope = schemaScope(filters.schema_scope);
  const providers = providerRules(filters);
  const principal = principals(filters);
  const kinds = new Set<StatementKind>(filters.statement_kinds);
  return {
    evaluate: (evidence) => {
      if (!isInSchemaScope(evidence)) return 'policy:schema_scope';
      if (!providers(evidence)) return 'policy:provider_rule';
      if (!principal(evidence.principal)) return 'policy:principal';
      if (kinds.size > 0 && evidence.statementKind !== null && !kinds.has(evidence.statementKind)) {
        return 'policy:statement_kind';
      }
      return 'admitted';
    },
    needsDetail: kinds.size > 0 || looksAtPrincipals(filters) || looksAtEngines(filters),
  };
}

type Ends = Pick<EvidenceFacts, 'upstream' | 'downstream'>;

function schemaScope(scope: PolicyFilters['schema_scope']): (ends: Ends) => boolean {
  const holds = scopeMatcher(scope);
  return ({ upstream, downstream }) => holds(upstream) && holds(downstream);
}

function principals({ principals: { mode, patterns, unmatched } }: PolicyFilters): (name: string | null) => boolean {
  const matches = globs(patterns);
  const admitsUnmatched = unmatched === 'admit';
  if (mode === 'include') return (name) => (name === null ? admitsUnmatched : matches(name));
  return (name) => (name === null ? admitsUnmatched : !matches(name));
}

const looksAtPrincipals = ({ principals: { mode, patterns, unmatched } }: PolicyFilters): boolean =>
  mode === 'include' || patterns.length > 0 || unmatched === 'suppress';

const looksAtEngines = ({ provider_rules: rules }: PolicyFilters): boolean =>
  rules.some(({ engines = [] }) => engines.length > 0);

/** Evidence of a type that has `include` rules must match one of them; `exclude` rules go before them: C-POLICY-11. */
function providerRules({ provider_rules: rules }: PolicyFilters): (evidence: RuleFacts) => boolean {
  const byType = Map.groupBy(rules, (rule) => rule.provider_type);
  const ofTypes = new Map([...byType].map(([type, own]) => [type, rulesOfType(own)]));
  return (evidence) => ofTypes.get(evidence.providerType)?.(evidence) ?? true;
}

function rulesOfType(rules: readonly ProviderRule[]): (evidence: RuleFacts) => boolean {
  const [included = [], excluded = []] = (['include', 'exclude'] as const).map((action) =>
    rules.filter((rule) => rule.action === action).map(ruleMatcher),
  );
  const isAny = (matchers: typeof included, evidence: RuleFacts) => matchers.some((matches) => matches(evidence));
  return (evidence) => !isAny(excluded, evidence) && (included.length === 0 || isAny(included, evidence));
}

type RuleFacts = Ends & Pick<EvidenceFacts, 'providerType' | 'engine'>;

/** Whether a rule is about a piece of evidence: its provider type, the engines and the schema scope that the rule names. */
export function ruleMatcher(rule: ProviderRule): (evidence: RuleFacts) => boolean {
  const engines = new Set(rule.engines?.map((engine) => engine.toLowerCase()));
  const isInSchemaScope = rule.action === 'include' && rule.schema_scope ? schemaScope(rule.schema_scope) : () => true;
  return (evidence) =>
    rule.provider_type === evidence.providerType &&
    (engines.size === 0 || (evidence.engine !== null && engines.has(evidence.engine))) &&
    isInSchemaScope(evidence);
}

/** Whether any evidence of a provider type could be admitted by the provider rules, whatever its engine and ends. */
export function mayAdmit({ provider_rules: rules }: PolicyFilters, providerType: string): boolean {
  return !rules.some(
    ({ provider_type, action, engines = [] }) =>
      provider_type === providerType && action === 'exclude' && engines.length === 0,
  );
}
