import * as v from 'valibot';
import { CollectionBatch, CollectionReceipt } from '../collection.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

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
export const collectionRoutes = {
  collectBatch: {
    method: 'POST',
    path: '/collect/v1/batch',
    function: 'collect',
    summary: 'Accepts a batch of analytics events.',
    access: { kind: 'project_key' },
    body: { kind: 'bytes', schema: CollectionBatch, maxBytes: limits.collection.bodyBytes },
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
    documentedPaths: ['/collect/batch/', '/collect/e/', '/collect/i/v0/e/'],
    function: 'collect',
    summary: 'Accepts the analytics subset of the PostHog SDKs’ wire format.',
    access: { kind: 'project_key' },
    body: { kind: 'bytes', schema: v.unknown(), maxBytes: limits.collection.bodyBytes },
    replies: { 200: { description: 'Accepted or discarded.', schema: CollectionReceipt } },
    problems: refusals,
  },
} as const satisfies Record<string, Route>;
