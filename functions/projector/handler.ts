import { projectionWorkerPorts } from '../../shared/runtime/composition/workers.ts';
import { projectionWorker } from '../../shared/runtime/projection-worker.ts';

export const handler = projectionWorker(projectionWorkerPorts());
