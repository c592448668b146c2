import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type fc from 'fast-check';

/** Thrown in place of a reply: the process died before or after the store took the request. */
export class Crash extends Error {}

type Send = (command: unknown) => Promise<unknown>;

/**
 * A client whose requests are let through one at a time in an order that the scheduler chooses, and which dies at
 * the requests that `dies` names, before or after they took effect.
 */
export function unsteadyClient(
  client: DynamoDBClient,
  scheduler: fc.Scheduler,
  dies: (request: number) => 'before' | 'after' | null,
): DynamoDBClient {
  let requests = 0;
  const real: Send = client.send.bind(client) as Send;
  const send: Send = async (command) => {
    const death = dies(requests++);
    await scheduler.schedule(Promise.resolve(), `request ${requests}`);
    if (death === 'before') throw new Crash();
    const answer = await real(command);
    if (death === 'after') throw new Crash();
    return answer;
  };
  return { send } as unknown as DynamoDBClient;
}
