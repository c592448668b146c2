import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { connect } from '../cli/connect.ts';
import { storedLines } from '../cli/events/stored-lines.ts';
import { waitUntilStored } from '../cli/events/wait-until-stored.ts';
import { batchOfRuns } from './support/random-runs.ts';

// Kills the local service twenty times while it works a backlog, then counts what was accepted and what became of it.
// Then 500 connections ask at once. On a small file system, which CHAOS_FOLDER names, its disk is filled too. One JSON
// line each: `node bench/chaos.ts [KILLS]`.

const kills = Number(process.argv[2] ?? 20);
/** Deliveries that are accepted between two kills, at least. */
const backlog = 20;
const small = process.env['CHAOS_FOLDER'];
const folder = mkdtempSync(path.join(small ?? tmpdir(), 'chaos-'));
const credentialsFile = path.join(folder, 'credentials.json');
const main = path.resolve(import.meta.dirname, '..', 'local', 'main.ts');

const Credentials = v.object({
  base_url: v.string(),
  workspaces: v.record(
    v.string(),
    v.object({
      id: v.string(),
      tokens: v.record(v.string(), v.string()),
      collection: v.record(v.string(), v.string()),
    }),
  ),
});
type Access = { readonly url: string; readonly workspace: string; readonly token: string; readonly key: string };
const Receipt = v.object({ delivery_id: v.string() });
const Page = v.object({
  items: v.array(v.object({ delivery_id: v.string(), state: v.string(), attempts: v.number() })),
  next_cursor: v.nullable(v.string()),
});

async function start(): Promise<{ process: ChildProcess; access: Access }> {
  rmSync(credentialsFile, { force: true });
  const options = ['--port', '0', '--data', path.join(folder, 'data'), '--seed', 'conformance'];
  const service = spawn(process.execPath, [main, ...options, '--credentials', credentialsFile], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!existsSync(credentialsFile)) {
    if (service.exitCode !== null) throw new Error('The local service did not start.');
    await after(20);
  }
  const { base_url, workspaces } = v.parse(Credentials, JSON.parse(readFileSync(credentialsFile, 'utf8')));
  const [first] = Object.values(workspaces);
  const [token, key] = [first?.tokens['admin'], first?.collection['project_key']];
  if (!first || !token || !key) throw new Error('The seed has another form.');
  return { process: service, access: { url: base_url, workspace: first.id, token, key } };
}

/** Null where the service died before it answered. */
async function post({ url, token }: Access, route: string, body: unknown): Promise<unknown> {
  try {
    // On collection routes a bearer would be a server key.
    const bearer = route.startsWith('/api/') && { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...bearer };
    const response = await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.status === 202 ? await response.json() : null;
  } catch {
    return null;
  }
}

const deliveries = new Set<string>();
const events = new Set<string>();

/** Sends until the service dies; what it accepted is remembered. */
async function load(access: Access, { signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    const id = randomUUID();
    const event = { id, type: 'track', event: 'chaos', user_id: 'u', timestamp: new Date().toISOString() };
    const sent = post(access, '/collect/v1/batch', { project_key: access.key, events: [event] });
    const lineage = await post(access, `/api/v1/lineage/batch?workspace_id=${access.workspace}`, batchOfRuns());
    if (lineage !== null) deliveries.add(v.parse(Receipt, lineage).delivery_id);
    if ((await sent) !== null) events.add(id);
  }
}

async function statesOf(access: Access): Promise<Map<string, { state: string; attempts: number }>> {
  const states = new Map<string, { state: string; attempts: number }>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ workspace_id: access.workspace, limit: '200', ...(cursor && { cursor }) });
    const headers = { authorization: `Bearer ${access.token}` };
    const page = v.parse(Page, await (await fetch(`${access.url}/v1/lineage/deliveries?${query}`, { headers })).json());
    for (const { delivery_id, ...rest } of page.items) states.set(delivery_id, rest);
    cursor = page.next_cursor;
  }
  return states;
}

const isOpen = ({ state }: { readonly state: string }): boolean => state === 'accepted' || state === 'processing';
const say = (figures: object): void => console.log(JSON.stringify(figures));

/** Starts the service, loads it, and kills it amid the work; this many times. */
async function killRepeatedly(): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const { process: service, access } = await start();
    const stopping = new AbortController();
    const loads = Array.from({ length: 4 }, () => load(access, stopping));
    // Under a backlog, however long the machine takes to make one.
    const accepted = deliveries.size;
    while (deliveries.size < accepted + backlog) await after(20);
    await after(randomInt(0, 1_000));
    const ended = once(service, 'exit');
    service.kill('SIGKILL');
    stopping.abort();
    await Promise.all([...loads, ended]);
  }
}

/** Waits until nothing that was accepted is under way, and counts it. */
async function reckon(access: Access, started: number): Promise<void> {
  const connection = await connect({ credentials: credentialsFile });
  const unstored = await waitUntilStored(connection, { forAll: false });
  let states = await statesOf(access);
  while ([...states.values()].some(isOpen)) {
    await after(200);
    states = await statesOf(access);
  }
  const drainedMs = Math.round(performance.now() - started);
  const counts = new Map<string, number>();
  const bucket = { client: connection.s3, name: connection.names.lake_bucket };
  for await (const line of storedLines(bucket, access.workspace)) {
    const { id } = v.parse(v.object({ id: v.string() }), JSON.parse(line));
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  say({
    measured: 'kills',
    kills,
    events: { accepted: events.size, lost: [...events].filter((id) => !counts.has(id)).length, ...unstored },
    doubled: [...counts.values()].filter((count) => count > 1).length,
    deliveries: { accepted: deliveries.size, lost: [...deliveries].filter((id) => !states.has(id)).length },
    failed: [...states.values()].filter(({ state }) => state === 'failed').length,
    max_attempts: Math.max(...[...states.values()].map(({ attempts }) => attempts)),
    drained_ms: drainedMs,
  });
}

async function askTogether({ url, workspace, token }: Access): Promise<void> {
  const statuses = new Map<number | string, number>();
  const started = performance.now();
  const ask = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` };
    const pending = fetch(`${url}/v1/lineage/deliveries?workspace_id=${workspace}&limit=5`, { headers });
    const status = await pending.then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 'no answer',
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: 500 }, async () => [await ask(), await ask()]));
  const took = Math.round(performance.now() - started);
  say({ measured: '500 connections', statuses: Object.fromEntries(statuses), took_ms: took });
}

/** Fills the disk, sends, makes room again, and sends once more. */
async function fillDisk(access: Access): Promise<void> {
  const statusOf = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${access.token}` };
    const route = `${access.url}/api/v1/lineage/batch?workspace_id=${access.workspace}`;
    return (await fetch(route, { method: 'POST', headers, body: JSON.stringify(batchOfRuns()) })).status;
  };
  const filler = path.join(folder, 'filler');
  for (const chunk of [1_048_576, 4_096, 1])
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(chunk), { flag: 'a' });
    } catch {
      // The disk has no room for another chunk of that size.
    }
  const full = await Promise.all(Array.from({ length: 20 }, statusOf));
  rmSync(filler);
  const roomy = await Promise.all(Array.from({ length: 20 }, statusOf));
  const distinct = (statuses: readonly number[]) => [...new Set(statuses)].sort();
  say({ measured: 'full disk', full: distinct(full), with_room: distinct(roomy) });
}

await killRepeatedly();
const startedAt = performance.now();
const { process: service, access } = await start();
await reckon(access, startedAt);
await askTogether(access);
if (small) await fillDisk(access);
const ended = once(service, 'exit');
service.kill('SIGTERM');
await ended;
rmSync(folder, { recursive: true });
