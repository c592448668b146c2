import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { Seeded } from '../local/credentials.ts';
import { consumptionOf } from './support/process-tree.ts';

// What the local service of a laptop holds and takes while nobody uses it (only on Linux): after `npm start` with its
// sample, and after each of some minutes of rest; then the first answers, which start threads again, and the next ones.
// A JSON line a figure: `--minutes 4`
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '4' } } });
const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'idle-'));
const credentials = path.join(folder, 'credentials.json');
const options = ['--port', '0', '--data', path.join(folder, 'data'), '--credentials', credentials];
const service = spawn(process.execPath, [path.join(root, 'scripts', 'start.mjs'), ...options], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  for await (const line of createInterface({ input: service.stdout })) if (line.includes('Ctrl-C')) break;
  service.stdout.resume();
  await measureRest();
  await measureAnswers();
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(folder, { recursive: true });
}

async function measureRest(): Promise<void> {
  let before = consumption();
  print({ minutes: 0, pss_mib: before.pss_mib });
  for (let minutes = 1; minutes <= Number(values.minutes); minutes++) {
    await after(60_000);
    const now = consumption();
    print({ minutes, pss_mib: now.pss_mib, cpu_seconds: rounded(now.cpu_seconds - before.cpu_seconds) });
    before = now;
  }
}

/** Twice each: the first answer of a function that rests starts it. */
async function measureAnswers(): Promise<void> {
  const seeded = v.parse(
    v.object({ base_url: v.string(), ...Seeded.entries }),
    JSON.parse(readFileSync(credentials, 'utf8')),
  );
  const [workspace] = Object.values(seeded.workspaces);
  if (!workspace) throw new Error('The sample has no workspace.');
  const authorization = `Bearer ${workspace.tokens['admin']}`;
  for (const route of ['/v1/lineage/relations', '/v1/lineage/deliveries'])
    for (const started of [true, false]) {
      const began = performance.now();
      const query = new URLSearchParams({ workspace_id: workspace.id });
      const response = await fetch(`${seeded.base_url.replace(/\/$/, '')}${route}?${query}`, {
        headers: { authorization },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${route} answered ${response.status}.`);
      print({ route, after_rest: started, ms: rounded(performance.now() - began) });
    }
}

function consumption() {
  const found = consumptionOf([service.pid ?? 0]);
  if (found === null) throw new Error('There is no /proc to read memory from.');
  return found;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function print(figure: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ bench: 'idle', ...figure }));
}
