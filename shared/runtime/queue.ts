import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { metricNames } from '../contract/metric-names.ts';
import { OutOfTime } from '../domain/base/time/timestamp.ts';
import { instrumented } from './instrumented.ts';
import { logger, metrics } from './logger.ts';
import { describeError } from './problem-reply.ts';
import { giveBack, type HandBack, receiveCountOf, timeLimit } from './report-failures.ts';

type Received = {
  readonly messageId: string;
  /** 1 for the first receipt. */
  readonly receiveCount: number;
  /** Whether it is too late to begin work that has waited. */
  readonly timeIsUp: () => boolean;
};

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** What a message that is begun last may take. */
const reserveMs = 120_000;

/** One message at a time; only a failed one returns, soon and later each time. `OutOfTime`: the work has not begun. */
export function queueFunction<S extends v.GenericSchema>(
  schema: S,
  handBack: HandBack,
  apply: (message: v.InferOutput<S>, received: Received) => Promise<void>,
): QueueHandler {
  return instrumented(async (event: SQSEvent, context: Context) => {
    const returned: SQSRecord[] = [];
    const timeIsUp = timeLimit(context, reserveMs);
    const applyRecord = async (record: SQSRecord): Promise<void> => {
      try {
        await apply(v.parse(schema, JSON.parse(record.body)), { ...receivedOf(record), timeIsUp });
      } catch (error) {
        returned.push(record);
        if (!(error instanceof OutOfTime)) report(record, error);
        throw error;
      }
    };
    const response = await processPartialResponse(event, applyRecord, new BatchProcessor(EventType.SQS), {
      context,
      // All failing is no failure of the function: each message is received again by itself.
      throwOnFullBatchFailure: false,
    });
    await giveBack(handBack, returned);
    return response;
  });
}

const receivedOf = (record: SQSRecord) => ({ messageId: record.messageId, receiveCount: receiveCountOf(record) });

function report({ messageId }: SQSRecord, error: unknown): void {
  metrics.addMetric(metricNames.recordFailed, 'Count', 1);
  logger.error('message failed', { message_id: messageId, error: describeError(error) });
}
