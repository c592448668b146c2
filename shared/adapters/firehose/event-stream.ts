import { setTimeout as delay } from 'node:timers/promises';
import { type FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import * as v from 'valibot';
import type { RowOrigin } from '../../contract/collection.ts';
import { landingColumns, landingDay } from '../../contract/lake.ts';
import { Fault } from '../../contract/problems.ts';
import { comparableId } from '../../domain/base/collections.ts';
import { parseExactJson } from '../../domain/base/json/read-json.ts';
import type { AcceptedBatch } from '../../domain/events/accept-batch.ts';

export type EventStream = {
  readonly client: FirehoseClient;
  readonly name: string;
  /** Waits before records are sent again that `attempt` sends have not brought in. */
  readonly pause: (attempt: number) => Promise<void>;
};

type Records = readonly Uint8Array[];

/** https://docs.aws.amazon.com/firehose/latest/dev/limits.html: 500 records and 4 MiB a call, which base64 may count towards. */
const callLimits = { records: 500, bytes: 3 * 1024 * 1024 };
const maxSends = 6;

/** A stream that is throttled takes records again within a second; a caller waits some seconds at most. */
export const pauseForStream = (attempt: number): Promise<void> =>
  delay(50 * 2 ** attempt * (0.5 + Math.random() / 2)).then(() => undefined);

/** Resolves once the stream has all events. A retry may repeat some: the merge recognizes ids. Throws Fault. */
export async function putEvents(stream: EventStream, { lines, origin }: AcceptedBatch): Promise<void> {
  for (const call of callsOf(landingRecords(lines, origin))) await putAll(stream, call);
}

function callsOf(records: Records): readonly Records[] {
  const calls: Uint8Array[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const call = calls.at(-1);
    if (call === undefined || call.length === callLimits.records || bytes + record.length > callLimits.bytes) {
      calls.push([record]);
      bytes = record.length;
    } else {
      call.push(record);
      bytes += record.length;
    }
  }
  return calls;
}

async function putAll(stream: EventStream, records: Records): Promise<void> {
  let waiting = records;
  for (let sends = 1; ; sends++) {
    waiting = await put(stream, waiting);
    if (waiting.length === 0) return;
    if (sends === maxSends)
      throw new Fault('event_stream_refused', `the stream refused ${waiting.length} of ${records.length} records`);
    await stream.pause(sends);
  }
}

async function put({ client, name }: EventStream, records: Records): Promise<Records> {
  const command = new PutRecordBatchCommand({
    DeliveryStreamName: name,
    Records: records.map((Data) => ({ Data })),
  });
  const { FailedPutCount, RequestResponses = [] } = await client.send(command);
  if (FailedPutCount === 0) return [];
  return records.filter((_, index) => RequestResponses[index]?.RecordId === undefined);
}

const Event = v.record(v.string(), v.unknown());

/** Each event once, its columns as text. Objects are JSON text, so numbers keep their digits (C-LAKE-4). */
export function landingRecords(lines: readonly string[], origin: RowOrigin): readonly Uint8Array[] {
  const rows = new Map<string, string>();
  for (const line of lines) {
    const row = landingRow(line, origin);
    const id = row['id'] ?? '';
    if (!rows.has(id)) rows.set(id, JSON.stringify(row));
  }
  return Array.from(rows.values(), (row) => Buffer.from(row));
}

function landingRow(line: string, origin: RowOrigin): Readonly<Record<string, string>> {
  const event = v.parse(Event, parseExactJson(line));
  const row: Readonly<Record<string, unknown>> = {
    ...event,
    id: comparableId(String(event['id'])),
    ...origin,
    [landingDay]: origin.received_at.slice(0, 10),
  };
  return Object.fromEntries(landingColumns.map((column) => [column, textOf(row[column])]));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  // Parquet holds UTF-8, which has no half of a surrogate pair.
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}
