import { ProjectionMessage } from '../../shared/contract/messages.ts';
import { recountStep } from '../../shared/domain/policy/recount-step.ts';
import { projectDelivery } from '../../shared/domain/projection/project-delivery.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';
import { workerPorts } from './ports.ts';
import { recountPorts } from './recount-ports.ts';

const ports = { ...workerPorts(), recount: recountPorts() };

/** Works accepted deliveries into the graph, and recounts it under new policies. */
export const handler = queueFunction(ProjectionMessage, (message, received) =>
  'delivery_id' in message ? projectDelivery(ports, message, received) : recountStep(ports.recount, message),
);
