import * as v from 'valibot';
import { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { FusionWeights, PolicyFilters, type WeightChange } from '../../../contract/policy.ts';
import { normalizeFilters, policyHash } from './normalize.ts';
import { defaultWeights, type Policy, safeDefaults } from './policy.ts';

/** One immutable revision of a connector's policy; its filters are normalized. */
export const PolicyRevision = v.object({
  workspace_id: WorkspaceId,
  connector_id: ConnectorId,
  revision: v.number(),
  policy_hash: v.string(),
  /** Null of revision 0, which nobody made. */
  created_at: v.nullable(v.string()),
  created_by: v.nullable(v.string()),
  filters: PolicyFilters,
  fusion_weights: FusionWeights,
});
export type PolicyRevision = v.InferOutput<typeof PolicyRevision>;

export type PolicyRef = Pick<PolicyRevision, 'workspace_id' | 'connector_id'>;

/** What holds where no policy was ever set: C-POLICY-2. */
export const safeRevision = ({ workspace_id, connector_id }: PolicyRef): PolicyRevision => ({
  workspace_id,
  connector_id,
  revision: 0,
  policy_hash: policyHash(safeDefaults, defaultWeights),
  created_at: null,
  created_by: null,
  filters: safeDefaults,
  fusion_weights: defaultWeights,
});

export type PolicyChange = {
  readonly filters: PolicyFilters;
  readonly fusionWeights: WeightChange;
  readonly by: string;
};

export function nextRevision(last: PolicyRevision, change: PolicyChange, now: Date): PolicyRevision {
  const filters = normalizeFilters(change.filters);
  const fusion_weights = changedWeights(last.fusion_weights, change.fusionWeights);
  return {
    workspace_id: last.workspace_id,
    connector_id: last.connector_id,
    revision: last.revision + 1,
    policy_hash: policyHash(filters, fusion_weights),
    created_at: now.toISOString(),
    created_by: change.by,
    filters,
    fusion_weights,
  };
}

const decimals = 9;

/** Those that are given, to nine decimals: the store takes no number below 1e-130. Null leaves the default, if there is one. */
export function changedWeights(before: FusionWeights, change: WeightChange): FusionWeights {
  const given = Object.entries({ ...before, ...change }).flatMap(([name, weight]) =>
    weight === null ? [] : [[name, Number(weight.toFixed(decimals))]],
  );
  return v.parse(FusionWeights, { ...defaultWeights, ...Object.fromEntries(given) });
}

export const policyOf = ({ revision, filters, fusion_weights }: PolicyRevision): Policy => ({
  revision,
  filters,
  weights: fusion_weights,
});
