import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Bucket } from '../adapters/s3/bucket.ts';
import { openBatch } from '../adapters/sqs/events-queue.ts';
import { metricNames } from '../contract/metric-names.ts';
import { sortedBy } from '../domain/base/collections.ts';
import type { CountEvents } from '../domain/events/event-counts.ts';
import {
  type QueuedBatch,
  type StoredRow,
  type StorePorts,
  storeBatches,
} from '../domain/events/store/store-batches.ts';
import { instrumented } from './instrumented.ts';
import { logger, metrics } from './logger.ts';
import { describeError } from './problem-reply.ts';
import { giveBack, type HandBack, receiveCountOf, timeLimit } from './report-failures.ts';

export type StoreMessagesPorts = StorePorts & {
  /** Holds the batches that no message could. */
  readonly bucket: Bucket;
  readonly count: CountEvents;
  /** Notes the fields of stored events. Never throws. */
  readonly noteShapes: (rows: readonly StoredRow[]) => Promise<void>;
};

/** What is left when claims end: time to write what was claimed, which is a run at most. */
const reserveMs = 30_000;

/** The Lambda handler of the events queue: the messages of a call go into few lake objects, as far as its time goes. */
export const storeEventsFunction = (ports: StoreMessagesPorts & { readonly handBack: HandBack }) =>
  instrumented(async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    // Those that were given back before come first: each receipt counts towards their dead letters.
    const records = sortedBy(Records, (record) => -receiveCountOf(record));
    const { failed, late } = await storeMessages(ports, records, timeLimit(context, reserveMs));
    const unstored = new Set([...failed, ...late]);
    await giveBack(
      ports.handBack,
      records.filter(({ messageId }) => unstored.has(messageId)),
    );
    return { batchItemFailures: [...unstored].map((itemIdentifier) => ({ itemIdentifier })) };
  });

type Message = Pick<SQSRecord, 'messageId' | 'body'>;
type Opened = { readonly messageId: string; readonly batch: QueuedBatch };

/** Messages that have to come again, by id: those that failed, and those that there was no time for. */
type Unstored = { readonly failed: readonly string[]; readonly late: readonly string[] };

/** What a run holds at once: events, and characters of finished rows. */
const runSize = { events: 10_000, characters: 32 * 1024 * 1024 };

/** Stores the batches of the messages, a run after another until the time is up. */
export async function storeMessages(
  ports: StoreMessagesPorts,
  messages: readonly Message[],
  timeIsUp: () => boolean = () => false,
): Promise<Unstored> {
  const failed: string[] = [];
  const late: string[] = [];
  const waiting = [...messages];
  while (waiting.length > 0 && !timeIsUp()) {
    const run = await openRun(ports, waiting, timeIsUp);
    const unstored = await store(ports, run.opened, timeIsUp);
    failed.push(...run.unreadable, ...unstored.failed);
    late.push(...unstored.late);
  }
  return { failed, late: [...late, ...waiting.map(({ messageId }) => messageId)] };
}

/** Takes waiting messages from the front until a run is full. */
async function openRun(ports: StoreMessagesPorts, waiting: Message[], timeIsUp: () => boolean) {
  const opened: Opened[] = [];
  const unreadable: string[] = [];
  let [events, characters] = [0, 0];
  while (events < runSize.events && characters < runSize.characters && !timeIsUp()) {
    const message = waiting.shift();
    if (message === undefined) break;
    const one = await open(ports.bucket, message);
    if (one === null) unreadable.push(message.messageId);
    else opened.push(one);
    events += one?.batch.rows.length ?? 0;
    characters += one ? sizeOf(one.batch) : 0;
  }
  return { opened, unreadable };
}

const sizeOf = ({ rows }: QueuedBatch): number => rows.reduce((sum, { line }) => sum + line.length, 0);

/** Null where the message cannot be read: it fails by itself, and not the others with it. */
async function open(bucket: Bucket, { messageId, body }: Message): Promise<Opened | null> {
  try {
    return { messageId, batch: await openBatch(bucket, body) };
  } catch (error) {
    report(error, [messageId]);
    return null;
  }
}

async function store(ports: StoreMessagesPorts, run: readonly Opened[], timeIsUp: () => boolean): Promise<Unstored> {
  try {
    const batches = run.map(({ batch }) => batch);
    const { counts, unfinished, rows } = await storeBatches(ports, batches, timeIsUp);
    await Promise.all([ports.count(counts), ports.noteShapes(rows)]);
    return { failed: [], late: idsOf(run.filter(({ batch }) => unfinished.has(batch.batchId))) };
  } catch (error) {
    report(error, idsOf(run), requestsOf(run));
    return { failed: idsOf(run), late: [] };
  }
}

const idsOf = (run: readonly Opened[]): readonly string[] => run.map(({ messageId }) => messageId);

const requestsOf = (run: readonly Opened[]) => [...new Set(run.map(({ batch }) => batch.origin.request_id))];

function report(error: unknown, messageIds: readonly string[], requestIds: readonly string[] = []): void {
  metrics.addMetric(metricNames.recordFailed, 'Count', messageIds.length);
  logger.error('events not stored', { message_ids: messageIds, request_ids: requestIds, error: describeError(error) });
}
