import { ProjectionMessage } from '../../shared/contract/messages.ts';
import { evaluateQueued } from '../../shared/domain/checks/evaluate-queued.ts';
import { recountStep } from '../../shared/domain/operations/recount/recount-step.ts';
import { rewriteStep } from '../../shared/domain/operations/rewrite/rewrite-step.ts';
import { projectDelivery } from '../../shared/domain/projection/project-delivery.ts';
import { checkPorts } from '../../shared/runtime/composition/agent.ts';
import { rewritePorts } from '../../shared/runtime/composition/rewrite.ts';
import { projectorPorts, recountPorts } from '../../shared/runtime/composition/workers.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';

const ports = { ...projectorPorts(), recount: recountPorts(), check: checkPorts(), rewrite: rewritePorts() };

/** Works accepted deliveries into the graph, recounts it under new policies, rewrites its names, and evaluates checks of it. */
export const handler = queueFunction(ProjectionMessage, (message, received) => {
  if ('delivery_id' in message) return projectDelivery(ports, message, received);
  switch (message.kind) {
    case 'recount_policy':
      return recountStep(ports.recount, message);
    case 'rewrite_names':
      return rewriteStep(ports.rewrite, message);
    case 'evaluate_check':
      return evaluateQueued(ports.check, message);
  }
});
