import { setImmediate as nextLoop } from 'node:timers/promises';
import { mergedRuns, turns } from '../domain/base/concurrency.ts';
import { systemClock } from '../domain/base/time/timestamp.ts';
import { graphOf } from '../domain/lineage/graph/node.ts';
import type { GraphWriters } from '../domain/lineage/projection/ports.ts';
import { mergedRunWork } from '../domain/lineage/projection/run-work.ts';
import type { RewritePorts } from '../domain/operations/rewrite/rewrite-step.ts';
import type { ForgetScopePorts } from '../domain/operations/scopes/forget-scope.ts';
import { deliveryStore } from './dynamodb/deliveries/deliveries.ts';
import { sourceReader } from './dynamodb/deliveries/source-reader.ts';
import { newWriterState } from './dynamodb/graph/claims/levels.ts';
import { claimWriter, pageReader, schemaReader, schemaStore } from './dynamodb/graph/reader.ts';
import { removeGraph } from './dynamodb/graph/retire/remove-graph.ts';
import { runReader, runStore } from './dynamodb/graph/runs.ts';
import { graphRecords } from './dynamodb/graph/scopes/scope-ends.ts';
import { scopeReader, scopeStore, takeOrder } from './dynamodb/graph/scopes/scope-heads.ts';
import { unfinishedRunReader, unfinishedRuns } from './dynamodb/graph/unfinished-runs.ts';
import { newKnownRelations, relationDirectory } from './dynamodb/names/relation-directory.ts';
import { registry } from './dynamodb/registry/registry.ts';
import type { Table } from './dynamodb/requests/table.ts';
import { payloadReader } from './payloads.ts';
import type { Bucket } from './s3/bucket.ts';
import { derivationReader, derivationStore, listingReader, listingStore, removeListings } from './s3/listings.ts';
import { loadSqlParser } from './sql-parser.ts';

/** A write takes some milliseconds and a tenth of one of a processor: more would only wait for each other. */
const writesInFlight = 50;

export const graphWriters = (table: Table, bucket: Bucket): GraphWriters => {
  // Nodes come last: what many runs saw of one is written once when all of them are known.
  const writing = turns(writesInFlight);
  const runs = runStore(table);
  return {
    claims: claimWriter(table, newWriterState(writing.last)),
    runs: { ...runs, add: (...add) => writing.first(() => runs.add(...add)) },
    derivations: derivationStore(bucket),
    schemas: schemaStore(table),
    unfinished: unfinishedRuns(table),
    scopes: scopeStore(table, listingStore(bucket)),
    directory: relationDirectory(table, newKnownRelations()),
    // The deliveries that a queue hands out together reach their runs in one turn of the event loop.
    runsTogether: mergedRuns(mergedRunWork, { begin: (work) => nextLoop().then(work) }),
    sqlParser: loadSqlParser,
    clock: systemClock,
  };
};

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

export const graphReaders = (table: Table, bucket: Bucket) => ({
  pages: pageReader(table),
  scopes: scopeReader(table, listingReader(bucket)),
  derivations: derivationReader(bucket),
  schemas: schemaReader(table),
  sources: sourceReader(table),
  unfinished: unfinishedRunReader(table),
});

type ScopeStores = Pick<ForgetScopePorts, 'registry' | 'runs' | 'takeOrder'> & {
  readonly scopes: ReturnType<typeof scopeReader>;
};

export const scopeForgetter = (table: Table, bucket: Bucket): ScopeStores => ({
  registry: registry(table),
  scopes: scopeReader(table, listingReader(bucket)),
  runs: runReader(table),
  takeOrder: (workspace, { scope, scopeKey, kind, providerType, providerInstanceId }) =>
    takeOrder(table, graphOf(workspace, 0), { scope, scopeKey, kind, providerType, providerInstanceId }, true),
});
