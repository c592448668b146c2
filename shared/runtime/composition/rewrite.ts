import { deliveryStore } from '../../adapters/dynamodb/deliveries.ts';
import { removeGraph } from '../../adapters/dynamodb/graph/retire/remove-graph.ts';
import { graphRecords } from '../../adapters/dynamodb/graph-records.ts';
import { registry } from '../../adapters/dynamodb/registry.ts';
import { graphWriters } from '../../adapters/graph-writers.ts';
import { payloadStore } from '../../adapters/s3/raw.ts';
import { graphOf } from '../../domain/naming/generation.ts';
import type { RewritePorts } from '../../domain/operations/rewrite/rewrite-step.ts';
import { systemClock } from '../../domain/time/clock.ts';
import { projections, rawBucket } from './stores.ts';
import { table } from './tables.ts';

/** What a graph is made anew with. */
export function rewritePorts(): RewritePorts {
  const records = registry(table());
  return {
    graphs: graphRecords(table(), records),
    connectors: records.connectors.list,
    deliveries: deliveryStore(table()),
    payloads: payloadStore(rawBucket()),
    content: graphWriters(table(), rawBucket()),
    queue: projections(),
    removeGraph: (workspace, generation) =>
      removeGraph(table(), graphOf(workspace, generation), { keepsHeads: generation === 0 }),
    clock: systemClock,
  };
}
