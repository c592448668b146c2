import { graphRewriter } from '../../adapters/graph-rewriter.ts';
import type { RewritePorts } from '../../domain/operations/rewrite/rewrite-step.ts';
import { systemClock } from '../../domain/time/clock.ts';
import { projections, rawBucket } from './stores.ts';
import { table } from './tables.ts';

/** What a graph is made anew with. */
export const rewritePorts = (): RewritePorts => ({
  ...graphRewriter(table(), rawBucket()),
  queue: projections(),
  clock: systemClock,
});
