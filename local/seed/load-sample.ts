import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { type Api, apiOf } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { Fault } from '../../shared/contract/problems.ts';
import type { Credentials, SeededWorkspace } from '../credentials.ts';

const folder = path.join(import.meta.dirname, 'sample');
const waitsMs = 60_000;
const dayMs = 86_400_000;
/** The day on which all of the sample happened. */
const sampleDay = '2026-01-05';

type Sampled = Pick<Credentials, 'base_url' | 'workspaces'>;

/** Loads the sample unless the folder holds it already. `scanGaps` runs last: a schedule would run it minutes later. */
export async function loadSampleOnce(
  data: string | null,
  credentials: Sampled,
  scanGaps: () => Promise<unknown>,
): Promise<void> {
  const mark = data && path.join(data, 'sample-loaded');
  if (mark && existsSync(mark)) return;
  await loadSample(credentials);
  await scanGaps();
  if (mark) await writeFile(mark, '');
}

/**
 * Sends the sample as its real senders would: a web shop's events, the runs of two schedulers, and a dbt manifest. Then
 * the team writes its checks, and an editor requests a role.
 * @throws if a request is refused, or if a delivery is not in the graph after a minute
 */
async function loadSample({ base_url, workspaces }: Sampled): Promise<void> {
  const shop = workspaces['shop'];
  if (!shop)
    throw new Fault('sample_workspace_missing', 'The sample belongs to the workspace shop, which is not seeded.');
  const editor = apiOf(base_url, shop.tokens['editor']);
  const workspace_id = shop.id;
  const { project_key } = shop.collection;
  const reason = 'I connect the new billing system next week.';
  const request = { workspace_id, connector_id: shop.connectors['warehouse']?.id, role: 'admin', reason };
  const [deliveries] = await Promise.all([
    sendLineage(editor, shop),
    // The bearer of a collection route is a server key, which a browser does not have.
    apiOf(base_url, undefined).ask(routes.collectBatch, { body: { project_key, events: await sample('events') } }),
    editor.ask(routes.createAccessRequest, { body: request }),
  ]);
  const checks = await listed('checks');
  for (const { delivery_id } of v.parse(v.array(v.object({ delivery_id: v.string() })), deliveries))
    await projected(editor, shop, delivery_id);
  await Promise.all(checks.map((check) => editor.ask(routes.createCheck, { body: { workspace_id, ...check } })));
}

async function sendLineage(editor: Api, { id, connectors, linked_projects }: SeededWorkspace): Promise<unknown[]> {
  const query = { workspace_id: id };
  const snapshot = {
    ...query,
    connector_id: connectors['warehouse']?.id,
    project_id: linked_projects['dbt'],
    source_event_key: 'sample',
    completeness: 'complete',
    manifest: await sample('manifest'),
  };
  const airflow = { query: { ...query, provider_key: 'airflow' }, body: await sample('airflow') };
  const events = await listed('openlineage');
  return Promise.all([
    editor.ask(routes.postDbtManifest, { body: snapshot }),
    editor.ask(routes.postOpenLineageBatch, airflow),
    ...events.map((body) => editor.ask(routes.postOpenLineageEvent, { query, body })),
  ]);
}

/** Evidence that nobody repeats becomes stale, so the sample is always from yesterday. */
async function sample(name: string): Promise<unknown> {
  const text = await readFile(path.join(folder, `${name}.json`), 'utf8');
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  return JSON.parse(text.replaceAll(sampleDay, yesterday));
}

const listed = async (name: string) => v.parse(v.array(v.record(v.string(), v.unknown())), await sample(name));

const Delivery = v.object({ state: v.string() });

async function projected(api: Api, { id }: SeededWorkspace, delivery_id: string): Promise<void> {
  const deadline = Date.now() + waitsMs;
  for (;;) {
    const request = { params: { delivery_id }, query: { workspace_id: id } };
    const { state } = v.parse(Delivery, await api.ask(routes.getDelivery, request));
    if (state === 'projected') return;
    const working = state === 'accepted' || state === 'processing';
    if (!working || Date.now() > deadline)
      throw new Fault('sample_not_projected', `The sample's delivery ${delivery_id} is ${state}.`);
    await after(50);
  }
}
