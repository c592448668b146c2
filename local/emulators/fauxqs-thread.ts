import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { startFauxqs } from 'fauxqs';
import * as v from 'valibot';

const { folder } = v.parse(v.object({ folder: v.nullable(v.string()) }), workerData);

const largestObject = 256 * 1024 * 1024;

// The emulator listens on every interface and checks no credentials: hold it to loopback.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(this: Server, ...args: unknown[]): Server {
  const [options] = args;
  if (typeof options === 'object' && options !== null) Object.assign(options, { host: '127.0.0.1' });
  return Reflect.apply(listen, this, args);
};

type Fastify = { addHook: (name: 'onRoute', hook: (route: { bodyLimit?: number }) => void) => void };
const isFastify = (value: unknown): value is Fastify =>
  typeof value === 'object' && value !== null && 'addHook' in value;
const Initialized = v.object({ fastify: v.custom<Fastify>(isFastify) });

// The emulator refuses a PUT over 11 MiB; S3 takes 5 GB.
subscribe('fastify.initialization', (message) => {
  v.parse(Initialized, message).fastify.addHook('onRoute', (route) => {
    route.bodyLimit ??= largestObject;
  });
});

const server = await startFauxqs({
  port: 0,
  host: '127.0.0.1',
  logger: false,
  ...(folder ? { dataDir: folder } : {}),
});
parentPort?.postMessage(server.port);
