import { intakeRoutes } from '../../shared/contract/lineage.ts';
import { ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { intakeImplementations } from './intake.ts';

export const handler = httpFunction(intakeRoutes, intakeImplementations(ingestPorts()));
