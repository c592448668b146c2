import { Agent, type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../shared/domain/base/concurrency.ts';

type Sent = {
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** One request in this many is kept, so that keeping them does not affect the measurement. */
const sampled = 20;
const inFlight = 16;

/** Keeps some of a client's requests; answers with how long all would take on the stores if nobody read the answers. */
export function replayedRequests(client: DynamoDBClient): () => Promise<number> {
  const remaining: Sent[] = [];
  let sent = 0;
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, options) => {
    if (sent++ % sampled === 0) remaining.push(request as unknown as Sent);
    return handle(request, options);
  };
  return async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
    const began = performance.now();
    await inParallel(inFlight, remaining, (one) => answered(agent, one));
    const seconds = (performance.now() - began) / 1000;
    agent.destroy();
    return (seconds * sent) / remaining.length;
  };
}

async function answered(agent: Agent, { body, ...head }: Sent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const pending: ClientRequest = request({ ...head, agent }, (response) => {
    if (response.statusCode === 200) text(response).then(() => resolve(), reject);
    else reject(new Error('the stores refuse a request that they answered before'));
  });
  pending.once('error', reject).end(body);
  return promise;
}
