import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { ProjectionQueue } from '../../domain/ingest/deliveries/ports.ts';

/** The queue of deliveries to project, and of recounts. */
export function projectionQueue({
  client,
  url,
}: {
  readonly client: SQSClient;
  readonly url: string;
}): ProjectionQueue {
  return {
    send: async (message, options) => {
      await client.send(
        new SendMessageCommand({
          QueueUrl: url,
          MessageBody: JSON.stringify(message),
          // A fair queue: one workspace's load does not keep the others waiting.
          MessageGroupId: message.workspace_id,
          ...(options && { DelaySeconds: options.delaySeconds }),
        }),
      );
    },
  };
}
