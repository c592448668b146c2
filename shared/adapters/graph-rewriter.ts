import { graphOf } from '../domain/naming/generation.ts';
import type { RewritePorts } from '../domain/operations/rewrite/rewrite-step.ts';
import { deliveryStore } from './dynamodb/deliveries.ts';
import { removeGraph } from './dynamodb/graph/retire/remove-graph.ts';
import { graphRecords } from './dynamodb/graph-records.ts';
import { registry } from './dynamodb/registry.ts';
import type { Table } from './dynamodb/table.ts';
import { graphWriters } from './graph-writers.ts';
import { payloadReader } from './payloads.ts';
import type { Bucket } from './s3/bucket.ts';
import { removeListings } from './s3/listings.ts';

/** What a graph is made anew with. */
export function graphRewriter(table: Table, raw: Bucket): Omit<RewritePorts, 'queue' | 'clock'> {
  const records = registry(table);
  return {
    graphs: graphRecords(table, records),
    connectors: records.connectors.list,
    deliveries: deliveryStore(table),
    payloads: payloadReader(table, raw),
    content: graphWriters(table, raw),
    removeGraph: async (workspace, generation) => {
      const graph = graphOf(workspace, generation);
      await removeGraph(table, graph, { keepsHeads: generation === 0 });
      await removeListings(raw, graph);
    },
  };
}
