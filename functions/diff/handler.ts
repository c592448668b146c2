import { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { diffPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { diffImplementations } from './diff.ts';

/** Compares graphs: what changed, and what a branch would change. */
export const handler = httpFunction(diffRoutes, diffImplementations(diffPorts()));
