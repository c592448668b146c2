import { randomUUID } from 'node:crypto';
import { dynamodb, s3, sqs } from '../adapters/aws.ts';
import { collectionKeys } from '../adapters/dynamodb/collection-keys.ts';
import { eventLedger } from '../adapters/dynamodb/event-ledger.ts';
import { eventLake } from '../adapters/s3/event-lake.ts';
import { enqueueBatch } from '../adapters/sqs/events-queue.ts';
import type { CollectPorts } from '../domain/collection/accept-batch.ts';
import type { CollectionHttpPorts } from './collection-http.ts';
import { environment } from './environment.ts';
import { rateGuard } from './rate-guard.ts';
import type { StoreMessagesPorts } from './store-messages.ts';

/** The ports of the collection routes, from the environment. */
export function collectionPorts(): CollectionHttpPorts {
  const { TABLE_NAME, COLLECTION_ENABLED, COLLECT_RATE, COLLECT_BURST } = environment(
    'TABLE_NAME',
    'COLLECTION_ENABLED',
    'COLLECT_RATE',
    'COLLECT_BURST',
  );
  const guard = rateGuard({ perSecond: COLLECT_RATE, burst: COLLECT_BURST });
  return {
    now: () => new Date(),
    newId: randomUUID,
    enabled: COLLECTION_ENABLED,
    keys: collectionKeys({ client: dynamodb(), name: TABLE_NAME }),
    rateGuard: (key, events, now) => guard(key.hash, now, events, key.rate),
    sink: sink(),
  };
}

function sink(): CollectPorts['sink'] {
  const { COLLECTION_SINK } = environment('COLLECTION_SINK');
  if (COLLECTION_SINK === 'discard') return { status: 'discarded', accept: async () => {} };
  const { EVENTS_QUEUE_URL, LAKE_BUCKET } = environment('EVENTS_QUEUE_URL', 'LAKE_BUCKET');
  const queue = { client: sqs(), url: EVENTS_QUEUE_URL, bucket: { client: s3(), name: LAKE_BUCKET } };
  return { status: 'accepted', accept: (batch) => enqueueBatch(queue, batch) };
}

/** The ports of the worker that stores events. */
export function storePorts(): StoreMessagesPorts {
  const { EVENT_TABLE_NAME, LAKE_BUCKET } = environment('EVENT_TABLE_NAME', 'LAKE_BUCKET');
  const bucket = { client: s3(), name: LAKE_BUCKET };
  return {
    ledger: eventLedger({ client: dynamodb(), name: EVENT_TABLE_NAME }),
    lake: eventLake(bucket),
    bucket,
    newRunId: randomUUID,
  };
}
