import { payloadRoutes } from '../../shared/contract/routes/deliveries.ts';
import { exportRoutes } from '../../shared/contract/routes/export.ts';
import { exportPorts } from '../../shared/runtime/composition/queries.ts';
import { streamingHttpFunction } from '../../shared/runtime/streaming.ts';
import { exportImplementations } from './export.ts';
import { payloadImplementations } from './payload.ts';

const ports = exportPorts();

/** Streams what may be larger than one reply: the graph, and payloads. */
export const handler = streamingHttpFunction(
  { ...exportRoutes, ...payloadRoutes },
  { ...exportImplementations(ports), ...payloadImplementations(ports) },
);
