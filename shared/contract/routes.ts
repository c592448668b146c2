import type { Route } from './route.ts';
import { accessRoutes } from './routes/access.ts';
import { collectionRoutes } from './routes/collection.ts';
import { deliveryRoutes, payloadRoutes } from './routes/deliveries.ts';
import { diffRoutes } from './routes/diff.ts';
import { exportRoutes } from './routes/export.ts';
import { gapRoutes } from './routes/gaps.ts';
import { impactRoutes } from './routes/impact.ts';
import { intakeRoutes } from './routes/intake.ts';
import { policyRoutes } from './routes/policy.ts';
import { providerRoutes } from './routes/providers.ts';
import { uploadRoutes } from './routes/uploads.ts';

/** Every route of the service; the stack, both API descriptions, the local service and the tests read this table. */
export const routes = {
  ...collectionRoutes,
  ...intakeRoutes,
  ...uploadRoutes,
  ...impactRoutes,
  ...diffRoutes,
  ...exportRoutes,
  ...deliveryRoutes,
  ...payloadRoutes,
  ...providerRoutes,
  ...gapRoutes,
  ...policyRoutes,
  ...accessRoutes,
} as const satisfies Record<string, Route>;
