import { projectionWorkerPorts } from '../../shared/runtime/composition/workers.ts';
import { projectionWorker } from '../../shared/runtime/projection-worker.ts';

/** Projects declared documents, and makes graphs anew from them: one message at a time has the whole memory. */
export const handler = projectionWorker(projectionWorkerPorts());
