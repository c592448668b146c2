import type { PutRecordBatchCommandInput } from '@aws-sdk/client-firehose';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type FunctionName, functionSpecs } from '../../lib/function-specs.ts';
import { dynamodb, firehose, s3, sqs } from '../../shared/adapters/aws.ts';
import { cpuMsOf } from '../support/figures.ts';
import { consumedIn, reads, unitsOf } from '../support/units.ts';
import type { Unit, Usage } from './prices.ts';

/** What a function bills beyond its own processor time: it waits for stores about as long as it works. */
const waiting = 2;

/** Of a processor, by memory; a whole one has 1,769 MiB. */
const wholeProcessorMiB = 1_769;

/** What API Gateway writes of a request in the access log; Lambda writes of invocations that fail alone. */
export const accessLogBytes = 180;

const counts: Partial<Record<Unit, number>> = {};
const metricsSeen = new Set<string>();
const add = (unit: Unit, amount: number) => {
  counts[unit] = (counts[unit] ?? 0) + amount;
};

/** Counts from now on what this process asks of stores, and what it logs. */
export function startMetering(): void {
  dynamodb().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        const of =
          'TableName' in args.input && args.input.TableName === process.env['EVENT_TABLE_NAME'] ? 'ledger_' : '';
        add(`${of}${reads.test(commandName) ? 'read_units' : 'write_units'}`, unitsOf(consumedIn(answer.output)));
        return answer;
      },
    { step: 'initialize', name: 'cost' },
  );
  const others: readonly Pick<S3Client & SQSClient, 'middlewareStack'>[] = [s3(), sqs()];
  for (const { middlewareStack } of others)
    middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (/^(PutObject|CopyObject|ListObjects)/u.test(commandName)) add('s3_puts', 1);
          else if (/^(Get|Head)Object/u.test(commandName)) add('s3_gets', 1);
          // The event source receives and deletes ten at once.
          else if (/^SendMessage/u.test(commandName)) add('sqs_requests', 1.2);
          return next(args);
        },
      { step: 'initialize', name: 'cost' },
    );
  answerForStream();
  process.stdout.write = countLogged;
}

/** Firehose charges a record by 5 KB. */
const chargedBytes = 5_120;

/** There is no stream here: a request is answered once it is signed. */
function answerForStream(): void {
  firehose().middlewareStack.add(
    () => async (args) => {
      const { Records = [] } = args.input as PutRecordBatchCommandInput;
      for (const { Data } of Records)
        add('firehose_bytes', Math.ceil((Data?.length ?? 0) / chargedBytes) * chargedBytes);
      return { output: { FailedPutCount: 0, RequestResponses: [], $metadata: {} }, response: {} };
    },
    { step: 'finalizeRequest', priority: 'low', name: 'cost' },
  );
}

/** What the functions log and publish is counted, and not printed. */
function countLogged(chunk: Uint8Array | string): boolean {
  add('log_bytes', Buffer.byteLength(chunk));
  for (const [, name = ''] of String(chunk).matchAll(/"Name":"(\w+)"/g)) metricsSeen.add(name);
  return true;
}

/** Its own metrics that this process has published. */
export const publishedMetrics = (): readonly string[] => [...metricsSeen].sort();

/** What some invocations of a function use, with the time that it bills and what the platform logs of them. */
export async function metered(name: FunctionName, invocations: number, work: () => Promise<unknown>): Promise<Usage> {
  for (const unit of Object.keys(counts) as Unit[]) delete counts[unit];
  const cpu = await cpuMsOf(work);
  const { memoryMiB } = functionSpecs[name];
  const seconds = (cpu / 1_000 / Math.min(1, memoryMiB / wholeProcessorMiB)) * waiting;
  return {
    ...counts,
    lambda_requests: invocations,
    lambda_gb_seconds: (seconds * memoryMiB) / 1_024,
  };
}
