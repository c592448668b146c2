import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

export type Redrive = {
  readonly deadLetterQueueUrl: string;
  readonly queueUrl: string;
  /** How long to look for a last dead letter: SQS may overlook some at once, an emulator does not. */
  readonly waitSeconds?: number;
};

/** Longer than the way to the queue and back takes, so that no message is moved twice. */
const heldSeconds = 60;

export async function redrive(
  sqs: SQSClient,
  { deadLetterQueueUrl, queueUrl, waitSeconds = 2 }: Redrive,
): Promise<number> {
  for (let moved = 0; ; ) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: deadLetterQueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: heldSeconds,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) return moved;
    for (const { Body, Attributes, ReceiptHandle } of Messages) {
      const group = Attributes?.MessageGroupId;
      // Sent before it is deleted: a message that is there twice is stored once.
      await sqs.send(
        new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: Body, ...(group && { MessageGroupId: group }) }),
      );
      await sqs.send(new DeleteMessageCommand({ QueueUrl: deadLetterQueueUrl, ReceiptHandle }));
      moved++;
    }
  }
}
