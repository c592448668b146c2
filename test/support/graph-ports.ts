import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newWriterState } from '../../shared/adapters/dynamodb/graph/claims/levels.ts';
import { claimWriter, pageReader, schemaStore } from '../../shared/adapters/dynamodb/graph/reader.ts';
import { runStore } from '../../shared/adapters/dynamodb/graph/runs.ts';
import type { ListingStore } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { scopeStore } from '../../shared/adapters/dynamodb/graph/scopes/scope-heads.ts';
import { unfinishedRuns } from '../../shared/adapters/dynamodb/graph/unfinished-runs.ts';
import { nameIndex } from '../../shared/adapters/dynamodb/names/name-indexes.ts';
import { newKnownRelations, relationDirectory } from '../../shared/adapters/dynamodb/names/relation-directory.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import type { DerivationStore } from '../../shared/domain/lineage/graph/derivation.ts';
import type { GraphId } from '../../shared/domain/lineage/graph/node.ts';
import { nothingForgotten } from '../../shared/domain/lineage/graph/order.ts';
import type { Listing } from '../../shared/domain/lineage/graph/scope-store.ts';

/** What orders state, in memory. */
function derivationsIn(stored: Map<string, Uint8Array>): DerivationStore {
  const key = (graph: GraphId, { scope, order }: { scope: string; order: string }) => `${graph}/${scope}/${order}`;
  return {
    put: async (graph, place, packed) => {
      stored.set(key(graph, place), packed);
    },
    range: async (graph, { from, bytes, ...place }) =>
      stored.get(key(graph, place))?.subarray(from, from + bytes) ?? null,
    remove: async (graph, place) => {
      stored.delete(key(graph, place));
    },
  };
}

/** The graph's stores over one table, as a fresh process would make them; what they keep in S3 is kept in memory. */
export function graphPorts(
  client: DynamoDBClient,
  listings: Map<string, Listing> = new Map(),
  derivations: Map<string, Uint8Array> = new Map(),
) {
  const table = { client, name: process.env['TABLE_NAME'] ?? '' };
  const listingStore: ListingStore = {
    put: async (graph, scope, order, listing) => {
      const key = `${graph}/${scope}/${order}`;
      listings.set(key, listing);
      return key;
    },
    get: async (key) => listings.get(key) ?? { version: 1, nodes: [], edges: [] },
    remove: async (key) => {
      listings.delete(key);
    },
  };
  return {
    table,
    forgotten: nothingForgotten,
    claims: claimWriter(table, newWriterState()),
    derivations: derivationsIn(derivations),
    schemas: schemaStore(table),
    pages: pageReader(table),
    scopes: scopeStore(table, listingStore),
    directory: relationDirectory(table, newKnownRelations()),
    names: nameIndex(table),
    runs: runStore(table),
    unfinished: unfinishedRuns(table),
    clock: systemClock,
  };
}
