import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type ProjectionMessage, queueOf } from '../../contract/messages.ts';
import { Fault } from '../../contract/problems.ts';
import { inParallel } from '../../domain/base/concurrency.ts';
import type { BulkQueue, ProjectionQueue } from '../../domain/lineage/ingest/deliveries/ports.ts';

type ProjectionQueues = {
  readonly client: SQSClient;
  readonly urls: Readonly<Record<ReturnType<typeof queueOf>, string>>;
};

export function projectionQueues({ client, urls }: ProjectionQueues): ProjectionQueue & BulkQueue {
  const queues = {
    projection: projectionQueue({ client, url: urls.projection }),
    documents: projectionQueue({ client, url: urls.documents }),
  };
  return {
    send: (message, options) => queues[queueOf(message)].send(message, options),
    sendAll: async (messages, onUnsent) => {
      const byQueue = Map.groupBy(messages, queueOf);
      await Promise.all([...byQueue].map(([name, some]) => queues[name].sendAll(some, onUnsent)));
    },
  };
}

export function projectionQueue({ client, url }: Queue): ProjectionQueue & BulkQueue {
  return {
    ...fairQueue<ProjectionMessage>({ client, url }),
    sendAll: async (messages, onUnsent) => {
      const batches: (typeof messages)[] = [];
      for (let i = 0; i < messages.length; i += perRequest) batches.push(messages.slice(i, i + perRequest));
      await inParallel(requestsInFlight, batches, (batch) => sendBatch({ client, url }, batch, onUnsent));
    },
  };
}

/** Of one request; messages hold ids, and ten of them are far below the limit of a request. */
const perRequest = 10;
const requestsInFlight = 4;

async function sendBatch<M extends ProjectionMessage>(
  { client, url }: Queue,
  batch: readonly M[],
  onUnsent: (message: M, error: unknown) => void,
): Promise<void> {
  const Entries = batch.map(
    (message, id): SendMessageBatchRequestEntry => ({ Id: String(id), ...fairMessage(message, message.workspace_id) }),
  );
  try {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
    for (const { Id, Code } of Failed) {
      const message = batch[Number(Id)];
      if (message) onUnsent(message, new Fault('message_refused', `the queue refused a message: ${Code}`));
    }
  } catch (error) {
    for (const message of batch) onUnsent(message, error);
  }
}

type Queue = { readonly client: SQSClient; readonly url: string };

type OfWorkspace = { readonly workspace_id: string };

/** JSON that queues take: SQS refuses U+FFFE and U+FFFF, the local queue also characters of two units, such as emoji. */
const messageText = (message: object): string =>
  JSON.stringify(message).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** A message as SQS takes it: the load of one workspace does not delay the others. */
export const fairMessage = (message: object, workspaceId: string) => ({
  MessageBody: messageText(message),
  // On a standard queue this makes it a fair one.
  MessageGroupId: workspaceId,
});

/** A queue whose messages are each of a workspace, worked at least once and in any order. */
export const fairQueue = <M extends OfWorkspace>({ client, url }: Queue) => ({
  send: async (message: M, options?: { readonly delaySeconds: number }): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: url,
        ...fairMessage(message, message.workspace_id),
        ...(options && { DelaySeconds: options.delaySeconds }),
      }),
    );
  },
});
