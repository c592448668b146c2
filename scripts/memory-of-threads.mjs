// Is loaded first by each thread of a local service: at a signal to the process, each collects its garbage and writes what it still holds.
import { appendFileSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const channel = new BroadcastChannel('memory of threads');
channel.onmessage = ({ data }) => report(data);
channel.unref();
// The threads of functions have another environment.
if (isMainThread)
  process.on('SIGUSR2', () => {
    channel.postMessage(process.env.MEMORY_OF_THREADS);
    report(process.env.MEMORY_OF_THREADS);
  });

function report(file) {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  appendFileSync(file, `${JSON.stringify({ name: nameOfThread(), bytes: heapUsed + external })}\n`);
}

function nameOfThread() {
  if (isMainThread) return 'main';
  const { name, keys, emulator } = workerData;
  if (keys !== undefined) return emulator === undefined ? 'objects and queues' : 'guard of the table';
  return name;
}
