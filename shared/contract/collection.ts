import * as v from 'valibot';
import { count, documentedAs, timestamp } from './fields.ts';
import {
  CaptureBody,
  CaptureReceipt,
  CompatibleBody,
  CompatibleForm,
  fixedSegmentPaths,
  SegmentBody,
  SegmentReceipt,
  segmentPaths,
} from './foreign-formats.ts';
import { CollectionProjectId, WorkspaceId } from './ids.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, type Route, servedBy } from './route.ts';

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
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isObject = v.guard(isPlainObject, 'must be an object');
const json = v.pipe(v.unknown(), isObject, documentedAs(v.record(v.string(), v.unknown())));

/** Not a record of valibot, which leaves the names out that every object inherits: they would escape all rules. */
const groups = v.pipe(
  v.unknown(),
  isObject,
  documentedAs(v.pipe(v.record(identifier, identifier), v.maxEntries(groupCount))),
  v.check((value) => Object.keys(value).length <= groupCount, `must have at most ${groupCount} associations`),
  v.guard(
    (value: Record<string, unknown>): value is Record<string, string> =>
      Object.entries(value)
        .flat()
        .every((text) => v.is(identifier, text)),
    `must map text to text, each not blank and of at most ${identifierLength} characters`,
  ),
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
    groups: v.optional(groups),
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

export const CollectionReceipt = v.object({
  status: v.picklist(['accepted', 'discarded']),
  received: count,
  received_at: timestamp,
  request_id: v.string(),
});
export type CollectionReceipt = v.InferOutput<typeof CollectionReceipt>;

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

const collecting = {
  method: 'POST',
  access: { kind: 'project_key' },
  problems: [
    'invalid_json',
    'invalid_compression',
    'invalid_project_key',
    'invalid_server_key',
    'origin_not_allowed',
    'body_timeout',
    'event_too_large',
    'invalid_batch',
    'invalid_event',
    'unsupported_event',
    'rate_limited',
    'collection_disabled',
    'delivery_unavailable',
  ],
} as const satisfies Partial<Route>;

const bytes = { kind: 'bytes', maxBytes: limits.collection.bodyBytes, gzip: true } as const;

/** Event collection: C-COLLECT-1, C-POSTHOG-1. */
export const collectionRoutes = servedBy('collect', {
  collectBatch: {
    ...collecting,
    path: '/collect/v1/batch',
    summary: 'Accepts a batch of analytics events.',
    body: {
      ...bytes,
      schema: CollectionBatch,
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
  },
  collectCompatible: {
    ...collecting,
    path: '/collect/batch',
    aliases: ['/collect/e', '/collect/i/v0/e'],
    documentedPaths: ['/batch/', '/e/', '/i/v0/e/', '/batch', '/e', '/i/v0/e'].map((place) => `/collect${place}`),
    summary: 'Accepts the analytics subset of the PostHog SDKs’ wire format.',
    body: {
      ...bytes,
      schema: CompatibleBody,
      otherForms: { 'text/plain': CompatibleBody, 'application/x-www-form-urlencoded': CompatibleForm },
      example: {
        api_key: 'dpk_…',
        batch: [{ event: 'Order Placed', distinct_id: 'user-1', properties: { total: 5 } }],
      },
    },
    replies: { 200: { description: 'Accepted or discarded.', schema: CollectionReceipt } },
  },
  captureEvents: {
    ...collecting,
    path: '/collect/i/v1/analytics/events',
    summary: 'Accepts events of the PostHog SDKs’ Capture V1, and answers for each event.',
    body: {
      ...bytes,
      schema: CaptureBody,
      otherForms: { 'text/plain': CaptureBody, 'application/x-www-form-urlencoded': CaptureBody },
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
  },
  collectSegment: {
    ...collecting,
    path: '/collect/segment/v1/batch',
    aliases: [...segmentPaths.slice(1), ...fixedSegmentPaths],
    summary: 'Accepts events in the format of Segment’s, RudderStack’s and Jitsu’s SDKs.',
    body: {
      ...bytes,
      schema: SegmentBody,
      otherForms: { 'text/plain': SegmentBody, 'application/x-www-form-urlencoded': SegmentBody },
      example: {
        writeKey: 'dpk_…',
        batch: [{ type: 'track', event: 'Order Placed', userId: 'user-1', properties: { total: 5 } }],
      },
    },
    replies: { 200: { description: 'Accepted or discarded.', schema: SegmentReceipt } },
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
