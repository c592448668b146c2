import { CodehostMessage, NotificationMessage } from '../contract/messages.ts';
import { type WorkCheckPorts, workCheck } from '../domain/codehost/pull-requests/work-check.ts';
import { type WorkWebhookPorts, workWebhook } from '../domain/codehost/webhooks/work-webhook.ts';
import { type AttemptPorts, attemptWebhook } from '../domain/notifications/attempt-webhook.ts';
import { type TellPorts, tellWebhooks } from '../domain/notifications/tell-webhooks.ts';
import { type QueueHandler, queueFunction } from './queue.ts';
import type { HandBack } from './report-failures.ts';

type CodehostWorkerPorts = WorkCheckPorts & WorkWebhookPorts & { readonly handBack: HandBack };

/** Does what webhooks of code hosts ask for, and checks pull requests. */
export const codehostWorker = (ports: CodehostWorkerPorts): QueueHandler =>
  queueFunction(CodehostMessage, ports.handBack, (message) =>
    message.kind === 'webhook' ? workWebhook(ports, message) : workCheck(ports, message),
  );

type NotificationWorkerPorts = TellPorts & AttemptPorts & { readonly handBack: HandBack };

/** Tells the webhooks of workspaces what happened. */
export const notificationWorker = (ports: NotificationWorkerPorts): QueueHandler =>
  queueFunction(NotificationMessage, ports.handBack, (message) =>
    message.kind === 'tell_webhooks' ? tellWebhooks(ports, message) : attemptWebhook(ports, message),
  );
