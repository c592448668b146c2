import { ProjectDelivery } from '../../shared/contract/messages.ts';
import { projectDelivery } from '../../shared/domain/projection/project-delivery.ts';
import { queueFunction } from '../../shared/runtime/queue.ts';
import { workerPorts } from './ports.ts';

const ports = workerPorts();

/** Works accepted deliveries into the graph. */
export const handler = queueFunction(ProjectDelivery, (message, received) => projectDelivery(ports, message, received));
