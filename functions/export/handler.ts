import { exportRoutes } from '../../shared/contract/routes/export.ts';
import { streamingHttpFunction } from '../../shared/runtime/streaming.ts';
import { exportImplementations } from './export.ts';
import { exportPorts } from './ports.ts';

/** Exports the graph. */
export const handler = streamingHttpFunction(exportRoutes, exportImplementations(exportPorts()));
