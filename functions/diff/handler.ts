import { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { diffImplementations } from './diff.ts';
import { diffPorts } from './ports.ts';

/** Compares graphs: what changed, and what a branch would change. */
export const handler = httpFunction(diffRoutes, diffImplementations(diffPorts()));
