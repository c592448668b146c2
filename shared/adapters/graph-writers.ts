import { setImmediate as nextLoop } from 'node:timers/promises';
import { type Turns, turns } from '../domain/concurrency/turns.ts';
import type { ContentPorts } from '../domain/projection/project-content.ts';
import { mergedRunWork } from '../domain/projection/run-work.ts';
import type { Contribution } from '../domain/sources/openlineage/contribution.ts';
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
import { mergedWrites } from './merged-writes.ts';
import type { Bucket } from './s3/bucket.ts';
import { derivationStore } from './s3/derivations.ts';
import { listingStore } from './s3/listings.ts';
import { loadSqlParser } from './sql-parser.ts';

/** A write takes some milliseconds and a tenth of one of a processor: more would only wait for each other. */
const writesInFlight = 50;

/** What projection writes to, over a table and the bucket of raw bytes. */
export const graphWriters = (table: Table, bucket: Bucket): ContentPorts => {
  // Nodes come last: what many runs saw of one is written once when all of them are known.
  const writing = turns(writesInFlight);
  return {
    claims: claimWriter(table, newWriterState(writing.last)),
    ...runWriters(table, writing),
    derivations: derivationStore(bucket),
    schemas: schemaStore(table),
    scopes: registeringOnce(scopeStore(table, listingStore(bucket))),
    directory: relationDirectory(table, newKnownRelations()),
    // The deliveries that a queue hands out together reach their runs in one turn of the event loop.
    runsTogether: mergedWrites(mergedRunWork, { begin: (work) => nextLoop().then(work) }),
    sqlParser: loadSqlParser,
    clock: systemClock,
  };
};

/** What is written of a run before its nodes. */
function runWriters(table: Table, { first }: Turns): Pick<ContentPorts, 'details' | 'runs'> {
  const [details, runs] = [detailStore(table), runStore<Contribution>(table)];
  return {
    details: { ...details, put: (...put) => first(() => details.put(...put)) },
    runs: { ...runs, add: (...add) => first(() => runs.add(...add)) },
  };
}
