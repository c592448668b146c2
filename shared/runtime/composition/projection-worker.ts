import { randomUUID } from 'node:crypto';
import { shapeReader } from '../../adapters/dynamodb/events/event-shapes.ts';
import { collecting } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { graphRewriter } from '../../adapters/graph-stores.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import type { CollectionStatements } from '../../domain/events/shapes/state-collection.ts';
import type { RewritePorts } from '../../domain/operations/rewrite/rewrite-step.ts';
import { checkPorts } from './agent.ts';
import { ingestPorts } from './intake.ts';
import { eventTable, projections, rawBucket, returningMessages, table } from './stores.ts';
import { projectorPorts, recountPorts } from './workers.ts';

/** What a graph is made anew with. */
export const rewritePorts = (): RewritePorts => ({
  ...graphRewriter(table(), rawBucket()),
  queue: projections(),
  clock: systemClock,
});

/** What the events of collection projects have, stated as other documents are. */
export const collectionStatements = (): CollectionStatements => ({
  ...ingestPorts(),
  projects: collecting(table()).collectionProjects,
  shapes: { read: shapeReader(eventTable()) },
  newId: randomUUID,
});

/** Of both functions that work the queues of the projection. */
export const projectionWorkerPorts = () => ({
  ...projectorPorts(),
  recount: recountPorts(),
  check: checkPorts(),
  rewrite: rewritePorts(),
  collection: collectionStatements(),
  handBack: returningMessages(),
});
