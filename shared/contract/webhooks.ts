import * as v from 'valibot';
import { anyId, count, orNull, pageOf, paging, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy, WorkspaceBody, WorkspaceQuery } from './route.ts';
import { notificationTypes, webhookFormats, webhookStates } from './vocabulary.ts';

const bounds = limits.webhook;

const url = v.pipe(text(bounds.url), v.check(isPlainUrl, 'must be an https URL without user information and fragment'));
const events = v.pipe(
  v.array(v.picklist(notificationTypes)),
  v.minLength(1),
  v.maxLength(notificationTypes.length),
  v.transform((chosen) => notificationTypes.filter((type) => chosen.includes(type))),
);
const format = v.picklist(webhookFormats);
export const WebhookCreateRequest = v.strictObject({
  workspace_id: anyId,
  url,
  events,
  format: v.optional(format, 'json'),
});
export type WebhookCreateRequest = v.InferOutput<typeof WebhookCreateRequest>;

/** What is null or left out stays as it is. */
export const WebhookPatchRequest = v.strictObject({
  workspace_id: anyId,
  url: orNull(url),
  events: orNull(events),
  format: orNull(format),
  /** True replaces the secret; the answer shows the new one. */
  rotate_secret: v.optional(v.boolean(), false),
});
export type WebhookPatchRequest = v.InferOutput<typeof WebhookPatchRequest>;

export const WebhookResponse = v.object({
  id: v.string(),
  workspace_id: v.string(),
  url: v.string(),
  events: v.array(v.picklist(notificationTypes)),
  format,
  created_at: timestamp,
  created_by: v.string(),
  updated_at: timestamp,
  updated_by: v.string(),
});
export type WebhookResponse = v.InferOutput<typeof WebhookResponse>;

/** `secret` is null in every answer but the one to its making. */
export const WebhookSecretResponse = v.object({ ...WebhookResponse.entries, secret: v.nullable(v.string()) });
export type WebhookSecretResponse = v.InferOutput<typeof WebhookSecretResponse>;

/** All at once: a workspace has few. */
const WebhookListResponse = v.object({
  workspace_id: v.string(),
  items: v.array(WebhookResponse),
  next_cursor: v.null(),
});

/** What one attempt came to: a status, or why there was none. */
export const WebhookAttempt = v.object({
  at: timestamp,
  status: v.nullable(count),
  /** A code without any text of the receiver's; null if it answered. */
  error: v.nullable(v.string()),
});
export type WebhookAttempt = v.InferOutput<typeof WebhookAttempt>;

export const WebhookDelivery = v.object({
  id: v.string(),
  type: v.picklist([...notificationTypes, 'test']),
  state: v.picklist(webhookStates),
  occurred_at: timestamp,
  attempts: v.array(WebhookAttempt),
  next_attempt_at: v.nullable(timestamp),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

export const WebhookDeliveryPage = pageOf(WebhookDelivery);

export const WebhookTest = v.object({ delivered: v.boolean(), attempt: WebhookAttempt });
export type WebhookTest = v.InferOutput<typeof WebhookTest>;

const WebhookDeliveriesQuery = v.object({
  workspace_id: anyId,
  state: v.optional(v.picklist(webhookStates)),
  ...paging,
});

/** Which hosts may be named, and whether one of this machine without TLS, is the deployment's to say. */
function isPlainUrl(text: string): boolean {
  const parsed = URL.parse(text);
  if (parsed === null || !['https:', 'http:'].includes(parsed.protocol)) return false;
  return !parsed.username && !parsed.password && !text.includes('#');
}

const administering = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' } as const;
/** Sends to an address for longer than a token lives, or shows a secret. */
const addressing = { ...administering, session: true } as const;
const inQuery = { ...administering, workspace: 'query' } as const;
const path = '/v1/webhooks/{webhook_id}';
const webhook = { description: 'The webhook; its secret where one was made.', schema: WebhookSecretResponse };
const maxBytes = limits.json.bodyBytes;
const action = { kind: 'json', schema: WorkspaceBody, maxBytes } as const;

/** Whom a workspace tells what happens in it: C-HOOK-1 to C-HOOK-6. */
export const webhookRoutes = servedBy('webhooks', {
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'Lists the webhooks of a workspace.',
    access: inQuery,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The webhooks, without their secrets.', schema: WebhookListResponse } },
  },
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Creates a webhook. Only this response contains its secret.',
    access: addressing,
    body: { kind: 'json', schema: WebhookCreateRequest, maxBytes },
    replies: { 201: webhook },
    problems: ['conflict'],
  },
  patchWebhook: {
    method: 'PATCH',
    path,
    summary: 'Updates a webhook, or rotates its secret.',
    access: addressing,
    body: { kind: 'json', schema: WebhookPatchRequest, maxBytes },
    replies: { 200: webhook },
    problems: ['conflict'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path,
    summary: 'Deletes a webhook and its pending notifications.',
    access: inQuery,
    query: WorkspaceQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['conflict'],
  },
  testWebhook: {
    method: 'POST',
    path: `${path}/test`,
    summary: 'Sends a test notification immediately, and returns the result.',
    access: administering,
    body: action,
    replies: { 200: { description: 'What came of it.', schema: WebhookTest } },
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: `${path}/deliveries`,
    summary: 'Lists the delivered and failed notifications of a webhook, newest first.',
    access: inQuery,
    query: WebhookDeliveriesQuery,
    replies: { 200: { description: 'A page of notifications.', schema: WebhookDeliveryPage } },
  },
  retryWebhookDelivery: {
    method: 'POST',
    path: `${path}/deliveries/{notification_id}/retry`,
    summary: 'Retries a failed notification from the first attempt.',
    access: administering,
    body: action,
    replies: { 202: { description: 'It will be tried.', schema: WebhookDelivery } },
    problems: ['conflict'],
  },
} as const satisfies FunctionRoutes);
