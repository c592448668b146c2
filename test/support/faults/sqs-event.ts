import type { Context, SQSEvent } from 'aws-lambda';
import type { HeldMessage } from './queues.ts';

const ample = 15 * 60_000;

/** What a function is handed of a queue. */
export const sqsEvent = (batch: readonly HeldMessage[]): SQSEvent => ({ Records: batch.map(recordOf) });

const recordOf = ({ id, body, receipts, queue }: HeldMessage): SQSEvent['Records'][number] => ({
  messageId: id,
  receiptHandle: id,
  body,
  attributes: {
    ApproximateReceiveCount: String(receipts),
    SentTimestamp: '0',
    SenderId: '',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: queue,
  awsRegion: '',
});

/** There is always time. */
export const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => ample } as Context;
