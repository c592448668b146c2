import { randomUUID } from 'node:crypto';
import { s3, sqs } from '../../adapters/aws.ts';
import { collectionKeys } from '../../adapters/dynamodb/collection-keys.ts';
import { addEventCounts } from '../../adapters/dynamodb/event-counts.ts';
import { eventLedger } from '../../adapters/dynamodb/event-ledger.ts';
import type { Bucket } from '../../adapters/s3/bucket.ts';
import { eventLake } from '../../adapters/s3/event-lake.ts';
import { enqueueBatch } from '../../adapters/sqs/events-queue.ts';
import type { CollectPorts } from '../../domain/events/accept-batch.ts';
import type { CountEvents } from '../../domain/events/event-counts.ts';
import { systemClock } from '../../domain/time/clock.ts';
import type { CollectionHttpPorts } from '../collection-http.ts';
import { environment } from '../environment.ts';
import { pausing } from '../pausing.ts';
import { rateGuard } from '../rate-guard.ts';
import { onCountFailed } from '../report-failures.ts';
import type { StoreMessagesPorts } from '../store-messages.ts';
import { eventTable, table } from './tables.ts';

// What the functions of collection work with, as `composition.ts` says of the others.

const lakeBucket = (): Bucket => ({ client: s3(), name: environment('LAKE_BUCKET').LAKE_BUCKET });

export function collectPorts(): CollectionHttpPorts {
  const { COLLECTION_ENABLED, COLLECT_RATE, COLLECT_BURST } = environment(
    'COLLECTION_ENABLED',
    'COLLECT_RATE',
    'COLLECT_BURST',
  );
  const guard = rateGuard({ perSecond: COLLECT_RATE, burst: COLLECT_BURST });
  return {
    clock: systemClock,
    newId: randomUUID,
    enabled: COLLECTION_ENABLED,
    keys: collectionKeys(table()),
    rateGuard: (key, events, at) => guard(key.hash, at, events, key.rate),
    sink: eventSink(),
    count: pausing(countEvents(), countPauseMs),
  };
}

/** Whoever refuses events counts them by one write a second and process at most. */
const countPauseMs = 1_000;

function countEvents(): CountEvents {
  const to = eventTable();
  return (counts) => addEventCounts(to, counts).catch(onCountFailed);
}

function eventSink(): CollectPorts['sink'] {
  const { COLLECTION_SINK } = environment('COLLECTION_SINK');
  if (COLLECTION_SINK === 'discard') return { status: 'discarded', accept: async () => {} };
  const { EVENTS_QUEUE_URL } = environment('EVENTS_QUEUE_URL');
  const queue = { client: sqs(), url: EVENTS_QUEUE_URL, bucket: lakeBucket() };
  return { status: 'accepted', accept: (batch) => enqueueBatch(queue, batch) };
}

export function storeEventsPorts(): StoreMessagesPorts {
  const bucket = lakeBucket();
  const ledger = eventLedger(eventTable());
  return { ledger, lake: eventLake(bucket), bucket, count: countEvents(), newRunId: randomUUID };
}
