import * as v from 'valibot';
import { anyId, text } from './fields.ts';

/** As the host numbers its deliveries; no character that could end a part of a storage key. */
const deliveryId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));

export const WebhookParams = v.object({ config_id: anyId });
/** GitHub's headers. Without a signature nothing else is looked at. */
export const WebhookHeaders = v.object({
  'x-hub-signature-256': v.optional(v.string()),
  'x-github-event': v.optional(text(80)),
  'x-github-delivery': v.optional(deliveryId),
});
export type WebhookHeaders = v.InferOutput<typeof WebhookHeaders>;

export const WebhookReceipt = v.object({
  delivery_id: v.string(),
  /** It was seen before, and nothing is done. */
  duplicate: v.boolean(),
});
