import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { chunksOf } from '../../domain/base/collections.ts';
import { inParallel } from '../../domain/base/concurrency.ts';

export type UnprocessedMessage = { readonly receiptHandle: string; readonly receiveCount: number };

const perRequest = 10;
const requestsInFlight = 8;

/** Seconds until a message shows again: 10, 40, 160, 640, for each receipt counts towards its dead letters. */
export const retryDelaySeconds = (receiveCount: number): number =>
  Math.min(900, Math.trunc(10 * 4 ** (receiveCount - 1)));

/** Lets messages show again soon, which would stay hidden for six times as long as their worker may run. */
export async function handBack(
  { client, url }: { readonly client: SQSClient; readonly url: string },
  messages: readonly UnprocessedMessage[],
): Promise<void> {
  await inParallel(requestsInFlight, chunksOf(messages, perRequest), (some) =>
    client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: url,
        Entries: some.map(({ receiptHandle, receiveCount }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: retryDelaySeconds(receiveCount),
        })),
      }),
    ),
  );
}
