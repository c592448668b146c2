import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { s3 } from '../../shared/adapters/aws.ts';
import { queueNames } from '../../shared/contract/stack-outputs.ts';
import { version } from '../../shared/contract/system.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { deployedFunctions, type Send } from '../support/deployed-functions.ts';
import { provideForAll } from '../support/provide.ts';
import { answerTo, recording, worked } from '../support/recording/record.ts';
import { type Line, readLine, store, written } from '../support/recording/stored.ts';

const folder = path.resolve(import.meta.dirname, '..', 'fixtures', 'recorded');

const Deliveries = v.object({ items: v.array(v.object({ state: v.string() })) });

const world = provideForAll(startAccessWorld);
let send: Send;
beforeAll(async () => {
  send = await deployedFunctions();
});
afterEach(() => {
  vi.useRealTimers();
  // The client took the recorded time for a clock that is slow.
  s3().config.systemClockOffset = 0;
});

// Set when a version is released (scripts/README.md): records what it stores, sends and answers, for later versions to read.
it.runIf(process.env['RECORD'])('is recorded', async () => {
  const lines: string[] = [];
  for await (const line of recording(world, send)) lines.push(written(line));
  writeFileSync(path.join(folder, `${version}.ndjson`), `${lines.join('\n')}\n`);
});

const versions = process.env['RECORD'] ? [] : readdirSync(folder).map((file) => path.basename(file, '.ndjson'));

describe.each(versions)('what version %s left behind', (recorded) => {
  let lines: readonly Line[];
  beforeAll(async () => {
    const text = readFileSync(path.join(folder, `${recorded}.ndjson`), 'utf8');
    lines = text.trim().split('\n').map(readLine);
    await Promise.all(lines.map(store));
  });

  it('gets the recorded response, plus additions of later versions', async () => {
    const [at] = lines.flatMap((line) => ('recorded_at' in line ? line.recorded_at : []));
    for (const line of lines) {
      if (!('asked' in line)) continue;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at ?? '') });
      const { status, text } = await answerTo(world, send, line.asked);
      vi.useRealTimers();
      expect([line.asked, status]).toEqual([line.asked, line.status]);
      // Fields may be added; none may change or go, and no list may get longer or shorter.
      expect({ answered: JSON.parse(text) }, JSON.stringify(line.asked)).toMatchObject({
        answered: promised(line.answered),
      });
    }
  });

  it('is worked: every message of every queue', async () => {
    const messages = lines.filter((line) => 'queue' in line);
    expect(new Set(messages.map(({ queue }) => queue))).toEqual(new Set(queueNames));
    for (const message of messages) expect([message.body, await worked(message)]).toEqual([message.body, true]);
    const [listed] = lines.filter((line) => 'asked' in line && line.asked.route === 'listDeliveries');
    if (!listed || !('asked' in listed)) throw new Error('No list of deliveries was recorded.');
    const { text } = await answerTo(world, send, listed.asked);
    const states = (json: unknown) => v.parse(Deliveries, json).items.map(({ state }) => state);
    expect(states(listed.answered)).toContain('accepted');
    expect(new Set(states(JSON.parse(text)))).toEqual(new Set(['projected']));
  });
});

/** What an answer costs, and how it words limits and advice, is no promise. */
const promised = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value) => (/^(cost|text|how_to_lift|advice)$/.test(key) ? undefined : value)),
  );
