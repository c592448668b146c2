import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { largeBatchPrefix } from '../../contract/lake.ts';
import { limits } from '../../contract/limits.ts';
import { StoreEvents } from '../../contract/messages.ts';
import { Fault } from '../../contract/problems.ts';
import type { AcceptedBatch } from '../../domain/events/accept-batch.ts';
import { packLines, type QueuedBatch, unpackRows } from '../../domain/events/store/store-batches.ts';
import { type Bucket, getObject, putObject } from '../s3/bucket.ts';
import { fairMessage } from './projection.ts';

/** The queue of accepted batches, and the bucket for the bodies that a message cannot hold. */
export type EventsQueue = { readonly client: SQSClient; readonly url: string; readonly bucket: Bucket };

/** Room for the message's other fields, and for what the queue adds. */
const maxInlineBase64 = limits.sqsMessageBytes - 16 * 1024;

export async function enqueueBatch(queue: EventsQueue, { batchId, origin, lines }: AcceptedBatch): Promise<void> {
  const rows = await rowsOf(queue, batchId, packLines(lines));
  const message: StoreEvents = { version: 1, batch_id: batchId, origin, events: lines.length, rows };
  await queue.client.send(
    new SendMessageCommand({ QueueUrl: queue.url, ...fairMessage(message, origin.workspace_id) }),
  );
}

async function rowsOf(queue: EventsQueue, batchId: string, packed: Uint8Array): Promise<StoreEvents['rows']> {
  const base64 = Buffer.from(packed).toString('base64');
  if (base64.length <= maxInlineBase64) return { in: 'message', base64 };
  const key = `${largeBatchPrefix}${batchId}.ndjson.zst`;
  // Before the message: a message must never point at nothing.
  await putObject(queue.bucket, key, packed, { type: 'application/zstd' });
  return { in: 'object', key };
}

/** Reads a message back. Throws where it is none of this queue's, or its object is gone. */
export async function openBatch(bucket: Bucket, body: string): Promise<QueuedBatch> {
  const { batch_id: batchId, origin, rows } = v.parse(StoreEvents, JSON.parse(body));
  const packed = rows.in === 'message' ? Buffer.from(rows.base64, 'base64') : await getObject(bucket, rows.key);
  if (packed === null) throw new Fault('queued_body_missing', 'the body of a queued batch is gone');
  return { batchId, origin, rows: unpackRows(packed, origin) };
}
