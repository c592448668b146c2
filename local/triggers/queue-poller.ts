import { randomBytes } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { chunksOf } from '../../shared/domain/base/collections.ts';
import { awsEnvironment } from '../emulators/environment.ts';
import type { LocalFunction } from '../lambda/local-function.ts';

/** Lambda ends a chain that has come so often through one function. */
const maxHops = 16;

/** The attribute of a message, and the header of the request that sent it, that report the way that led to it. */
const traceAttribute = 'AWSTraceHeader';

type Hops = ReadonlyMap<string, number>;

const lineagePart = /(?:^|;)Lineage=([^;]*)/;

const hopsOf = (message: Message, name: string): number => hopsIn(traceOf(message)).get(name) ?? 0;

/** The trace of an invocation for some messages: of the longest way to one of them, and a hop more. */
function traceOfRun(batch: readonly Message[], name: string): string {
  const hops = new Map<string, number>();
  for (const message of batch)
    for (const [passed, times] of hopsIn(traceOf(message))) hops.set(passed, Math.max(times, hops.get(passed) ?? 0));
  hops.set(name, (hops.get(name) ?? 0) + 1);
  const passed = [...hops].map(([one, times]) => `${one}:${times}`).join('|');
  return `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')};Lineage=${passed}`;
}

const traceOf = ({ MessageAttributes = {} }: Message): string => MessageAttributes[traceAttribute]?.StringValue ?? '';

const hopsIn = (trace: string): Hops =>
  new Map(
    (lineagePart.exec(trace)?.[1] ?? '').split('|').flatMap((part): [string, number][] => {
      const [name = '', times = ''] = part.split(':');
      return name === '' ? [] : [[name, Number(times)]];
    }),
  );

export type EventSourceMapping = {
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly target: Pick<LocalFunction, 'invoke' | 'name' | 'allowsRecursion'>;
  readonly batchSize: number;
  readonly windowMs: number;
  /** Waits the whole window for a full batch, as Lambda does; else an empty queue ends it. */
  readonly waitsForWindow: boolean;
  /** Ends a chain of messages that comes back to the function, unless that allows it. */
  readonly followsRecursion: boolean;
  readonly concurrency: number;
  readonly reportsItemFailures: boolean;
};

type Poller = {
  readonly sqs: SQSClient;
  readonly source: EventSourceMapping;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
};

/** A queue hands out at maxMessages ten at once. */
const maxMessages = 10;
/** The largest event that Lambda accepts. */
const maxEventBytes = 6 * 1024 * 1024;

/** Waits for messages with one request at a time, however many events the function may have. */
export async function pollQueue(poller: Poller): Promise<void> {
  const { source, signal, log } = poller;
  const delivering = new Set<Promise<void>>();
  while (!signal.aborted) {
    if (delivering.size >= source.concurrency) await Promise.race(delivering);
    try {
      const batch = await withoutLoops(poller, await gather(poller));
      if (batch.length === 0) continue;
      const delivery = deliver(poller, batch).finally(() => delivering.delete(delivery));
      delivering.add(delivery);
    } catch (error) {
      if (signal.aborted) return;
      log(`polling ${source.queueArn}: ${error instanceof Error ? error.message : String(error)}`);
      await after(500);
    }
  }
}

async function gather(poller: Poller): Promise<Message[]> {
  const { batchSize, windowMs, waitsForWindow } = poller.source;
  const batch = await receive(poller, Math.min(maxMessages, batchSize), 20);
  const deadline = Date.now() + windowMs;
  while (batch.length > 0 && batch.length < batchSize && Date.now() < deadline && sizeOf(batch) < maxEventBytes) {
    const seconds = waitsForWindow ? Math.min(1, Math.ceil((deadline - Date.now()) / 1_000)) : 0;
    const more = await receive(poller, Math.min(maxMessages, batchSize - batch.length), seconds);
    if (more.length === 0 && !waitsForWindow) break;
    batch.push(...more);
  }
  return batch;
}

async function receive({ sqs, source, signal }: Poller, count: number, waitSeconds: number): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: source.queueUrl,
      MaxNumberOfMessages: count,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
    { abortSignal: signal },
  );
  return Messages;
}

const sizeOf = (batch: readonly Message[]): number => batch.reduce((sum, { Body = '' }) => sum + Body.length, 0);

async function deliver(poller: Poller, batch: readonly Message[]): Promise<void> {
  const { source, signal, log } = poller;
  const trace = source.followsRecursion ? traceOfRun(batch, source.target.name) : null;
  const event: SQSEvent = { Records: batch.map((message) => recordOf(source, message)) };
  try {
    const failed = source.reportsItemFailures
      ? failuresOf(await source.target.invoke(event, null, trace), batch)
      : new Set<string>();
    await remove(
      poller,
      batch.filter(({ MessageId = '' }) => !failed.has(MessageId)),
    );
  } catch (error) {
    // Kept: the visibility time-out brings the whole batch back.
    if (!signal.aborted) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** Drops what has come through the function too often, as Lambda does where a function does not allow it. */
async function withoutLoops(poller: Poller, batch: readonly Message[]): Promise<readonly Message[]> {
  const { target, followsRecursion } = poller.source;
  if (!followsRecursion || target.allowsRecursion) return batch;
  const looping = batch.filter((message) => hopsOf(message, target.name) >= maxHops);
  if (looping.length === 0) return batch;
  await remove(poller, looping);
  poller.log(`${target.name}: ${looping.length} messages of a recursive loop are dropped`);
  return batch.filter((message) => !looping.includes(message));
}

const recordOf = (source: EventSourceMapping, message: Message): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: awsEnvironment.account,
    ApproximateFirstReceiveTimestamp: '0',
    ...message.Attributes,
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: source.queueArn,
  awsRegion: awsEnvironment.region,
});

const BatchResponse = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []) }),
);

/** An answer that names no message of the batch, or cannot be read, fails all of it. */
function failuresOf(result: unknown, batch: readonly Message[]): ReadonlySet<string> {
  const all = new Set(batch.map(({ MessageId = '' }) => MessageId));
  const parsed = v.safeParse(BatchResponse, result);
  if (!parsed.success) return all;
  const failed = new Set(parsed.output?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => all.has(id)) ? failed : all;
}

async function remove({ sqs, source }: Poller, batch: readonly Message[]): Promise<void> {
  for (const some of chunksOf(batch, maxMessages))
    await sqs.send(
      new DeleteMessageBatchCommand({
        QueueUrl: source.queueUrl,
        Entries: some.map(({ ReceiptHandle = '' }, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    );
}
