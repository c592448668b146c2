import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { gathered } from '../../shared/domain/base/body.ts';
import { listenOnLoopback } from '../listen.ts';
import { Refused, refuseForeign, verifiedBody } from './guard.ts';

// The entry of a thread that hands requests over to the DynamoDB emulator, which itself asks for no valid signature
// and invites every web page.

const { keys, emulator } = v.parse(
  v.object({
    keys: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
    emulator: v.object({ host: v.string(), port: v.number() }),
  }),
  workerData,
);

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const server = createServer((request, response) => {
  forward(request, response).catch((error: unknown) => refuse(response, error));
});
server.keepAliveTimeout = 65_000;
parentPort?.postMessage(await listenOnLoopback(server));

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  refuseForeign(request.headers, request.socket.localPort);
  const { method = 'POST', url = '/', headers } = request;
  const body = await gathered(verifiedBody(keys, { method, url, headers }, request));
  const onward = send({
    ...emulator,
    agent,
    method,
    path: url,
    headers: { ...headers, 'content-length': body.length },
  });
  onward.end(body);
  const [answer]: IncomingMessage[] = await once(onward, 'response');
  // A client corrects its clock by the response's date, and this thread compares signatures with its own clock.
  const { date: _, ...answered } = answer?.headers ?? {};
  response.writeHead(answer?.statusCode ?? 502, answered);
  answer?.pipe(response);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const [status, name] = error instanceof Refused ? [403, 'AccessDeniedException'] : [500, 'InternalServerError'];
  const message = error instanceof Refused ? error.message : 'The DynamoDB emulator cannot be reached.';
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
    .end(JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message }));
}
