import { NotificationMessage } from '../../shared/contract/notification-messages.ts';
import { attemptWebhook } from '../../shared/domain/notifications/attempt-webhook.ts';
import { tellWebhooks } from '../../shared/domain/notifications/tell-webhooks.ts';
import { notifierPorts } from '../../shared/runtime/composition/notifications.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';

const ports = notifierPorts();

/** Tells the webhooks of workspaces what happened. */
export const handler = queueFunction(NotificationMessage, ports.handBack, (message) =>
  message.kind === 'tell_webhooks' ? tellWebhooks(ports, message) : attemptWebhook(ports, message),
);
