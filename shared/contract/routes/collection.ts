import { CollectionBatch, CollectionReceipt, CompatibleBody, CompatibleForm } from '../collection.ts';
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
    documentedPaths: ['/collect/batch/', '/collect/e/', '/collect/i/v0/e/'],
    function: 'collect',
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
} as const satisfies Record<string, Route>;
