import type { Context, SQSRecord } from 'aws-lambda';
import type { Unworked } from '../adapters/sqs/hand-back.ts';
import { metricNames } from '../contract/metric-names.ts';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';
import { metrics } from './metrics.ts';

/** Lets the queue show messages again; where it fails they show later. */
export type HandBack = (messages: readonly Unworked[]) => Promise<void>;

/** Whether less than so many milliseconds are left to an invocation. */
export const timeLimit =
  (context: Pick<Context, 'getRemainingTimeInMillis'>, reserveMs: number): (() => boolean) =>
  () =>
    context.getRemainingTimeInMillis() < reserveMs;

/** How often the queue has handed a message out; 1 for the first time. */
export const receiveCountOf = ({ attributes }: Pick<SQSRecord, 'attributes'>): number =>
  Number(attributes.ApproximateReceiveCount);

/** Gives back messages that there was no time for. */
export async function giveBack(handBack: HandBack, records: readonly SQSRecord[]): Promise<void> {
  if (records.length === 0) return;
  metrics.addMetric(metricNames.messageHandedBack, 'Count', records.length);
  const unworked = records.map((record) => ({
    receiptHandle: record.receiptHandle,
    receiveCount: receiveCountOf(record),
  }));
  await handBack(unworked).catch((error: unknown) =>
    logger.warn('messages show again late', { messages: records.length, error: describeError(error) }),
  );
}
