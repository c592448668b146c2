// Is loaded first by each thread of a service: the machine's clock as if it was set to another time. A file, which the URL
// of this module names, says by how many milliseconds; at a signal to the process all threads read it again. Only the time
// of day moves: timers and `process.hrtime` follow a clock that nobody sets.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { moveDate } from './moved-date.ts';

const file = new URL(import.meta.url).searchParams.get('file');
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

moveDate(() => offset);

function readOffset() {
  return Number(readFileSync(file, 'utf8'));
}
