import * as v from 'valibot';
import { statementKinds } from '../../contract/vocabulary.ts';

const patterns = v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(500)));

/** Specification 2.3: what a connector's lineage policy filters. */
export const PolicyFilters = v.strictObject({
  schema_scope: v.strictObject({ include: patterns, exclude: patterns }),
  principals: v.strictObject({
    mode: v.picklist(['exclude', 'include']),
    patterns,
    unmatched: v.picklist(['admit', 'suppress']),
  }),
  statement_kinds: v.array(v.picklist(statementKinds)),
  provider_rules: v.array(
    v.strictObject({
      provider_type: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
      action: v.picklist(['include', 'exclude']),
      engines: v.optional(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200)))),
    }),
  ),
});
export type PolicyFilters = v.InferOutput<typeof PolicyFilters>;

/** What is admitted where no policy was ever set: everything. */
export const safeDefaults: PolicyFilters = {
  schema_scope: { include: [], exclude: [] },
  principals: { mode: 'exclude', patterns: [], unmatched: 'admit' },
  statement_kinds: [],
  provider_rules: [],
};

/** How much one piece of evidence weighs, by what kind of source says so: decisions 6. */
export const FusionWeights = v.strictObject({
  declared: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  openlineage: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  catalog: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  query_log: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
export type FusionWeights = v.InferOutput<typeof FusionWeights>;

export const defaultWeights: FusionWeights = { declared: 0.9, openlineage: 0.8, catalog: 0.6, query_log: 0.5 };

/** The policy that a read is judged by. */
export type Policy = {
  readonly revision: number;
  readonly filters: PolicyFilters;
  readonly weights: FusionWeights;
};

export const defaultPolicy: Policy = { revision: 0, filters: safeDefaults, weights: defaultWeights };

/** The weight of a provider type; what was registered under a name of its own counts as a run-time observer. */
export function weightOf(weights: FusionWeights, providerType: string): number {
  switch (providerType) {
    case 'dbt_manifest':
    case 'sqlmesh_project':
      return weights.declared;
    case 'datahub_catalog':
    case 'google_data_lineage':
      return weights.catalog;
    case 'query_log':
      return weights.query_log;
    default:
      return weights.openlineage;
  }
}

/** `1 - Π(1 - wᵢ)`: decisions 6. */
export function confidenceOf(weights: readonly number[]): number {
  const doubt = weights.reduce((left, weight) => left * (1 - weight), 1);
  return Number((1 - doubt).toFixed(6));
}
