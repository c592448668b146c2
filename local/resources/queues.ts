import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { type Wiring, wired } from '../template/wiring.ts';

const QueueProperties = v.object({
  VisibilityTimeout: v.optional(v.number()),
  MessageRetentionPeriod: v.optional(v.number()),
  DelaySeconds: v.optional(v.number()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
});

/** Creates the template's queues; an existing one keeps its messages. */
export async function createQueues(client: SQSClient, wiring: Wiring): Promise<void> {
  const queues = wired(wiring, 'AWS::SQS::Queue', QueueProperties);
  // A redrive policy may only name a queue that exists.
  queues.sort((a, b) => Number('RedrivePolicy' in a.properties) - Number('RedrivePolicy' in b.properties));
  for (const { id, properties } of queues) {
    const { RedrivePolicy, ...numbers } = properties;
    const attributes: Record<string, string> = {};
    for (const [name, value] of Object.entries(numbers)) if (value !== undefined) attributes[name] = String(value);
    if (RedrivePolicy) attributes['RedrivePolicy'] = JSON.stringify(RedrivePolicy);
    await client.send(new CreateQueueCommand({ QueueName: id, Attributes: attributes }));
  }
}
