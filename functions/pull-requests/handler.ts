import { CodehostMessage } from '../../shared/contract/messages.ts';
import { workCheck } from '../../shared/domain/codehost/pull-requests/work-check.ts';
import { workWebhook } from '../../shared/domain/codehost/webhooks/work-webhook.ts';
import { pullRequestPorts } from '../../shared/runtime/composition/codehost.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';

const ports = pullRequestPorts();

/** Does what webhooks ask for, and checks pull requests. */
export const handler = queueFunction(CodehostMessage, ports.handBack, (message) =>
  message.kind === 'webhook' ? workWebhook(ports, message) : workCheck(ports, message),
);
