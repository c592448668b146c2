import { policyRoutes } from '../../shared/contract/policy.ts';
import { policyPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { policyImplementations } from './policy.ts';

export const handler = httpFunction(policyRoutes, policyImplementations(policyPorts()));
