import { notifierPorts } from '../../shared/runtime/composition/notifications.ts';
import { notificationWorker } from '../../shared/runtime/notification-worker.ts';

export const handler = notificationWorker(notifierPorts());
