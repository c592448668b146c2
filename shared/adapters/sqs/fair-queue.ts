import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

export type Queue = { readonly client: SQSClient; readonly url: string };

type OfWorkspace = { readonly workspace_id: string };

/** What a queue is sent of a message: one workspace's load does not keep the others waiting. */
export const bodyOf = (message: OfWorkspace) => ({
  MessageBody: JSON.stringify(message),
  // On a standard queue this makes it a fair one.
  MessageGroupId: message.workspace_id,
});

/** A queue whose messages are each of a workspace, worked at least once and in any order. */
export const fairQueue = <M extends OfWorkspace>({ client, url }: Queue) => ({
  send: async (message: M, options?: { readonly delaySeconds: number }): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: url,
        ...bodyOf(message),
        ...(options && { DelaySeconds: options.delaySeconds }),
      }),
    );
  },
});
