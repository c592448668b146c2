import * as v from 'valibot';

/** Whether the service answers, and which version does. */
export const Health = v.object({
  /** `degraded`: a store that was looked at did not answer. */
  status: v.picklist(['ok', 'degraded']),
  version: v.string(),
  /** Where the deployment has its health look at them. */
  stores: v.optional(v.array(v.object({ name: v.picklist(['table', 'objects']), status: v.picklist(['ok', 'down']) }))),
});
export type Health = v.InferOutput<typeof Health>;
