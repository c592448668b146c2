import { gunzipSync, gzipSync } from 'node:zlib';
import { listingsPrefix } from '../../contract/lake.ts';
import { Fault } from '../../contract/problems.ts';
import { inParallel } from '../../domain/base/concurrency.ts';
import type { DerivationStore } from '../../domain/lineage/graph/derivation.ts';
import type { GraphId, ScopeId } from '../../domain/lineage/graph/node.ts';
import type { Order } from '../../domain/lineage/graph/order.ts';
import type { Listing } from '../../domain/lineage/graph/scope-store.ts';
import type { ListingStore } from '../dynamodb/graph/scopes/scope-ends.ts';
import { type Bucket, deleteObject, getObject, keysIn, putObject } from './bucket.ts';

/** Listings as gzip JSON objects; written again with the same content where a load is repeated. */
export const listingStore = (bucket: Bucket): ListingStore => ({
  put: async (graph, scope, name, listing) => {
    const key = `${listingsPrefix}${graph}/${scope}/${name}.json.gz`;
    await putObject(bucket, key, gzipSync(JSON.stringify(listing), { level: 3 }), { type: 'application/json' });
    return key;
  },
  ...listingReader(bucket),
  remove: (key) => deleteObject(bucket, key),
});

const removalsInFlight = 16;
const keysAtOnce = 1_000;

/** Removes what stands beside the orders of a graph that nothing reads or writes any more. May be repeated. */
export async function removeListings(bucket: Bucket, graph: GraphId): Promise<void> {
  const keys: string[] = [];
  const remove = (some: readonly string[]) => inParallel(removalsInFlight, some, (key) => deleteObject(bucket, key));
  for await (const key of keysIn(bucket, { Prefix: `${listingsPrefix}${graph}/` }))
    if (keys.push(key) >= keysAtOnce) await remove(keys.splice(0));
  await remove(keys);
}

export const listingReader = (bucket: Bucket): Pick<ListingStore, 'get'> => ({
  get: async (key) => {
    const bytes = await getObject(bucket, key);
    if (!bytes) throw new Fault('listing_missing', 'a listing is recorded and not there');
    return JSON.parse(gunzipSync(bytes).toString('utf8')) as Listing;
  },
});

/** What orders state, an object each beside the long listings; written again where a load is repeated. */
export const derivationStore = (bucket: Bucket): DerivationStore => ({
  put: (graph, place, packed) =>
    putObject(bucket, derivationsKey(graph, place), packed, { type: 'application/octet-stream' }),
  ...derivationReader(bucket),
  remove: (graph, place) => deleteObject(bucket, derivationsKey(graph, place)),
});

export const derivationReader = (bucket: Bucket): Pick<DerivationStore, 'range'> => ({
  range: (graph, { from, bytes, ...place }) => getObject(bucket, derivationsKey(graph, place), { from, bytes }),
});

const derivationsKey = (graph: GraphId, { scope, order }: { readonly scope: ScopeId; readonly order: Order }): string =>
  `${listingsPrefix}${graph}/${scope}/${order}.derivations`;
