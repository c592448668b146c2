// Is loaded first by each thread of a service: the machine's clock as if it was set to another time. A file, which the URL
// of this module names, says by how many milliseconds; at a signal to the process all threads read it again. Only the time
// of day moves: timers and `process.hrtime` follow a clock that nobody sets.
import { readFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const file = new URL(import.meta.url).searchParams.get('file');
const machine = Date;
let offset = readOffset();

const channel = new BroadcastChannel('shifted clock');
channel.onmessage = () => {
  offset = readOffset();
};
channel.unref();
if (isMainThread)
  process.on('SIGUSR2', () => {
    offset = readOffset();
    channel.postMessage(null);
  });

const now = () => machine.now() + offset;
globalThis.Date = new Proxy(machine, {
  construct: (target, args, as) => Reflect.construct(target, args.length === 0 ? [now()] : args, as),
  apply: () => new machine(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

// Node dates responses by the clock that it has kept for itself, and clients of AWS correct theirs by such a date.
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function dated(...args) {
  if (!this.headersSent && !this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
  return Reflect.apply(writeHead, this, args);
};

function readOffset() {
  return Number(readFileSync(file, 'utf8'));
}
