import { projectionWorkerPorts } from '../../shared/runtime/composition/projection-worker.ts';
import { projectionWorker } from '../../shared/runtime/projection-worker.ts';

export const handler = projectionWorker(projectionWorkerPorts());
