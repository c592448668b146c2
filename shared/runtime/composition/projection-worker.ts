import { graphRewriter } from '../../adapters/graph-stores.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import type { RewritePorts } from '../../domain/operations/rewrite/rewrite-step.ts';
import { checkPorts } from './agent.ts';
import { projections, rawBucket, returningMessages } from './stores.ts';
import { table } from './tables.ts';
import { projectorPorts, recountPorts } from './workers.ts';

/** What a graph is made anew with. */
export const rewritePorts = (): RewritePorts => ({
  ...graphRewriter(table(), rawBucket()),
  queue: projections(),
  clock: systemClock,
});

/** Of both functions that work the queues of the projection. */
export const projectionWorkerPorts = () => ({
  ...projectorPorts(),
  recount: recountPorts(),
  check: checkPorts(),
  rewrite: rewritePorts(),
  handBack: returningMessages(),
});
