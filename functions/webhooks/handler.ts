import { webhookRoutes } from '../../shared/contract/webhooks.ts';
import { webhookPorts } from '../../shared/runtime/composition/notifications.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { webhookImplementations } from './webhooks.ts';

/** Keeps whom a workspace tells what happens in it. */
export const handler = httpFunction(webhookRoutes, webhookImplementations(webhookPorts()));
