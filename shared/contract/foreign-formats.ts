import * as v from 'valibot';
import { limits } from './limits.ts';

// The formats of other products' SDKs. Their readers check them; these schemas describe them.

const most = limits.collection.events.max;

/** An event of the PostHog SDKs: C-POSTHOG-9 to C-POSTHOG-14, C-POSTHOG-16 to C-POSTHOG-18. */
const CompatibleEvent = v.looseObject({
  event: v.string(),
  distinct_id: v.optional(v.union([v.string(), v.number()])),
  uuid: v.optional(v.string()),
  timestamp: v.optional(v.string()),
  properties: v.optional(v.record(v.string(), v.unknown())),
});

/** C-POSTHOG-1: a batch, an event, or an array of events; each may name the project key. */
export const CompatibleBody = v.union([
  v.looseObject({
    api_key: v.optional(v.string()),
    batch: v.pipe(v.array(CompatibleEvent), v.minLength(1), v.maxLength(most)),
    sent_at: v.optional(v.string()),
    historical_migration: v.optional(v.literal(false)),
  }),
  v.looseObject({ api_key: v.optional(v.string()), ...CompatibleEvent.entries }),
  v.pipe(v.array(CompatibleEvent), v.minLength(1), v.maxLength(most)),
]);

/** What the last part of a path of Segment's format says: the browser's SDK uses letters. */
export const segmentCalls: Readonly<Record<string, string>> = {
  batch: 'batch',
  b: 'batch',
  track: 'track',
  t: 'track',
  identify: 'identify',
  i: 'identify',
  page: 'page',
  p: 'page',
  screen: 'screen',
  s: 'screen',
  group: 'group',
  g: 'group',
  alias: 'alias',
  a: 'alias',
};
export const segmentPaths = Object.keys(segmentCalls).map((call) => `/collect/segment/v1/${call}`);
/** Where Segment's SDK for Java and Jitsu's SDK send: they add these paths to the base themselves. */
export const fixedSegmentPaths = [
  'v1/import',
  ...['track', 'identify', 'page', 'group'].flatMap((call) => [`api/s/${call}`, `api/s/s2s/${call}`]),
].map((path) => `/collect/segment/${path}`);

/** A message of Segment's SDKs: C-SEGMENT-5 to C-SEGMENT-8. */
const SegmentMessage = v.looseObject({
  type: v.optional(v.picklist(['track', 'identify', 'page', 'screen', 'group', 'alias'])),
  messageId: v.nullish(v.string()),
  userId: v.nullish(v.union([v.string(), v.number()])),
  anonymousId: v.nullish(v.union([v.string(), v.number()])),
  event: v.optional(v.string()),
  previousId: v.nullish(v.union([v.string(), v.number()])),
  groupId: v.nullish(v.union([v.string(), v.number()])),
  timestamp: v.nullish(v.string()),
  originalTimestamp: v.nullish(v.string()),
  sentAt: v.nullish(v.string()),
  properties: v.nullish(v.record(v.string(), v.unknown())),
  traits: v.nullish(v.record(v.string(), v.unknown())),
  context: v.nullish(v.record(v.string(), v.unknown())),
  integrations: v.nullish(v.record(v.string(), v.unknown())),
});

/** C-SEGMENT-1: a batch, or one message whose type the path says. */
export const SegmentBody = v.union([
  v.looseObject({
    writeKey: v.optional(v.string()),
    batch: v.pipe(v.array(SegmentMessage), v.minLength(1), v.maxLength(most)),
    sentAt: v.nullish(v.string()),
  }),
  v.looseObject({ writeKey: v.optional(v.string()), ...SegmentMessage.entries }),
]);

/** What Segment's SDKs take for success. */
export const SegmentReceipt = v.object({ success: v.literal(true) });

/** C-POSTHOG-4: the browser's form, whose `data` is the JSON of a body, in base64 or plain. */
export const CompatibleForm = v.looseObject({ data: v.string(), compression: v.optional(v.picklist(['', 'base64'])) });

/** C-POSTHOG-21: the verdict on each event by its `uuid`. */
export const CaptureResult = v.object({ result: v.picklist(['ok', 'drop']), details: v.optional(v.string()) });
export const CaptureReceipt = v.object({ results: v.record(v.string(), CaptureResult) });
export type CaptureResult = v.InferOutput<typeof CaptureResult>;

/** C-POSTHOG-21: `options`, `session_id` and `window_id` are what older routes have among the properties. */
export const CaptureBody = v.looseObject({
  batch: v.pipe(
    v.array(
      v.looseObject({
        ...CompatibleEvent.entries,
        uuid: v.pipe(v.string(), v.uuid()),
        session_id: v.optional(v.string()),
        window_id: v.optional(v.string()),
        options: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
    v.minLength(1),
    v.maxLength(most),
  ),
  created_at: v.optional(v.string()),
  historical_migration: v.optional(v.literal(false)),
});
