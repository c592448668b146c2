import { codehostWorker } from '../../shared/runtime/codehost-worker.ts';
import { pullRequestPorts } from '../../shared/runtime/composition/codehost.ts';

export const handler = codehostWorker(pullRequestPorts());
