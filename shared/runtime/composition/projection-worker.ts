import { checkPorts } from './agent.ts';
import { rewritePorts } from './rewrite.ts';
import { handingBack } from './stores.ts';
import { projectorPorts, recountPorts } from './workers.ts';

/** Of both functions that work the queues of the projection. */
export const projectionWorkerPorts = () => ({
  ...projectorPorts(),
  recount: recountPorts(),
  check: checkPorts(),
  rewrite: rewritePorts(),
  handBack: handingBack(),
});
