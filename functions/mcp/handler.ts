import { mcpRoutes } from '../../shared/contract/routes/mcp.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { type HttpHandler, httpFunction } from '../../shared/runtime/http.ts';
import { callerOf, mcpImplementations } from './mcp.ts';

const ports = httpPorts();

/** Serves agents by the routes that everybody asks, with the token that they came with. */
export const handler: HttpHandler = (event, context) =>
  httpFunction(mcpRoutes, mcpImplementations(callerOf(event)), ports)(event, context);
