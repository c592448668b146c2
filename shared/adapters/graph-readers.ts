import { LRUCache } from 'lru-cache';
import type { DetailStore, PageReader, ScopeIdentity, ScopeStore } from '../domain/graph/ports.ts';
import type { GraphPorts } from '../domain/impact/graph-view.ts';
import { detailStore } from './dynamodb/graph/edge-details.ts';
import { pageReader } from './dynamodb/graph/page-reader.ts';
import { rememberedScopes } from './dynamodb/metered.ts';
import { scopeStore } from './dynamodb/scope-heads.ts';
import type { Table } from './dynamodb/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { listingStore } from './s3/listings.ts';

/** Identities of observed scopes that a process keeps: they never change. */
const scopesKept = 50_000;

export type GraphReaders = {
  readonly pages: PageReader;
  readonly scopes: ScopeStore;
  readonly knownScopes: GraphPorts['knownScopes'];
  readonly details: DetailStore;
};

/** What questions about the graph read from, over a table and the bucket of long listings. */
export const graphReaders = (table: Table, bucket: Bucket): GraphReaders => ({
  ...readers(table, bucket),
  knownScopes: new LRUCache<string, ScopeIdentity>({ max: scopesKept }),
});

/** The same over a `metered` client, where what the process remembers is charged as if it were read. */
export const meteredGraphReaders = (table: Table, bucket: Bucket): GraphReaders => ({
  ...readers(table, bucket),
  knownScopes: rememberedScopes(scopesKept),
});

const readers = (table: Table, bucket: Bucket) => ({
  pages: pageReader(table),
  scopes: scopeStore(table, listingStore(bucket)),
  details: detailStore(table),
});
