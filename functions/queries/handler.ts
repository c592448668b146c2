import { deliveryRoutes } from '../../shared/contract/routes/deliveries.ts';
import { gapRoutes } from '../../shared/contract/routes/gaps.ts';
import { impactRoutes } from '../../shared/contract/routes/impact.ts';
import { providerRoutes } from '../../shared/contract/routes/providers.ts';
import { relationRoutes } from '../../shared/contract/routes/relations.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { deliveryImplementations } from './deliveries.ts';
import { gapImplementations } from './gaps.ts';
import { impactImplementations } from './impact.ts';
import { providerImplementations } from './providers.ts';
import { relationImplementations } from './relations.ts';

const ports = queriesPorts();

/** Answers what people and tools ask of the graph, and of what came in. */
export const handler = httpFunction(
  { ...impactRoutes, ...deliveryRoutes, ...providerRoutes, ...gapRoutes, ...relationRoutes },
  {
    ...impactImplementations(ports),
    ...deliveryImplementations(ports),
    ...providerImplementations(ports),
    ...gapImplementations(ports),
    ...relationImplementations(ports),
  },
);
