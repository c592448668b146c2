import { Server } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { startFauxqs } from 'fauxqs';
import * as v from 'valibot';

const { folder } = v.parse(v.object({ folder: v.nullable(v.string()) }), workerData);

// The emulator listens on every interface and checks no credentials: hold it to loopback.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(this: Server, ...args: unknown[]): Server {
  const [options] = args;
  if (typeof options === 'object' && options !== null) Object.assign(options, { host: '127.0.0.1' });
  return Reflect.apply(listen, this, args);
};

const server = await startFauxqs({
  port: 0,
  host: '127.0.0.1',
  logger: false,
  ...(folder ? { dataDir: folder } : {}),
});
parentPort?.postMessage(server.port);
