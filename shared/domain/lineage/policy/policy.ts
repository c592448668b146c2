import type { FusionWeights, PolicyFilters } from '../../../contract/policy.ts';

/** What is admitted where no policy was ever set: everything. */
export const safeDefaults: PolicyFilters = {
  schema_scope: { include: [], exclude: [] },
  principals: { mode: 'exclude', patterns: [], unmatched: 'admit' },
  statement_kinds: [],
  provider_rules: [],
};

export const defaultWeights: FusionWeights = { declared: 0.9, openlineage: 0.8, catalog: 0.6, query_log: 0.5 };

/** The policy by which a read is evaluated. */
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

/** `1 - Π(1 - wᵢ)`: C-EVIDENCE-2. */
export function confidenceOf(weights: readonly number[]): number {
  const doubt = weights.reduce((left, weight) => left * (1 - weight), 1);
  return Number((1 - doubt).toFixed(6));
}
