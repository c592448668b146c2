import { WorkspaceQuery } from '../access.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';
import {
  WebhookAction,
  WebhookCreateRequest,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryParams,
  WebhookListResponse,
  WebhookParams,
  WebhookPatchRequest,
  WebhookSecretResponse,
  WebhookTest,
} from '../webhooks.ts';

const administering = { kind: 'member', scope: 'write', role: 'admin', workspace: 'body' } as const;
const reading = { ...administering, scope: 'read', workspace: 'query' } as const;
const one = { function: 'webhooks', params: WebhookParams } as const;
const path = '/v1/webhooks/{webhook_id}';
const webhook = { description: 'The webhook; its secret where one was made.', schema: WebhookSecretResponse };
const maxBytes = limits.json.bodyBytes;
const action = { kind: 'json', schema: WebhookAction, maxBytes } as const;

/** Whom a workspace tells what happens in it: C-HOOK-1 to C-HOOK-6. */
export const webhookRoutes = {
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    function: 'webhooks',
    summary: 'Lists the webhooks of a workspace.',
    access: reading,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The webhooks, without their secrets.', schema: WebhookListResponse } },
    problems: [],
  },
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    function: 'webhooks',
    summary: 'Makes a webhook, and shows its secret this once.',
    access: administering,
    body: { kind: 'json', schema: WebhookCreateRequest, maxBytes },
    replies: { 201: webhook },
    problems: ['conflict'],
  },
  patchWebhook: {
    ...one,
    method: 'PATCH',
    path,
    summary: 'Changes a webhook, or replaces its secret.',
    access: administering,
    body: { kind: 'json', schema: WebhookPatchRequest, maxBytes },
    replies: { 200: webhook },
    problems: ['not_found', 'conflict'],
  },
  deleteWebhook: {
    ...one,
    method: 'DELETE',
    path,
    summary: 'Removes a webhook; what was not delivered to it is not any more.',
    access: { ...administering, workspace: 'query' },
    query: WorkspaceQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['not_found', 'conflict'],
  },
  testWebhook: {
    ...one,
    method: 'POST',
    path: `${path}/test`,
    summary: 'Sends a test notification at once, and says what came of it.',
    access: administering,
    body: action,
    replies: { 200: { description: 'What came of it.', schema: WebhookTest } },
    problems: ['not_found'],
  },
  listWebhookDeliveries: {
    ...one,
    method: 'GET',
    path: `${path}/deliveries`,
    summary: 'Lists what a webhook was told, newest first, and what it could not be told.',
    access: reading,
    query: WebhookDeliveriesQuery,
    replies: { 200: { description: 'A page of notifications.', schema: WebhookDeliveryPage } },
    problems: ['not_found'],
  },
  retryWebhookDelivery: {
    function: 'webhooks',
    params: WebhookDeliveryParams,
    method: 'POST',
    path: `${path}/deliveries/{notification_id}/retry`,
    summary: 'Tries a failed notification again from the first attempt.',
    access: administering,
    body: action,
    replies: { 202: { description: 'It will be tried.', schema: WebhookDelivery } },
    problems: ['not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;
