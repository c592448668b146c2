import { projectionWorkerPorts } from '../../shared/runtime/composition/projection-worker.ts';
import { projectionWorker } from '../../shared/runtime/projection-worker.ts';

/** Projects events, recounts the graph under new policies, and evaluates checks of it. */
export const handler = projectionWorker(projectionWorkerPorts());
