import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/** What waits in the queue of events, received by a client that is not metered. It stays in flight until this process ends. */
export async function receivedEvents() {
  const queue = new SQSClient({});
  const messages: { messageId: string; body: string }[] = [];
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl: process.env['EVENTS_QUEUE_URL'], MaxNumberOfMessages: 10 });
    const { Messages = [] } = await queue.send(receive);
    if (Messages.length === 0) return messages;
    messages.push(...Messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body })));
  }
}
