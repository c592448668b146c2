import type { FusionWeights, PolicyFilters, ProviderRule } from '../../../contract/policy.ts';
import { sortedBy } from '../../base/collections.ts';
import { canonicalText, sha256 } from '../../base/digest.ts';

/** Sorts lists whose order means nothing, drops duplicates, and lower-cases what is compared without case. */
export function normalizeFilters(filters: PolicyFilters): PolicyFilters {
  const { schema_scope, principals, statement_kinds, provider_rules } = filters;
  return {
    schema_scope: caselessScope(schema_scope),
    principals: { ...principals, patterns: caseless(principals.patterns) },
    statement_kinds: distinct(statement_kinds),
    provider_rules: distinctRules(provider_rules),
  };
}

/** SHA-256, in hex, of the canonical JSON (RFC 8785) of normalized filters and weights: C-POLICY-5. */
export function policyHash(filters: PolicyFilters, fusion_weights: FusionWeights): string {
  return sha256(canonicalText({ filters, fusion_weights })).toString('hex');
}

const distinct = <T extends string>(words: readonly T[]): T[] => [...new Set(words)].sort();

const caseless = (patterns: readonly string[]): string[] => distinct(patterns.map(inLowerCase));

const caselessScope = ({ include, exclude }: PolicyFilters['schema_scope']): PolicyFilters['schema_scope'] => ({
  include: caseless(include),
  exclude: caseless(exclude),
});

/** Does not lower-case the few characters that get longer, so that stored values keep the length limits of the input. */
function inLowerCase(pattern: string): string {
  const text = pattern.toWellFormed();
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function distinctRules(rules: readonly ProviderRule[]): ProviderRule[] {
  const byText = new Map(rules.map(normalizeRule).map((rule) => [canonicalText(rule), rule]));
  return sortedBy(byText, ([text]) => text).map(([, rule]) => rule);
}

/** A rule that names no engine is for all of them, one whose schema scope is empty for every relation. */
function normalizeRule(rule: ProviderRule): ProviderRule {
  const { provider_type, engines = [] } = rule;
  const common = {
    provider_type: provider_type.toWellFormed(),
    ...(engines.length > 0 && { engines: caseless(engines) }),
  };
  if (rule.action === 'exclude') return { ...common, action: rule.action };
  const scope = rule.schema_scope && caselessScope(rule.schema_scope);
  const isEmpty = !scope || scope.include.length + scope.exclude.length === 0;
  return { ...common, action: rule.action, ...(!isEmpty && { schema_scope: scope }) };
}
