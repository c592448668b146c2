import './support/quiet.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { startProcess } from '../test/support/service-process.ts';
import { quantile } from './support/quantile.ts';

// What one caller of dear questions costs the others of a local service (C-LIMIT-12): the p95 of small questions, in pairs
// of rounds without and with a caller who asks for comparisons and wide impacts one after the other, and waits if it is
// refused. A JSON line a pair, then the median of their ratios: `--pairs 7 --questions 60 --strict-aws`
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '7' },
    questions: { type: 'string', default: '60' },
    'strict-aws': { type: 'boolean', default: false },
  },
});
/** A project of levels whose models each read the whole level before. */
const [levels, width] = [12, 30];
const pause = 20;

const data = mkdtempSync(path.join(tmpdir(), 'slow-caller-'));
const strict = values['strict-aws'] ? ['--strict-aws'] : [];
const service = await startProcess(['--data', data, '--seed', 'conformance', ...strict]);
try {
  await measure();
} finally {
  await service.end('SIGTERM');
  rmSync(data, { recursive: true });
}

async function measure(): Promise<void> {
  const { acme } = service.credentials.workspaces;
  const connector = acme?.connectors['warehouse'];
  if (!acme || !connector) throw new Error('The seed has no workspace acme.');
  const own = { workspace_id: acme.id, connector_id: connector.id };
  const name = (level: number, at: number) => `analytics.public.m${level}_${at}`;

  const send = async (role: string, route: string, query: Readonly<Record<string, string>>, body?: object) => {
    const url = `${service.credentials.base_url.replace(/\/$/, '')}${route}?${new URLSearchParams(query)}`;
    const headers = { authorization: `Bearer ${acme.tokens[role]}`, 'content-type': 'application/json' };
    const posted = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(url, { headers, ...posted });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (![200, 202, 429].includes(response.status)) throw new Error(`${response.status} ${bytes}`);
    // Nobody parses megabytes here: the small questions are timed by the same thread.
    const json = (): unknown => JSON.parse(bytes.toString());
    return { json, retryAfter: response.status === 429 ? Number(response.headers.get('retry-after')) : null };
  };

  const project = {
    ...own,
    project_id: acme.linked_projects['dbt'],
    completeness: 'complete',
    source_event_key: 'dense',
  };
  const sent = await send('admin', '/v1/lineage/dbt/manifest', {}, { ...project, manifest: denseManifest() });
  const { delivery_id } = v.parse(v.object({ delivery_id: v.string() }), sent.json());
  const isProjected = async () => {
    const { json } = await send('admin', `/v1/lineage/deliveries/${delivery_id}`, { workspace_id: acme.id });
    return v.parse(v.object({ state: v.string() }), json()).state === 'projected';
  };
  while (!(await isProjected())) await after(250);

  const dear = [
    () => send('viewer', '/v1/lineage/impact', { ...own, relation_ref: name(0, 0), max_depth: '10', max_nodes: '500' }),
    () =>
      send('viewer', '/v1/lineage/diff', {
        ...own,
        from: new Date(Date.now() - 86_400_000).toISOString(),
        limit: '2000',
      }),
  ];
  /** Asks one dear question after the other until the signal; answers how many were answered and refused. */
  const askDearly = async (signal: AbortSignal) => {
    const counts = { answered: 0, refused: 0 };
    for (let i = 0; !signal.aborted; i++) {
      const asked = await dear[i % dear.length]?.();
      if (typeof asked?.retryAfter !== 'number') counts.answered++;
      else {
        counts.refused++;
        await after(1_000 * asked.retryAfter, null, { signal }).catch(() => null);
      }
    }
    return counts;
  };
  const small = async (): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < Number(values.questions); i++) {
      const begun = performance.now();
      await send('editor', '/v1/lineage/impact', {
        ...own,
        relation_ref: name(levels - 1, i % width),
        max_depth: '1',
        direction: 'upstream',
      });
      times.push(performance.now() - begun);
      await after(pause);
    }
    return quantile(times, 0.95);
  };

  await small();
  const ratios: number[] = [];
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const quiet = await small();
    const stopping = new AbortController();
    const slow = askDearly(stopping.signal);
    const loaded = await small();
    stopping.abort();
    ratios.push(loaded / quiet);
    console.log(JSON.stringify({ bench: 'slow-caller', quiet_ms: quiet, loaded_ms: loaded, ...(await slow) }));
  }
  const strictAws = values['strict-aws'];
  console.log(JSON.stringify({ bench: 'slow-caller', strict_aws: strictAws, p95_ratio: quantile(ratios, 0.5) }));
}

function denseManifest(): object {
  const idOf = (level: number, at: number) => `model.acme.m${level}_${at}`;
  const places = Array.from({ length: levels * width }, (_, i) => [Math.floor(i / width), i % width] as const);
  const nodes = places.map(([level, at]) => {
    const read = level === 0 ? [] : Array.from({ length: width }, (_, from) => idOf(level - 1, from));
    const named = { database: 'analytics', schema: 'public', alias: `m${level}_${at}` };
    return [idOf(level, at), { resource_type: 'model', ...named, depends_on: { nodes: read } }] as const;
  });
  const metadata = { adapter_type: 'postgres', project_name: 'acme' };
  return { metadata, sources: {}, nodes: Object.fromEntries(nodes) };
}
