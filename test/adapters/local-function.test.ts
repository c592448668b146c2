import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Capacity, LocalFunction } from '../../local/lambda/local-function.ts';

/** It keeps its thread busy until the file of a question is there, and answers which thread that is. */
const bundle = `
import { existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
export const handler = async ({ until }) => {
  while (until && !existsSync(until));
  return threadId;
};
`;

describe('a function of the local service', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'function-'));
    writeFileSync(path.join(folder, 'index.mjs'), bundle);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const started = (capacity: Partial<Capacity>) =>
    new LocalFunction(
      {
        name: 'queries',
        arn: '',
        file: path.join(folder, 'index.mjs'),
        memoryMiB: 128,
        resourceLimits: {},
        timeoutMs: 60_000,
        allowsRecursion: false,
        environment: {},
      },
      { containers: 2, eventsPerContainer: 32, maxWaiting: 10, busyAfterMs: 0, idleMs: 60_000, ...capacity },
    );
  const threadOf = async (answer: Promise<unknown>) => v.parse(v.number(), await answer);

  /** Asks what takes until `end` is called. */
  function askDearly(one: LocalFunction, name: string) {
    const until = path.join(folder, name);
    const answer = threadOf(one.invoke({ until }));
    return { answer, end: () => writeFileSync(until, '') };
  }

  it('answers a small question while it computes the answer to a dear one (C-LIMIT-12)', async () => {
    const one = started({});
    const dear = askDearly(one, 'dear');
    const small = await threadOf(one.invoke({}));
    dear.end();
    expect(await dear.answer).not.toBe(small);
    await one.restart();
  });

  it('asks the thread that is idle, however many questions the busy one had before', async () => {
    const one = started({});
    const dear = askDearly(one, 'dear');
    const others = await Promise.all(Array.from({ length: 5 }, () => threadOf(one.invoke({}))));
    dear.end();
    expect(others).not.toContain(await dear.answer);
    expect(new Set(others).size).toBe(1);
    await one.restart();
  });

  it('has one thread as long as no question takes long', async () => {
    const one = started({ busyAfterMs: 60_000 });
    const threads = await Promise.all(Array.from({ length: 8 }, () => threadOf(one.invoke({}))));
    expect(new Set(threads).size).toBe(1);
    await one.restart();
  });

  it('ends each thread if nothing is asked, and starts one again for the next question', async () => {
    const one = started({ idleMs: 0 });
    const threads = new Set<number>();
    const ask = async () => {
      threads.add(await threadOf(one.invoke({})));
      expect(threads.size).toBeGreaterThan(1);
    };
    await vi.waitFor(ask, { timeout: 60_000 });
    await one.restart();
  }, 90_000);

  it('keeps its thread while it waits for a question', async () => {
    const one = started({});
    one.warm();
    const threads = [await threadOf(one.invoke({})), await threadOf(one.invoke({}))];
    expect(new Set(threads).size).toBe(1);
    await one.restart();
  });
});
