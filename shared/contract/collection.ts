import * as v from 'valibot';
import { count, documentedAs, timestamp } from './fields.ts';
import { CollectionProjectId, WorkspaceId } from './ids.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy } from './route.ts';

const { identifier: identifierLength, groups: groupCount, events: eventCount } = limits.collection;

/** Characters are code points, as in JSON Schema: an emoji is one. */
const withinLength = (text: string) => text.length <= identifierLength || [...text].length <= identifierLength;

const identifier = v.pipe(
  v.string('must be a string'),
  v.regex(/\S/, 'must not be blank'),
  v.check(withinLength, `must have at most ${identifierLength} characters`),
  documentedAs({ type: 'string', minLength: 1, maxLength: identifierLength, pattern: '\\S' }),
);
const optionalIdentifier = v.nullish(identifier);

/** An object of JSON: no list, and no number that is kept as text. Taken as it is, since a copy of all that is in it costs. */
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const jsonObject = v.pipe(v.unknown(), v.guard(isPlainObject, 'must be an object'));
const json = v.pipe(jsonObject, documentedAs(v.record(v.string(), v.unknown())));

const groups = v.pipe(
  v.record(identifier, identifier),
  v.maxEntries(groupCount, `must have at most ${groupCount} associations`),
);

const eventTypes = ['track', 'page', 'identify', 'group'] as const;
export type CollectionEventType = (typeof eventTypes)[number];

/** C-COLLECT-2 to C-COLLECT-6; the rules across fields are in `shared/domain/events`. */
export const CollectionEvent = v.strictObject(
  {
    id: identifier,
    type: v.picklist(eventTypes, `must be one of ${eventTypes.join(', ')}`),
    timestamp: v.pipe(v.string('must be a string'), documentedAs({ type: 'string', format: 'date-time' })),
    anonymous_id: optionalIdentifier,
    user_id: optionalIdentifier,
    event: optionalIdentifier,
    session_id: optionalIdentifier,
    group_type: optionalIdentifier,
    group_key: optionalIdentifier,
    groups: v.optional(v.pipe(jsonObject, documentedAs(groups), groups)),
    properties: v.optional(json),
    context: v.optional(json),
    traits: v.optional(json),
    set_once: v.optional(json),
  },
  'must have every required field, and no other than the documented ones',
);
export type CollectionEvent = v.InferOutput<typeof CollectionEvent>;

export const CollectionBatch = v.strictObject(
  {
    project_key: identifier,
    events: v.pipe(
      v.array(v.pipe(v.unknown(), documentedAs(CollectionEvent)), 'must be an array'),
      v.minLength(eventCount.min, `must have at least ${eventCount.min} event`),
      v.maxLength(eventCount.max, `must have at most ${eventCount.max} events`),
    ),
  },
  'must have project_key and events, and no other field',
);
export type CollectionBatch = v.InferOutput<typeof CollectionBatch>;

/** An event of the PostHog SDKs: C-POSTHOG-9 to C-POSTHOG-18. */
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
    batch: v.pipe(v.array(CompatibleEvent), v.minLength(1), v.maxLength(eventCount.max)),
    sent_at: v.optional(v.string()),
    historical_migration: v.optional(v.literal(false)),
  }),
  v.looseObject({ api_key: v.optional(v.string()), ...CompatibleEvent.entries }),
  v.pipe(v.array(CompatibleEvent), v.minLength(1), v.maxLength(eventCount.max)),
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
const segmentPaths = Object.keys(segmentCalls).map((call) => `/collect/segment/v1/${call}`);

/** A message of Segment's SDKs: C-SEGMENT-5 to C-SEGMENT-8. */
const SegmentMessage = v.looseObject({
  type: v.optional(v.picklist(['track', 'identify', 'page', 'screen', 'group'])),
  messageId: v.nullish(v.string()),
  userId: v.nullish(v.union([v.string(), v.number()])),
  anonymousId: v.nullish(v.union([v.string(), v.number()])),
  event: v.optional(v.string()),
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
const SegmentBody = v.union([
  v.looseObject({
    writeKey: v.optional(v.string()),
    batch: v.pipe(v.array(SegmentMessage), v.minLength(1), v.maxLength(eventCount.max)),
    sentAt: v.nullish(v.string()),
  }),
  v.looseObject({ writeKey: v.optional(v.string()), ...SegmentMessage.entries }),
]);

/** What Segment's SDKs take for success. */
const SegmentReceipt = v.object({ success: v.literal(true) });

/** C-POSTHOG-4: the browser's form, whose `data` is the JSON of a body, in base64 or plain. */
const CompatibleForm = v.looseObject({ data: v.string(), compression: v.optional(v.picklist(['', 'base64'])) });

export const CollectionReceipt = v.object({
  status: v.picklist(['accepted', 'discarded']),
  received: count,
  received_at: timestamp,
  request_id: v.string(),
});
export type CollectionReceipt = v.InferOutput<typeof CollectionReceipt>;

/** C-POSTHOG-21: the verdict on each event by its `uuid`. */
const CaptureResult = v.object({ result: v.picklist(['ok', 'drop']), details: v.optional(v.string()) });
const CaptureReceipt = v.object({ results: v.record(v.string(), CaptureResult) });
export type CaptureResults = v.InferOutput<typeof CaptureReceipt>['results'];

/** C-POSTHOG-21: `options`, `session_id` and `window_id` are what older routes have among the properties. */
const CaptureBody = v.looseObject({
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
    v.maxLength(eventCount.max),
  ),
  created_at: v.optional(v.string()),
  historical_migration: v.optional(v.literal(false)),
});

/** What a stored row says in addition to the event as sent: C-LAKE-3. */
export const RowOrigin = v.object({
  workspace_id: WorkspaceId,
  project_id: CollectionProjectId,
  environment: v.string(),
  received_at: timestamp,
  request_id: v.string(),
  trusted: v.boolean(),
});
export type RowOrigin = v.InferOutput<typeof RowOrigin>;

const refusals = [
  'invalid_json',
  'invalid_compression',
  'invalid_content_length',
  'invalid_project_key',
  'invalid_server_key',
  'origin_not_allowed',
  'body_timeout',
  'body_too_large',
  'event_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'invalid_batch',
  'invalid_event',
  'unsupported_event',
  'rate_limited',
  'collection_disabled',
  'delivery_unavailable',
] as const;

/** Event collection: C-COLLECT-1, C-POSTHOG-1. */
export const collectionRoutes = servedBy('collect', {
  collectBatch: {
    method: 'POST',
    path: '/collect/v1/batch',
    summary: 'Accepts a batch of analytics events.',
    access: { kind: 'project_key' },
    body: {
      kind: 'bytes',
      schema: CollectionBatch,
      maxBytes: limits.collection.bodyBytes,
      gzip: true,
      example: {
        project_key: 'dpk_…',
        events: [
          {
            id: '3f1b2c4d-0000-4000-8000-000000000001',
            type: 'track',
            timestamp: '2026-11-21T10:00:00Z',
            event: 'Order Placed',
            user_id: 'user-1',
            properties: { total: 5 },
          },
        ],
      },
    },
    replies: {
      202: { description: 'Durably accepted.', schema: CollectionReceipt },
      200: { description: 'Discarded: the sink keeps nothing.', schema: CollectionReceipt },
    },
    problems: refusals,
  },
  collectCompatible: {
    method: 'POST',
    path: '/collect/batch',
    aliases: ['/collect/e', '/collect/i/v0/e'],
    documentedPaths: ['/batch/', '/e/', '/i/v0/e/', '/batch', '/e', '/i/v0/e'].map((place) => `/collect${place}`),
    summary: 'Accepts the analytics subset of the PostHog SDKs’ wire format.',
    access: { kind: 'project_key' },
    body: {
      kind: 'bytes',
      schema: CompatibleBody,
      maxBytes: limits.collection.bodyBytes,
      gzip: true,
      otherForms: { 'text/plain': CompatibleBody, 'application/x-www-form-urlencoded': CompatibleForm },
      example: {
        api_key: 'dpk_…',
        batch: [{ event: 'Order Placed', distinct_id: 'user-1', properties: { total: 5 } }],
      },
    },
    replies: { 200: { description: 'Accepted or discarded.', schema: CollectionReceipt } },
    problems: refusals,
  },
  captureEvents: {
    method: 'POST',
    path: '/collect/i/v1/analytics/events',
    summary: 'Accepts events of the PostHog SDKs’ Capture V1, and answers for each event.',
    access: { kind: 'project_key' },
    body: {
      kind: 'bytes',
      schema: CaptureBody,
      maxBytes: limits.collection.bodyBytes,
      gzip: true,
      example: {
        batch: [
          {
            uuid: '3f1b2c4d-0000-4000-8000-000000000001',
            event: 'Order Placed',
            distinct_id: 'user-1',
            timestamp: '2026-11-21T10:00:00Z',
            options: {},
            properties: { total: 5 },
          },
        ],
      },
    },
    replies: { 200: { description: 'Accepted or discarded, except the dropped events.', schema: CaptureReceipt } },
    problems: refusals,
  },
  collectSegment: {
    method: 'POST',
    path: '/collect/segment/v1/batch',
    aliases: segmentPaths.slice(1),
    summary: 'Accepts events in the format of Segment’s and RudderStack’s SDKs.',
    access: { kind: 'project_key' },
    body: {
      kind: 'bytes',
      schema: SegmentBody,
      maxBytes: limits.collection.bodyBytes,
      gzip: true,
      otherForms: { 'text/plain': SegmentBody, 'application/x-www-form-urlencoded': SegmentBody },
      example: {
        writeKey: 'dpk_…',
        batch: [{ type: 'track', event: 'Order Placed', userId: 'user-1', properties: { total: 5 } }],
      },
    },
    replies: { 200: { description: 'Accepted or discarded.', schema: SegmentReceipt } },
    problems: refusals,
  },
} as const satisfies FunctionRoutes);

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
