import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { moveDate } from '../../test/support/moved-date.ts';
import { type ServiceCredentials, startProcess } from '../../test/support/service-process.ts';

const counts = v.record(v.string(), v.number());
const ThreadFigures = v.object({
  id: v.number(),
  name: v.string(),
  cpu_seconds: v.number(),
  heap_bytes: v.number(),
  external_bytes: v.number(),
  requests: counts,
  /** Whether it replied this time: others have ended, and are as they were last. */
  lives: v.optional(v.boolean(), true),
});

const ServiceFigures = v.object({
  ahead: v.number(),
  main: ThreadFigures,
  threads: v.array(ThreadFigures),
  /** Since the start, by function. */
  invocations: counts,
  failures: v.array(v.string()),
  /** Milliseconds that each message waited in its queue, since the last time. */
  waits: v.record(v.string(), v.array(v.number())),
});
export type ServiceFigures = v.InferOutput<typeof ServiceFigures>;

const Consumed = v.record(v.string(), v.object({ requests: v.number(), units: v.number() }));
export type Consumed = v.InferOutput<typeof Consumed>;

export type WeekService = {
  readonly credentials: ServiceCredentials;
  /** The credentials file. */
  readonly file: string;
  readonly pid: number;
  /** Moves the clock of the service, and of this process, to a time, as fast as the service has done what is due until then. */
  readonly moveTo: (time: number) => Promise<void>;
  readonly figures: (question?: 'now' | 'after garbage') => Promise<ServiceFigures>;
  /** Capacity that requests to DynamoDB consumed since the start, by operation. */
  readonly consumed: () => Promise<Consumed>;
  readonly storedBytes: () => Readonly<Record<string, number>>;
  readonly stop: () => Promise<void>;
};

let ahead = 0;
moveDate(() => ahead);

/** The whole local service on a folder, with a clock that can be moved on. */
export async function startWeekService(): Promise<WeekService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'week-'));
  const data = path.join(folder, 'data');
  const [control, meter] = [path.join(folder, 'control'), path.join(folder, 'meter')];
  const preload = new URL('./service-process.mjs', import.meta.url);
  preload.searchParams.set('socket', control);
  process.env['PRELOADED'] = preload.href;
  process.env['DYNOXIDE_BIN'] = meteredEmulator(path.join(folder, 'dynamodb'), meter);
  const { credentials, file, pid, end } = await startProcess(['--data', data, '--seed', 'conformance']);
  return {
    credentials,
    file,
    pid,
    moveTo: async (time) => {
      const moved = v.parse(v.object({ ahead: v.number() }), await ask(control, `/move?to=${time}`));
      ahead = moved.ahead;
    },
    figures: async (question = 'now') =>
      v.parse(ServiceFigures, await ask(control, `/figures?${new URLSearchParams({ question })}`)),
    consumed: async () => v.parse(Consumed, await ask(meter, '/')),
    storedBytes: () => sizesIn(path.join(data, 'stores')),
    stop: async () => {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A program that the service takes for its emulator. */
function meteredEmulator(file: string, socket: string): string {
  const meter = path.join(import.meta.dirname, 'dynamodb-process.mjs');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${meter}' '${socket}' "$@"\n`);
  chmodSync(file, 0o700);
  return file;
}

async function ask(socketPath: string, question: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  request({ socketPath, path: question }, (response) => {
    text(response).then((body) => {
      if (response.statusCode === 200) resolve(JSON.parse(body));
      else reject(new Error(body));
    }, reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

/** Bytes of each file and, together, of each folder. */
function sizesIn(folder: string): Readonly<Record<string, number>> {
  const size = (entry: string): number => {
    const found = statSync(entry);
    return found.isDirectory()
      ? readdirSync(entry).reduce((sum, one) => sum + size(path.join(entry, one)), 0)
      : found.size;
  };
  return Object.fromEntries(readdirSync(folder).map((entry) => [entry, size(path.join(folder, entry))]));
}
