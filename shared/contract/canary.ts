import * as v from 'valibot';

/** By what names and keys the canary of a deployment sends and asks; they open a workspace that holds nothing else. */
export const CanaryKeys = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  collection_project_id: v.string(),
  project_key: v.string(),
  token: v.string(),
});
export type CanaryKeys = v.InferOutput<typeof CanaryKeys>;

/** The connector of the canary's workspace, and what its run reads and writes. */
export const canaryNames = {
  workspace: 'canary',
  namespace: 'duckdb://canary',
  database: 'canary',
  schema: 'main',
  input: 'sent',
  output: 'answered',
} as const;

/** The partition of the canary's item: the only one that its function may read. */
export const canaryPartition = 'CANARY';
