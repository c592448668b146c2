import * as v from 'valibot';
import { count, timestamp } from './fields.ts';
import { limits } from './limits.ts';

const identifier = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(limits.collection.identifier),
  v.regex(/\S/, 'must not be blank'),
);
const optionalIdentifier = v.optional(v.nullable(identifier));
const json = v.record(v.string(), v.unknown());

export const eventTypes = ['track', 'page', 'identify', 'group'] as const;

/** Specification 2.1; the rules across fields are in `shared/domain/collection`. */
export const CollectionEvent = v.strictObject({
  id: identifier,
  type: v.picklist(eventTypes),
  timestamp: v.string(),
  anonymous_id: optionalIdentifier,
  user_id: optionalIdentifier,
  event: optionalIdentifier,
  session_id: optionalIdentifier,
  group_type: optionalIdentifier,
  group_key: optionalIdentifier,
  groups: v.optional(v.record(identifier, identifier)),
  properties: v.optional(json),
  context: v.optional(json),
  traits: v.optional(json),
  set_once: v.optional(json),
});
export type CollectionEvent = v.InferOutput<typeof CollectionEvent>;

export const CollectionBatch = v.strictObject({
  project_key: identifier,
  events: v.pipe(
    v.array(v.unknown()),
    v.minLength(limits.collection.events.min),
    v.maxLength(limits.collection.events.max),
  ),
});
export type CollectionBatch = v.InferOutput<typeof CollectionBatch>;

export const CollectionReceipt = v.object({
  status: v.picklist(['accepted', 'discarded']),
  received: count,
  received_at: timestamp,
  request_id: v.string(),
});
export type CollectionReceipt = v.InferOutput<typeof CollectionReceipt>;
