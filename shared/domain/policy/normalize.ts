import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { FusionWeights, PolicyFilters } from '../../contract/policy.ts';
import { sortedBy } from '../sorted-by.ts';

/**
 * Filters in the one form of all that mean the same: lists whose order means nothing are sorted and hold nothing twice,
 * and what is compared without case is in lower case.
 */
export function normalizeFilters(filters: PolicyFilters): PolicyFilters {
  const { schema_scope, principals, statement_kinds, provider_rules } = filters;
  return {
    schema_scope: { include: caseless(schema_scope.include), exclude: caseless(schema_scope.exclude) },
    principals: { ...principals, patterns: caseless(principals.patterns) },
    statement_kinds: distinct(statement_kinds),
    provider_rules: distinctRules(provider_rules),
  };
}

/** SHA-256, in hex, of the canonical JSON (RFC 8785) of normalized filters and weights: C-POLICY-5. */
export function policyHash(filters: PolicyFilters, fusion_weights: FusionWeights): string {
  const text = canonicalize({ filters, fusion_weights });
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex');
}

const distinct = <T extends string>(words: readonly T[]): T[] => [...new Set(words)].sort();

const caseless = (patterns: readonly string[]): string[] => distinct(patterns.map(inLowerCase));

/** The few characters whose lower case is longer are left alone: what is stored keeps to the bounds of what came. */
function inLowerCase(pattern: string): string {
  const text = pattern.toWellFormed();
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

type Rule = PolicyFilters['provider_rules'][number];

function distinctRules(rules: readonly Rule[]): Rule[] {
  const byText = new Map(rules.map(normalizeRule).map((rule) => [canonicalize(rule) ?? '', rule]));
  return sortedBy(byText, ([text]) => text).map(([, rule]) => rule);
}

/** A rule that names no engine is for all of them. */
function normalizeRule({ provider_type, action, engines = [] }: Rule): Rule {
  const type = provider_type.toWellFormed();
  return engines.length === 0
    ? { provider_type: type, action }
    : { provider_type: type, action, engines: caseless(engines) };
}
