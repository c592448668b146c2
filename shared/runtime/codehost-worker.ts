import { CodehostMessage, NotificationMessage } from '../contract/messages.ts';
import { workCheck } from '../domain/codehost/pull-requests/work-check.ts';
import { workWebhook } from '../domain/codehost/webhooks/work-webhook.ts';
import { attemptWebhook } from '../domain/notifications/attempt-webhook.ts';
import { tellWebhooks } from '../domain/notifications/tell-webhooks.ts';
import { type QueueHandler, queueFunction } from './queue.ts';
import type { HandBack } from './report-failures.ts';

type Of<Work extends (ports: never, message: never) => unknown> = Parameters<Work>[0];

/** Does what webhooks of code hosts ask for, and checks pull requests. */
export const codehostWorker = (
  ports: Of<typeof workCheck> & Of<typeof workWebhook> & { readonly handBack: HandBack },
): QueueHandler =>
  queueFunction(CodehostMessage, ports.handBack, (message) =>
    message.kind === 'webhook' ? workWebhook(ports, message) : workCheck(ports, message),
  );

/** Tells the webhooks of workspaces what happened. */
export const notificationWorker = (
  ports: Of<typeof tellWebhooks> & Of<typeof attemptWebhook> & { readonly handBack: HandBack },
): QueueHandler =>
  queueFunction(NotificationMessage, ports.handBack, (message) =>
    message.kind === 'tell_webhooks' ? tellWebhooks(ports, message) : attemptWebhook(ports, message),
  );
