import { randomUUID } from 'node:crypto';
import { firehose, sqs } from '../../adapters/aws.ts';
import { eventAttempts } from '../../adapters/dynamodb/events/attempts.ts';
import { addEventCounts, eventLedger } from '../../adapters/dynamodb/events/event-ledger.ts';
import { shapeStore } from '../../adapters/dynamodb/events/event-shapes.ts';
import { projectKeyRateKey } from '../../adapters/dynamodb/keys/registry-keys.ts';
import { collectionKeys } from '../../adapters/dynamodb/registry/collection-keys.ts';
import { lakeLease } from '../../adapters/dynamodb/registry/rate-buckets.ts';
import {
  allWorkspaces,
  collectionProjectsOf,
  trackingPlanReader,
} from '../../adapters/dynamodb/registry/registry-readers.ts';
import { waitOut } from '../../adapters/dynamodb/requests/transact.ts';
import { pauseForStream, putEvents } from '../../adapters/firehose/event-stream.ts';
import { compactedLake, eventLake, expiringObjects } from '../../adapters/s3/event-lake.ts';
import { enqueueBatch } from '../../adapters/sqs/events-queue.ts';
import { runIdAt } from '../../contract/ids.ts';
import type { Lease } from '../../domain/base/concurrency.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import type { CollectPorts } from '../../domain/events/accept-batch.ts';
import type { CompactPorts } from '../../domain/events/compact/compact-lake.ts';
import type { CountEvents } from '../../domain/events/event-counts.ts';
import type { ExpireEventsPorts } from '../../domain/events/expire-events.ts';
import { noteShapes } from '../../domain/events/shapes/note-shapes.ts';
import { announcingShapes } from '../../domain/notifications/happenings.ts';
import type { CollectionHttpPorts } from '../collection-http.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';
import { pausing } from '../pausing.ts';
import { describeError } from '../problem-reply.ts';
import { sharedRateGuard } from '../rate-guard.ts';
import { type HandBack, onCountFailed } from '../report-failures.ts';
import type { StoreMessagesPorts } from '../store-messages.ts';
import { announcingWritten, evaluations, eventTable, lakeBucket, returningMessages, table } from './stores.ts';

export function collectPorts(): CollectionHttpPorts {
  const rate = { perSecond: environment('COLLECT_RATE'), burst: environment('COLLECT_BURST') };
  const count = pausing(countEvents(), countPauseMs);
  const guard = sharedRateGuard<string>(eventTable(), projectKeyRateKey);
  return {
    clock: systemClock,
    newId: randomUUID,
    enabled: environment('COLLECTION_ENABLED'),
    keys: collectionKeys(table()),
    rateGuard: (key, events) => guard(key.hash, Date.now, events, key.rate ?? rate),
    attempts: eventAttempts(eventTable(), environment('DEDUP_GUESS_SECONDS') * 1_000),
    sink: eventSink(count),
    count,
  };
}

/** Who answers senders counts events by one write a second and process at most. */
const countPauseMs = 1_000;

function countEvents(): CountEvents {
  const to = eventTable();
  return (counts) => addEventCounts(to, counts).catch(onCountFailed);
}

function eventSink(count: CountEvents): CollectPorts['sink'] {
  const sink = environment('COLLECTION_SINK');
  if (sink === 'discard') return { status: 'discarded', accept: async () => {} };
  if (sink === 'iceberg') return streamSink(count);
  const queue = { client: sqs(), url: environment('EVENTS_QUEUE_URL'), bucket: lakeBucket() };
  return { status: 'accepted', accept: (batch) => enqueueBatch(queue, batch) };
}

/** Nobody works these events later, so that they are counted here: as stored, which leaves repeats in. */
function streamSink(count: CountEvents): CollectPorts['sink'] {
  const stream = { client: firehose(), name: environment('EVENT_STREAM_NAME'), pause: pauseForStream };
  return {
    status: 'accepted',
    accept: async (batch) => {
      await putEvents(stream, batch);
      const { workspace_id, project_id, received_at } = batch.origin;
      const date = received_at.slice(0, 10);
      await count([{ workspace_id, project_id, date, accepted: batch.lines.length, repeated: 0, rejected: {} }]);
    },
  };
}

export function storeEventsPorts(): StoreMessagesPorts & { readonly handBack: HandBack } {
  const bucket = lakeBucket();
  const shapes = announcingShapes(shapeStore(eventTable(), table()), systemClock, announcingWritten());
  const noting = { shapes, queue: evaluations(), trackingPlan: trackingPlanReader(table()) };
  const ledger = eventLedger(eventTable(), environment('EVENTS_DEDUP_DAYS'));
  return {
    ledger,
    lake: eventLake(bucket),
    bucket,
    count: countEvents(),
    noteShapes: (rows) => noteShapes(noting, rows).catch(onCountFailed),
    newRunId: () => runIdAt(systemClock.now(), randomUUID()),
    waitOut,
    handBack: returningMessages(),
  };
}

export type CompactorPorts = CompactPorts & ExpireEventsPorts & { readonly leaseOf: (holder: string) => Lease };

export function compactorPorts(): CompactorPorts {
  const bucket = lakeBucket();
  const records = table();
  const { staged, publish, unstage } = eventLake(bucket);
  return {
    ...expiringObjects(bucket),
    workspaces: () => allWorkspaces(records),
    projects: (workspace) => collectionProjectsOf(records, workspace),
    ledger: { settleRun: eventLedger(eventTable(), environment('EVENTS_DEDUP_DAYS')).settleRun },
    lake: { ...compactedLake(bucket), staged, publish, unstage },
    leaseOf: (holder) => lakeLease(eventTable(), holder),
    onPartitionFailed: (partition, error) =>
      logger.error('partition not compacted', { partition, error: describeError(error) }),
  };
}
