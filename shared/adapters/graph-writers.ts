import { keyedLock } from '../domain/concurrency/keyed-lock.ts';
import type { ContentPorts } from '../domain/projection/project-content.ts';
import { systemClock } from '../domain/time/clock.ts';
import { newKnownRelations } from './dynamodb/directory-writer.ts';
import { claimWriter } from './dynamodb/graph/claim-writer.ts';
import { newWriterState } from './dynamodb/graph/claims/levels.ts';
import { detailStore } from './dynamodb/graph/details/detail-store.ts';
import { runStore } from './dynamodb/graph/runs/runs.ts';
import { schemaStore } from './dynamodb/graph/schemas.ts';
import { relationDirectory } from './dynamodb/relation-directory.ts';
import { registeringOnce, scopeStore } from './dynamodb/scope-heads.ts';
import type { Table } from './dynamodb/table.ts';
import type { Bucket } from './s3/bucket.ts';
import { listingStore } from './s3/listings.ts';
import { loadSqlParser } from './sql-parser.ts';

/** What projection writes to, over a table and the bucket of raw bytes. */
export const graphWriters = (table: Table, bucket: Bucket): ContentPorts => ({
  claims: claimWriter(table, newWriterState()),
  details: detailStore(table),
  schemas: schemaStore(table),
  scopes: registeringOnce(scopeStore(table, listingStore(bucket))),
  directory: relationDirectory(table, newKnownRelations()),
  runs: runStore(table),
  runLock: keyedLock(),
  sqlParser: loadSqlParser,
  clock: systemClock,
});
