import * as v from 'valibot';
import { count, pageCursor } from './fields.ts';
import { Cost } from './impact.ts';
import { PutPolicy } from './policy.ts';

/** C-POLICY-15: a policy that is not set. */
export const PreviewPolicy = v.strictObject({
  ...v.omit(PutPolicy, ['expected_revision']).entries,
  cursor: pageCursor,
});
export type PreviewPolicy = v.InferOutput<typeof PreviewPolicy>;

const status = v.picklist(['active', 'stale']);
const Evaluated = v.object({ status, confidence: v.number() });

/** What a policy would change of a part of the graph. */
export const PolicyPreview = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  /** The revision that it is compared with. */
  revision: count,
  edges_compared: count,
  /** Edges that are active now and would be stale, those that would be active again, and those of another confidence. */
  hidden: count,
  shown: count,
  weighed: count,
  /** The first of them. */
  items: v.array(
    v.object({
      change: v.picklist(['hidden', 'shown', 'weighed']),
      upstream: v.string(),
      downstream: v.string(),
      before: Evaluated,
      after: Evaluated,
      /** What the policy would say of the evidence. */
      dispositions: v.array(v.string()),
    }),
  ),
  /** Further changes that are counted and not listed. */
  unlisted: count,
  /** The next part of the graph; null at its end. */
  next_cursor: v.nullable(v.string()),
  cost: Cost,
});
export type PolicyPreview = v.InferOutput<typeof PolicyPreview>;
