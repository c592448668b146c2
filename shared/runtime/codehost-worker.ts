import { CodehostMessage } from '../contract/messages.ts';
import { type WorkCheckPorts, workCheck } from '../domain/codehost/pull-requests/work-check.ts';
import { type WorkWebhookPorts, workWebhook } from '../domain/codehost/webhooks/work-webhook.ts';
import type { HandBack } from './hand-back.ts';
import { type QueueHandler, queueFunction } from './queue.ts';

type CodehostWorkerPorts = WorkCheckPorts & WorkWebhookPorts & { readonly handBack: HandBack };

/** Does what webhooks of code hosts ask for, and checks pull requests. */
export const codehostWorker = (ports: CodehostWorkerPorts): QueueHandler =>
  queueFunction(CodehostMessage, ports.handBack, (message) =>
    message.kind === 'webhook' ? workWebhook(ports, message) : workCheck(ports, message),
  );
