import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { startFauxqs } from 'fauxqs';
import * as v from 'valibot';
import { refuseForeign, verifiedBody } from './guard.ts';

const { folder, keys } = v.parse(
  v.object({
    folder: v.nullable(v.string()),
    keys: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
  }),
  workerData,
);

const maxObjectBytes = 256 * 1024 * 1024;

// The emulator listens on every interface: hold it to loopback.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(this: Server, ...args: unknown[]): Server {
  const [options] = args;
  if (typeof options === 'object' && options !== null) Object.assign(options, { host: '127.0.0.1' });
  return Reflect.apply(listen, this, args);
};

type Request = { readonly raw: IncomingMessage; readonly originalUrl: string; readonly body: unknown };
type Reply = {
  readonly statusCode: number;
  readonly header: (name: string, value: string) => unknown;
  readonly send: (body: unknown) => unknown;
};
type Fastify = {
  addHook(name: 'onRoute', hook: (route: { bodyLimit?: number }) => void): void;
  addHook(name: 'onError', hook: (request: Request, reply: Reply, error: Error) => Promise<void>): void;
  addHook(name: 'onSend', hook: (request: Request, reply: Reply, payload: unknown) => Promise<unknown>): void;
  addHook(name: 'preHandler', hook: (request: Request, reply: Reply) => Promise<unknown>): void;
  addHook(name: 'onRequest', hook: (request: Request) => Promise<void>): void;
  addHook(name: 'preParsing', hook: (request: Request, reply: unknown, body: Readable) => Promise<Readable>): void;
};
const isFastify = (value: unknown): value is Fastify =>
  typeof value === 'object' && value !== null && 'addHook' in value;
const Initialized = v.object({ fastify: v.custom<Fastify>(isFastify) });

subscribe('fastify.initialization', (message) => {
  const { fastify } = v.parse(Initialized, message);
  // The emulator refuses a PUT over 11 MiB; S3 takes 5 GB.
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit ??= maxObjectBytes;
  });
  // Such as a full disk, which is reported nowhere else.
  fastify.addHook('onError', async (_request, _reply, error) => {
    if (!isClientError(error)) console.error(`The emulator of S3 and SQS failed: ${error.message}`);
  });
  // It answers its failures as JSON, which a client of S3 cannot read.
  fastify.addHook('onSend', async ({ originalUrl }, reply, payload) => {
    if (reply.statusCode < 500 || originalUrl === '/') return payload;
    reply.header('content-type', 'application/xml');
    return '<?xml version="1.0" encoding="UTF-8"?><Error><Code>InternalError</Code><Message>It failed.</Message></Error>';
  });
  // It keeps no header of the request that sent a message; SQS keeps that of the trace.
  fastify.addHook('preHandler', async ({ raw, body }) => keepTrace(raw.headers['x-amzn-trace-id'], body));
  // It does not know this operation.
  fastify.addHook('preHandler', async ({ raw, body }, reply) =>
    raw.headers['x-amz-target'] === 'AmazonSQS.StartMessageMoveTask' ? reply.send(moveMessages(body)) : undefined,
  );
  // It does not check the caller or the keys.
  fastify.addHook('onRequest', async ({ raw }) => refuseForeign(raw.headers, raw.socket.localPort));
  fastify.addHook('preParsing', async ({ raw, originalUrl }, _reply, body) =>
    verifiedBody(keys, { method: raw.method ?? '', url: originalUrl, headers: raw.headers }, body),
  );
});

const Sent = v.object({ MessageBody: v.string(), MessageAttributes: v.optional(v.record(v.string(), v.unknown())) });
const SentTogether = v.object({ Entries: v.array(Sent) });

function keepTrace(trace: string | string[] | undefined, body: unknown): void {
  if (typeof trace !== 'string') return;
  const attribute = { AWSTraceHeader: { DataType: 'String', StringValue: trace } };
  const messages = v.is(SentTogether, body) ? body.Entries : v.is(Sent, body) ? [body] : [];
  for (const message of messages)
    Object.assign(message, { MessageAttributes: { ...message.MessageAttributes, ...attribute } });
}

const Move = v.object({ SourceArn: v.string(), DestinationArn: v.string() });

/** Moves all messages at once. The emulator removes messages without receiving them only with their queue. */
function moveMessages(request: unknown): object {
  const { SourceArn, DestinationArn } = v.parse(Move, request);
  const [source = '', destination = ''] = [SourceArn, DestinationArn].map((arn) => arn.split(':').at(-1));
  const { attributes, messages } = server.inspectQueue(source) ?? { attributes: {}, messages: null };
  const all = messages ? [...messages.ready, ...messages.inflight.map(({ message }) => message)] : [];
  for (const { body, messageAttributes } of all) server.sendMessage(destination, body, { messageAttributes });
  server.deleteQueue(source);
  server.createQueue(source, { attributes });
  return { TaskHandle: SourceArn };
}

function isClientError(error: Error): boolean {
  return 'statusCode' in error && Number(error.statusCode) < 500;
}

const server = await startFauxqs({
  port: 0,
  host: '127.0.0.1',
  logger: false,
  ...(folder ? { dataDir: folder } : {}),
});
parentPort?.postMessage(server.port);
