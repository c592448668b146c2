import { intakeRoutes } from '../../shared/contract/routes/intake.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { openLineage } from './openlineage.ts';
import { intakePorts } from './ports.ts';

const ports = intakePorts();
const { postOpenLineageEvent, postOpenLineageBatch } = intakeRoutes;

/** Takes lineage evidence in. */
export const handler = httpFunction(
  { postOpenLineageEvent, postOpenLineageBatch },
  {
    postOpenLineageEvent: openLineage(ports, 'openlineage_event'),
    postOpenLineageBatch: openLineage(ports, 'openlineage_batch'),
  },
);
