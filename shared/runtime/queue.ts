import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { metricNames } from '../contract/metric-names.ts';
import { describeError } from './describe-error.ts';
import { instrumented } from './instrumented.ts';
import { logger } from './logger.ts';
import { metrics } from './metrics.ts';

type Received = {
  readonly messageId: string;
  /** 1 for the first receipt. */
  readonly receiveCount: number;
};

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** The Lambda handler that applies one message at a time; what fails is received again, alone. */
export function queueFunction<S extends v.GenericSchema>(
  schema: S,
  apply: (message: v.InferOutput<S>, received: Received) => Promise<void>,
): QueueHandler {
  const applyRecord = async (record: SQSRecord): Promise<void> => {
    try {
      await apply(v.parse(schema, JSON.parse(record.body)), receivedOf(record));
    } catch (error) {
      report(record, error);
      throw error;
    }
  };
  return instrumented(async (event: SQSEvent, context: Context) =>
    processPartialResponse(event, applyRecord, new BatchProcessor(EventType.SQS), {
      context,
      // All failing is no failure of the function: each message is received again by itself.
      throwOnFullBatchFailure: false,
    }),
  );
}

const receivedOf = ({ messageId, attributes }: SQSRecord): Received => ({
  messageId,
  receiveCount: Number(attributes.ApproximateReceiveCount),
});

function report({ messageId }: SQSRecord, error: unknown): void {
  metrics.addMetric(metricNames.recordFailed, 'Count', 1);
  logger.error('message failed', { message_id: messageId, error: describeError(error) });
}
