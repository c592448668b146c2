import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import type { Credentials, SeededWorkspace } from '../credentials.ts';

const folder = path.join(import.meta.dirname, 'sample');
const waitsMs = 60_000;
const dayMs = 86_400_000;
/** The day on which all of the sample happened. */
const sampleDay = '2026-01-05';

export async function loadSampleOnce(data: string | null, credentials: Credentials): Promise<void> {
  const mark = data && path.join(data, 'sample-loaded');
  if (mark && existsSync(mark)) return;
  await loadSample(credentials);
  if (mark) await writeFile(mark, '');
}

/** Sends the sample as its real senders would, and throws if it is not in the graph after a minute. */
async function loadSample({ base_url, workspaces }: Pick<Credentials, 'base_url' | 'workspaces'>): Promise<void> {
  const shop = workspaces['shop'];
  if (!shop)
    throw new Fault('sample_workspace_missing', 'The sample belongs to the workspace shop, which is not seeded.');
  const send = sender(base_url, shop.tokens['editor']);
  const { project_key } = shop.collection;
  // The bearer of a collection route is a server key, which a browser has none of.
  await sender(base_url, undefined)('/collect/v1/batch', { project_key, events: await sample('events') });
  const deliveries = [await send('/v1/lineage/dbt/manifest', await manifestOf(shop))];
  for (const event of v.parse(v.array(v.unknown()), await sample('openlineage')))
    deliveries.push(await send(`/api/v1/lineage?workspace_id=${shop.id}`, event));
  for (const { delivery_id } of v.parse(v.array(v.object({ delivery_id: v.string() })), deliveries))
    await projected(base_url, shop, delivery_id);
}

async function manifestOf({ id, connectors, linked_projects }: SeededWorkspace): Promise<unknown> {
  return {
    workspace_id: id,
    connector_id: connectors['warehouse']?.id,
    project_id: linked_projects['dbt'],
    source_event_key: 'sample',
    completeness: 'complete',
    manifest: await sample('manifest'),
  };
}

/** Evidence that nobody repeats grows stale: the sample is always of yesterday. */
async function sample(name: string): Promise<unknown> {
  const text = await readFile(path.join(folder, `${name}.json`), 'utf8');
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  return JSON.parse(text.replaceAll(sampleDay, yesterday));
}

const sender =
  (baseUrl: string, token: string | undefined) =>
  async (route: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(baseUrl + route, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = await response.text();
    if (!response.ok) throw new Fault('sample_refused', `The sample was refused at ${route}: ${answer}`);
    return JSON.parse(answer);
  };

const Delivery = v.object({ state: v.string() });

async function projected(baseUrl: string, { id, tokens }: SeededWorkspace, delivery: string): Promise<void> {
  const url = `${baseUrl}/v1/lineage/deliveries/${delivery}?workspace_id=${id}`;
  const deadline = Date.now() + waitsMs;
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${tokens['viewer']}` } });
    const { state } = v.parse(Delivery, await response.json());
    if (state === 'projected') return;
    const working = state === 'accepted' || state === 'processing';
    if (!working || Date.now() > deadline)
      throw new Fault('sample_not_projected', `The sample's delivery ${delivery} is ${state}.`);
    await after(50);
  }
}
