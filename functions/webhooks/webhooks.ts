import type { webhookRoutes } from '../../shared/contract/webhooks.ts';
import { listSent, retrySent } from '../../shared/domain/notifications/list-sent.ts';
import {
  createWebhook,
  deleteWebhook,
  type ManageWebhookPorts,
  patchWebhook,
  requireWebhook,
  testWebhook,
} from '../../shared/domain/notifications/manage-webhooks.ts';
import { type NotificationQueue, type SentStore, webhookView } from '../../shared/domain/notifications/webhook.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const webhookImplementations = (
  ports: ManageWebhookPorts & { readonly sent: SentStore; readonly queue: NotificationQueue },
): Implementations<typeof webhookRoutes> => ({
  listWebhooks: async ({ workspace }) => {
    const items = (await ports.registry.webhooks.list(workspace)).map(webhookView);
    return { workspace_id: workspace, items, next_cursor: null };
  },
  createWebhook: async ({ workspace, caller: { userId }, body }) => createWebhook(ports, { workspace, userId }, body),
  patchWebhook: async ({ workspace, caller: { userId }, params, body }) =>
    patchWebhook(ports, { workspace, userId }, params.webhook_id, body),
  deleteWebhook: async ({ workspace, caller: { userId }, params }) =>
    deleteWebhook(ports, { workspace, userId }, params.webhook_id),
  testWebhook: async ({ workspace, params }) => testWebhook(ports, workspace, params.webhook_id),
  listWebhookDeliveries: async ({ workspace, params, query: { state = null, limit, cursor } }) => {
    const { record } = await requireWebhook(ports.registry, workspace, params.webhook_id);
    return listSent(ports, record, { state, limit, cursor });
  },
  retryWebhookDelivery: async ({ workspace, params }) => {
    const { record } = await requireWebhook(ports.registry, workspace, params.webhook_id);
    return retrySent(ports, record, params.notification_id);
  },
});
