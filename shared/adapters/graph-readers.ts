import type { DerivationStore } from '../domain/graph/derivation-store.ts';
import type { DetailStore } from '../domain/graph/detail-store.ts';
import type { PageReader } from '../domain/graph/page-reader.ts';
import type { SchemaStore } from '../domain/graph/schema.ts';
import { detailReader } from './dynamodb/graph/details/detail-store.ts';
import { pageReader } from './dynamodb/graph/reader.ts';
import { schemaReader } from './dynamodb/graph/schemas.ts';
import { scopeReader } from './dynamodb/scope-heads.ts';
import type { Table } from './dynamodb/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { derivationReader } from './s3/derivations.ts';
import { listingReader } from './s3/listings.ts';

type GraphReaders = {
  readonly pages: PageReader;
  readonly scopes: ReturnType<typeof scopeReader>;
  readonly details: Pick<DetailStore, 'get' | 'ofNodes'>;
  readonly derivations: Pick<DerivationStore, 'range'>;
  readonly schemas: Pick<SchemaStore, 'get'>;
};

/** What questions about the graph read from, over a table and the bucket of what no item holds. */
export const graphReaders = (table: Table, bucket: Bucket): GraphReaders => ({
  pages: pageReader(table),
  scopes: scopeReader(table, listingReader(bucket)),
  details: detailReader(table),
  derivations: derivationReader(bucket),
  schemas: schemaReader(table),
});
