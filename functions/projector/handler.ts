import { ProjectionMessage } from '../../shared/contract/messages.ts';
import { evaluateQueued } from '../../shared/domain/checks/evaluate-queued.ts';
import { recountStep } from '../../shared/domain/operations/recount/recount-step.ts';
import { projectDelivery } from '../../shared/domain/projection/project-delivery.ts';
import { checkPorts } from '../../shared/runtime/agent-composition.ts';
import { projectorPorts, recountPorts } from '../../shared/runtime/composition.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';

const ports = { ...projectorPorts(), recount: recountPorts(), check: checkPorts() };

/** Works accepted deliveries into the graph, recounts it under new policies, and evaluates checks of it. */
export const handler = queueFunction(ProjectionMessage, (message, received) => {
  if ('delivery_id' in message) return projectDelivery(ports, message, received);
  return message.kind === 'recount_policy' ? recountStep(ports.recount, message) : evaluateQueued(ports.check, message);
});
