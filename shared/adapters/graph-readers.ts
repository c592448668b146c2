import type { DetailStore, PageReader, ScopeStore } from '../domain/graph/ports.ts';
import type { SchemaStore } from '../domain/graph/schema.ts';
import { detailStore } from './dynamodb/graph/details/detail-store.ts';
import { pageReader } from './dynamodb/graph/reader.ts';
import { schemaStore } from './dynamodb/graph/schemas.ts';
import { scopeStore } from './dynamodb/scope-heads.ts';
import type { Table } from './dynamodb/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { listingStore } from './s3/listings.ts';

type GraphReaders = {
  readonly pages: PageReader;
  readonly scopes: ScopeStore;
  readonly details: DetailStore;
  readonly schemas: SchemaStore;
};

/** What questions about the graph read from, over a table and the bucket of long listings. */
export const graphReaders = (table: Table, bucket: Bucket): GraphReaders => ({
  pages: pageReader(table),
  scopes: scopeStore(table, listingStore(bucket)),
  details: detailStore(table),
  schemas: schemaStore(table),
});
