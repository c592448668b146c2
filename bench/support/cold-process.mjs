// A fresh process that answers one event with one bundle, as Lambda's first invocation does: JSON with its times on stdout.
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [bundle, event] = process.argv.slice(2);

const streaming = new WeakSet();
globalThis.awslambda = {
  streamifyResponse(handler) {
    streaming.add(handler);
    return handler;
  },
  HttpResponseStream: { from: (stream, head) => Object.assign(stream, { statusCode: head.statusCode }) },
};

const { handler } = await import(pathToFileURL(bundle).href);
const loadedMs = performance.now();
const answer = await (streaming.has(handler)
  ? streamed()
  : handler(JSON.parse(event), { getRemainingTimeInMillis: () => 900_000 }));
// The clock of a process begins when it does.
const answeredMs = performance.now();
const { user, system } = process.cpuUsage();
const figures = { loadedMs, answeredMs, processorMs: (user + system) / 1000, answer };
// A long answer is not written at once: what ends the process before would cut it.
process.stdout.write(`\n${JSON.stringify(figures)}`, () => process.exit());

async function streamed() {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  const finished = new Promise((resolve) => stream.on('finish', resolve));
  await handler(JSON.parse(event), stream, {});
  await finished;
  return { statusCode: stream.statusCode };
}
