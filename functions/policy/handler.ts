import { policyRoutes } from '../../shared/contract/routes/policy.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { policyImplementations } from './policy.ts';
import { policyPorts } from './ports.ts';

/** Shows and sets what lineage a connector admits. */
export const handler = httpFunction(policyRoutes, policyImplementations(policyPorts()));
