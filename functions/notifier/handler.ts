import { notificationWorker } from '../../shared/runtime/codehost-worker.ts';
import { notifierPorts } from '../../shared/runtime/composition/notifications.ts';

export const handler = notificationWorker(notifierPorts());
