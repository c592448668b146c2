import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { listenOnLoopback } from '../../local/listen.ts';

let server: Server | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
});

const requests: IncomingMessage[] = [];
const body = JSON.stringify({ Item: { pk: { S: 'p' } } });

/** A table whose answer to one request, by its number, stops after the headers and a byte; a client of the service's. */
async function stalledAt(stalled: number) {
  requests.length = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    requests.push(request);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': body.length });
    if (requests.length === stalled) response.write(body.slice(0, 1));
    else response.end(body);
  };
  server = createServer(answer);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', await listenOnLoopback(server, 0));
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 's');
  vi.resetModules();
  return (await import('../../shared/adapters/aws.ts')).dynamodb();
}

const get = new GetItemCommand({ TableName: 't', Key: { pk: { S: 'p' } } });
const isDirect = ({ headers }: IncomingMessage) => !('amz-sdk-request' in headers);

it.each([
  ['the SDK sent', 1, [false, false]],
  ['was sent directly', 2, [false, true, false]],
] as const)(
  'retries a request that %s and whose answer stalls after the headers',
  async (_, stalled, sent) => {
    const client = await stalledAt(stalled);
    for (let place = 0; place < stalled; place++) expect((await client.send(get)).Item).toEqual({ pk: { S: 'p' } });
    expect(requests.map(isDirect)).toEqual(sent);
    await vi.waitFor(() => expect(requests[stalled - 1]?.socket.destroyed).toBe(true));
  },
  20_000,
);

it('sends each request by the SDK if the setting says so', async () => {
  vi.stubEnv('DIRECT_REQUESTS', 'false');
  const client = await stalledAt(0);
  for (let place = 0; place < 3; place++) await client.send(get);
  expect(requests.map(isDirect)).toEqual([false, false, false]);
});
