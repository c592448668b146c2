import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Bucket } from '../adapters/s3/bucket.ts';
import { openBatch } from '../adapters/sqs/events-queue.ts';
import { metricNames } from '../contract/metric-names.ts';
import type { CountEvents } from '../domain/events/event-counts.ts';
import type { StorePorts } from '../domain/events/store/ports.ts';
import type { QueuedBatch } from '../domain/events/store/rows.ts';
import { storeBatches } from '../domain/events/store/store-batches.ts';
import { describeError } from './describe-error.ts';
import { instrumented } from './instrumented.ts';
import { logger } from './logger.ts';
import { metrics } from './metrics.ts';

export type StoreMessagesPorts = StorePorts & {
  /** Holds the batches that no message could. */
  readonly bucket: Bucket;
  readonly count: CountEvents;
};

/** The Lambda handler of the events queue: all messages of a call go into as few lake objects as memory allows. */
export const storeEventsFunction = (ports: StoreMessagesPorts) =>
  instrumented(
    async ({ Records }: SQSEvent, _context: Context): Promise<SQSBatchResponse> => ({
      batchItemFailures: (await storeMessages(ports, Records)).map((itemIdentifier) => ({ itemIdentifier })),
    }),
  );

type Message = Pick<SQSRecord, 'messageId' | 'body'>;
type Opened = { readonly messageId: string; readonly batch: QueuedBatch };

/** In characters of finished rows: what a run holds at once. */
const runSize = 32 * 1024 * 1024;

/** Stores the batches of the messages; answers the ids of those that have to come again. */
export async function storeMessages(
  ports: StoreMessagesPorts,
  messages: readonly Message[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  let run: Opened[] = [];
  let size = 0;
  for (const message of messages) {
    const opened = await open(ports.bucket, message);
    if (opened === null) failed.push(message.messageId);
    else {
      run.push(opened);
      size += sizeOf(opened.batch);
    }
    if (size < runSize) continue;
    failed.push(...(await store(ports, run)));
    [run, size] = [[], 0];
  }
  return [...failed, ...(await store(ports, run))];
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

async function store(ports: StoreMessagesPorts, run: readonly Opened[]): Promise<readonly string[]> {
  const messageIds = run.map(({ messageId }) => messageId);
  try {
    const counts = await storeBatches(
      ports,
      run.map(({ batch }) => batch),
    );
    await ports.count(counts);
    return [];
  } catch (error) {
    report(error, messageIds);
    return messageIds;
  }
}

function report(error: unknown, messageIds: readonly string[]): void {
  metrics.addMetric(metricNames.recordFailed, 'Count', messageIds.length);
  logger.error('events not stored', { message_ids: messageIds, error: describeError(error) });
}
