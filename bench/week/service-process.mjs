// Is loaded first by each thread of the service that `bench/week.ts` starts: a clock that skips the time while the
// service has nothing to do, and the figures of each thread. The clock runs as the machine's does while anything works.
// At a request to the socket that the URL of this module names, it moves on to a later time, from one due timer to the
// next, and waits after each until all functions rest. Timers of less than a minute stay the machine's.
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  BroadcastChannel,
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  threadId,
  threadName,
  Worker,
} from 'node:worker_threads';
import { moveDate } from '../../test/support/moved-date.ts';

const shared = 'milliseconds ahead of the machine';
if (isMainThread) setEnvironmentData(shared, new SharedArrayBuffer(8));
const ahead = new Float64Array(getEnvironmentData(shared));
moveDate(() => ahead[0]);

const channel = new BroadcastChannel('figures of threads');
const requests = {};
channel.onmessage = ({ data }) => {
  if (data.question === undefined) return;
  if (data.question === 'after garbage') collectGarbage();
  channel.postMessage({ ...ownFigures(), round: data.round });
};
channel.unref();

// Requests that functions and the bench send to the emulators of this thread.
if (!isMainThread)
  subscribe('http.server.request.start', ({ request }) => {
    const { method, url, headers } = request;
    const kind = headers['x-amz-target'] ?? `S3.${method}${url.includes('list-type') ? ' list' : ''}`;
    requests[kind] = (requests[kind] ?? 0) + 1;
  });

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function ownFigures() {
  const { user, system } = process.threadCpuUsage();
  const { used_heap_size, external_memory } = getHeapStatistics();
  const heap = { heap_bytes: used_heap_size, external_bytes: external_memory };
  return {
    id: threadId,
    name: isMainThread ? 'main' : threadName || 'worker',
    cpu_seconds: (user + system) / 1e6,
    ...heap,
    requests,
  };
}

if (isMainThread) control();

function control() {
  const alarms = timersOfMinutes();
  const work = watchedFunctions();
  const threads = new Map();
  channel.onmessage = ({ data }) => {
    if (data.id !== undefined) threads.set(data.id, data);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://service');
    const answer =
      pathname === '/move' ? moveTo(Number(searchParams.get('to'))) : figures(searchParams.get('question'));
    answer.then(
      (body) => response.end(JSON.stringify(body)),
      (error) => response.writeHead(500).end(String(error.stack)),
    );
  });
  server.listen(new URL(import.meta.url).searchParams.get('socket')).unref();
  setInterval(alarms.ring, 200).unref();

  async function moveTo(time) {
    while (Date.now() < time) {
      await work.rests();
      ahead[0] += Math.max(0, Math.min(time, alarms.next()) - Date.now());
      alarms.ring();
      // A message that a function has sent is in its queue for some milliseconds before the next one has it.
      await after(3);
    }
    await work.rests();
    return { ahead: ahead[0] };
  }

  let round = 0;
  async function figures(question) {
    round++;
    channel.postMessage({ question, round });
    const lives = (id) => threads.get(id)?.round === round;
    // A thread that is busy replies later, and one that has ended not at all.
    const end = performance.now() + (question === 'after garbage' ? 30_000 : 100);
    while (performance.now() < end && !work.threads().every(lives)) await after(20);
    if (question === 'after garbage') collectGarbage();
    return {
      ahead: ahead[0],
      main: ownFigures(),
      threads: [...threads.values()].map((one) => ({ ...one, lives: lives(one.id) })),
      ...work.read(),
    };
  }
}

/** Takes over the timers of a minute and more. They follow the moved clock, as the rules of EventBridge would. */
function timersOfMinutes() {
  const alarms = new Set();
  const machine = { every: globalThis.setInterval, end: globalThis.clearInterval };
  globalThis.setInterval = (work, delay, ...args) => {
    if (delay < 60_000) return machine.every(work, delay, ...args);
    const alarm = { delay, due: Date.now() + delay, ring: () => work(...args) };
    alarms.add(alarm);
    return alarm;
  };
  globalThis.clearInterval = (timer) => alarms.delete(timer) || machine.end(timer);
  return {
    next: () => Math.min(...[...alarms].map(({ due }) => due)),
    ring: () => {
      for (const alarm of alarms) {
        if (alarm.due > Date.now()) continue;
        alarm.due = Date.now() + alarm.delay;
        alarm.ring();
      }
    },
  };
}

/** Which invocations run, how many there were and how long their messages had waited, from the messages to and from threads. */
function watchedFunctions() {
  const running = new Map();
  const started = new Map();
  const invocations = {};
  const failures = [];
  let waits = {};
  const { postMessage, emit } = Worker.prototype;
  Worker.prototype.postMessage = function watched(message, ...rest) {
    if (message?.kind === 'invoke') begin(this, message);
    return Reflect.apply(postMessage, this, [message, ...rest]);
  };
  Worker.prototype.emit = function watched(name, ...args) {
    if (name === 'message' && args[0]?.kind === 'failed') failures.push(`${this.threadName}: ${args[0].error}`);
    if (name === 'message' && ['done', 'failed'].includes(args[0]?.kind)) running.delete(args[0].id);
    if (name === 'online') started.set(this, this.threadId);
    if (name === 'exit') started.delete(this);
    if (name === 'exit') for (const [id, thread] of running) if (thread === this) running.delete(id);
    return Reflect.apply(emit, this, [name, ...args]);
  };
  function begin(thread, { id, event }) {
    running.set(id, thread);
    invocations[thread.threadName] = (invocations[thread.threadName] ?? 0) + 1;
    for (const { eventSourceARN, attributes } of event?.Records ?? []) {
      const queue = eventSourceARN.split(':').at(-1);
      waits[queue] = [...(waits[queue] ?? []), Date.now() - Number(attributes.SentTimestamp)];
    }
  }
  return {
    threads: () => [...started.values()],
    rests: async () => {
      const end = performance.now() + 60_000;
      while (running.size > 0 && performance.now() < end) await after(2);
    },
    read: () => {
      const read = { invocations, failures: [...failures], waits };
      waits = {};
      return read;
    },
  };
}
