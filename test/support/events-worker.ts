import { ChangeMessageVisibilityCommand, DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../../shared/adapters/aws.ts';
import { type StoreMessagesPorts, storeMessages } from '../../shared/runtime/store-messages.ts';

/** Works the events queue empty as the event source does: what is stored is deleted, and what failed comes again at once. */
export async function storeQueued(ports: StoreMessagesPorts, queueUrl: string): Promise<number> {
  for (let stored = 0; ; ) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return stored;
    const records = Messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body }));
    const unstored = await storeMessages(ports, records);
    const failed = new Set([...unstored.failed, ...unstored.late]);
    for (const { MessageId = '', ReceiptHandle } of Messages) {
      const message = { QueueUrl: queueUrl, ReceiptHandle };
      await (failed.has(MessageId)
        ? sqs().send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }))
        : sqs().send(new DeleteMessageCommand(message)));
    }
    stored += Messages.length - failed.size;
  }
}
