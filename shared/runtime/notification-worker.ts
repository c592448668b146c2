import { NotificationMessage } from '../contract/notification-messages.ts';
import { type AttemptPorts, attemptWebhook } from '../domain/notifications/attempt-webhook.ts';
import { type TellPorts, tellWebhooks } from '../domain/notifications/tell-webhooks.ts';
import type { HandBack } from './hand-back.ts';
import { type QueueHandler, queueFunction } from './queue.ts';

type NotificationWorkerPorts = TellPorts & AttemptPorts & { readonly handBack: HandBack };

/** Tells the webhooks of workspaces what happened. */
export const notificationWorker = (ports: NotificationWorkerPorts): QueueHandler =>
  queueFunction(NotificationMessage, ports.handBack, (message) =>
    message.kind === 'tell_webhooks' ? tellWebhooks(ports, message) : attemptWebhook(ports, message),
  );
