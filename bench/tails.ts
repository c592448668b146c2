import './support/quiet.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { openBrowser } from '../test/support/browser.ts';
import { startProcess } from '../test/support/service-process.ts';
import { printerOf, quantile, rounded } from './support/figures.ts';
import { chosenFrom, edgesOf, readLoaded } from './support/loaded-graph.ts';
import { uuidOf } from './support/openlineage-load.ts';
import { processorSecondsOf } from './support/process-tree.ts';

// How long users wait for answers about a large graph: the whole local service over HTTP and the explorer's page in
// Chromium, at one and at eight clients that ask one question after the other. Needs a folder that
// `bench/large-graph.ts --keep FOLDER` has loaded. A JSON line a figure; a seed gives the same questions.
// What else a machine does only adds, so that beside the percentiles of all rounds stand those of the fastest round.
// `node bench/tails.ts FOLDER [--questions 200] [--rounds 3] [--clients 1,8]`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '1,8' },
  },
});
const [folder = ''] = positionals;
const loaded = readLoaded(folder);
const edges = edgesOf(loaded);
const service = await startProcess(['--data', folder, '--seed', 'conformance']);
const { acme } = service.credentials.workspaces;
const warehouse = acme?.connectors['warehouse'];
if (!acme || !warehouse) throw new Error('The seed has no workspace acme.');
const place = { workspace_id: acme.id, connector_id: warehouse.id };
/** The limits of reads are of a caller: questions take turns among three, so that hardly any is refused. */
const tokens = ['viewer', 'editor', 'admin'].map((role) => acme.tokens[role] ?? '');
let turn = 0;
const printLine = printerOf('tails');
const baseUrl = service.credentials.base_url.replace(/\/$/, '');

/** In the page: two frames after the neighbourhood is in the document it has been painted. */
const markWhenDrawn = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.react-flow__node') || !document.querySelector('.summary-main')) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => document.documentElement.setAttribute('data-drawn', performance.now())));
}).observe(document, { childList: true, subtree: true })`;

type Chosen = ReturnType<typeof chosenFrom>;
type Query = Readonly<Record<string, string>>;
type Question = readonly [route: string, query: Query];

const impact = '/v1/lineage/impact';
const relations = '/v1/lineage/relations';
const schemaOf = (ref: string): string => ref.split('.')[1] ?? '';
const nameOf = (ref: string): string => ref.split('.')[2] ?? '';
const twelve = { workspace_id: place.workspace_id, limit: '12' };
const directions = ['upstream', 'downstream', 'both'];
const nameSearches: readonly ((chosen: Chosen) => string)[] = [
  ({ relation }) => relation(),
  ({ relation }) => nameOf(relation()),
  ({ relation }) => nameOf(relation()).slice(0, 3),
  ({ relation }) => schemaOf(relation()),
  ({ relation }) => `${schemaOf(relation())} ${nameOf(relation())}`,
  ({ among }) => ['mart', 'staging', 'dim', 'warehouse'][among(4)] ?? '',
  ({ among }) => `zebra${among(1_000)}`,
];
const columnSearches: typeof nameSearches = [
  ({ relation, column }) => column(relation()),
  ({ relation, column }) => column(relation()),
  ({ among }) => ['cust', 'pay', 'sess', 'inv', 'feature'][among(5)] ?? '',
  ({ relation, column }) => {
    const ref = relation();
    return `${schemaOf(ref)} ${column(ref)}`;
  },
  ({ among }) => `zebra${among(1_000)}`,
];
const oneOf = <T>(all: readonly T[], among: Chosen['among']): T => all[among(all.length)] as T;
/** One in twenty is a relation that a tenth of all marts reads. */
const mostlyRelation = ({ relation, hub, among }: Chosen): string => (among(20) === 0 ? hub() : relation());
const wayOf = ({ among }: Chosen) => ({
  direction: oneOf(directions, among),
  max_depth: oneOf(['1', '2', '5', '10'], among),
});

const questions: Readonly<Record<string, (chosen: Chosen) => Question>> = {
  // As the page asks when a relation is opened.
  impact: (chosen) => [impact, { ...place, relation_ref: mostlyRelation(chosen), ...wayOf(chosen) }],
  'impact of 500 relations': ({ hub, among }) => [
    impact,
    { ...place, relation_ref: hub(), direction: 'downstream', max_nodes: '500', max_depth: String(2 + among(9)) },
  ],
  columns: (chosen) => {
    const ref = mostlyRelation(chosen);
    return [impact, { ...place, relation_ref: ref, column_ref: chosen.column(ref), ...wayOf(chosen) }];
  },
  'search by name': (chosen) => [relations, { ...twelve, q: oneOf(nameSearches, chosen.among)(chosen) }],
  'search by column': (chosen) => [
    relations,
    { ...twelve, q: oneOf(columnSearches, chosen.among)(chosen), in: 'columns' },
  ],
  explain: ({ edge }) => ['/v1/lineage/edges/explain', { ...place, ...edge() }],
  relation: (chosen) => ['/v1/lineage/relation', { ...place, relation_ref: mostlyRelation(chosen) }],
  diff: () => ['/v1/lineage/diff', { ...place, from: changedSince }],
  'diff of everything': () => [
    '/v1/lineage/diff',
    { ...place, from: new Date(Date.now() - 2 * 86_400_000).toISOString() },
  ],
};

const changedSince = await changeSome();
try {
  for (const [name, questionOf] of Object.entries(questions))
    for (const clients of values.clients.split(',')) await measure(name, Number(clients), questionOf);
  for (const clients of values.clients.split(',')) await measurePictures(Number(clients));
} finally {
  await service.end('SIGTERM');
}

async function measure(name: string, clients: number, questionOf: (chosen: Chosen) => Question): Promise<void> {
  const began = performance.now();
  const warm = chosenFrom(loaded, edges, 0);
  await Promise.all(Array.from({ length: 2 * clients }, () => ask(questionOf(warm))));
  const cpu = processorSecondsOf([service.pid]);
  const rounds: number[][] = [];
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await askRound(clients, round, questionOf));
  const cpuMs = cpu === null ? null : (1_000 * ((processorSecondsOf([service.pid]) ?? 0) - cpu)) / rounds.flat().length;
  print(name, clients, rounds, {
    service_cpu_ms: cpuMs && rounded(cpuMs),
    seconds: Math.round((performance.now() - began) / 1_000),
  });
}

async function askRound(clients: number, round: number, questionOf: (chosen: Chosen) => Question): Promise<number[]> {
  const each = Math.ceil(Number(values.questions) / clients);
  const answered = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const [own, chosen] = [[] as number[], chosenFrom(loaded, edges, 100 * round + client + 1)];
      for (let i = 0; i < each; i++) own.push(await ask(questionOf(chosen)));
      return own;
    }),
  );
  return answered.flat();
}

/** The milliseconds of one question over HTTP. After a refusal for the rate it waits and retries: a refusal is no answer. */
async function ask([route, query]: Question): Promise<number> {
  const url = `${route}?${new URLSearchParams(query)}`;
  for (;;) {
    const began = performance.now();
    const response = await fetch(`${baseUrl}${url}`, {
      headers: { authorization: `Bearer ${tokens[turn++ % tokens.length]}` },
    });
    await response.arrayBuffer();
    const ms = performance.now() - began;
    if (response.status === 200) return ms;
    if (response.status !== 429) throw new Error(`${url} responded with ${response.status}`);
    await after(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** The explorer's picture of a neighbourhood in a new browser profile; of eight clients seven ask for impacts meanwhile. */
async function measurePictures(clients: number): Promise<void> {
  const browser = await openBrowser();
  const [began, chosen, asking] = [performance.now(), chosenFrom(loaded, edges, 1), new AbortController()];
  const others = Array.from({ length: clients - 1 }, async (_, client) => {
    const own = chosenFrom(loaded, edges, 1_000 + client);
    const { impact: questionOf } = questions;
    while (questionOf && !asking.signal.aborted) {
      await ask(questionOf(own));
      await after(200);
    }
  });
  const rounds: Picture[][] = [];
  try {
    await pictureOf(browser, chosen.relation(2));
    for (let round = 0; round < Number(values.rounds); round++) {
      const pictures: Picture[] = [];
      for (let i = 0; i < 20; i++)
        pictures.push(await pictureOf(browser, i % 20 === 19 ? chosen.hub() : chosen.relation()));
      rounds.push(pictures);
    }
  } finally {
    asking.abort();
    await Promise.all(others);
    await browser.close();
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  const [first, again] = (['first', 'again'] as const).map((of) => rounds.map((round) => round.map((one) => one[of])));
  print('first picture, nothing cached', clients, first ?? [], { seconds });
  print('first picture, scripts cached', clients, again ?? [], {});
}

type Picture = { readonly first: number; readonly again: number };

/** Milliseconds from the beginning of the navigation until the neighbourhood is drawn: in a new profile, then again. */
async function pictureOf(browser: Awaited<ReturnType<typeof openBrowser>>, relation_ref: string): Promise<Picture> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(markWhenDrawn);
  const url = `${baseUrl}/lineage?${new URLSearchParams({ connector: place.connector_id, relation: relation_ref })}`;
  const open = async () => {
    await page.goto('about:blank');
    await page.goto(`${url}#token=${tokens[0]}`, { waitUntil: 'commit' });
    const drawn = page.locator('html[data-drawn]');
    await drawn.waitFor({ state: 'attached', timeout: 60_000 });
    return Number(await drawn.getAttribute('data-drawn'));
  };
  const first = await open();
  const again = await open();
  await context.close();
  return { first, again };
}

/** Ten new jobs read relations of the graph, once a folder; the time before they ran. */
async function changeSome(): Promise<string> {
  const file = path.join(folder, 'changed-since.txt');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const since = new Date().toISOString();
  const chosen = chosenFrom(loaded, edges, 7);
  const namespace = warehouse?.namespaces[0] ?? '';
  const events = Array.from({ length: 10 }, (_, i) => ({
    eventType: 'COMPLETE',
    eventTime: new Date().toISOString(),
    producer: 'https://example.com/bench/1',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: uuidOf(`changed/${i}`) },
    job: { namespace: 'changed', name: `job_${i}` },
    inputs: [chosen.relation(0), chosen.relation(3)].map((name) => ({ namespace, name })),
    outputs: [{ namespace, name: `warehouse.changed.t${i}` }],
  }));
  const response = await fetch(`${baseUrl}/api/v1/lineage/batch?${new URLSearchParams(place)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme?.tokens['admin']}`, 'content-type': 'application/json' },
    body: JSON.stringify(events),
  });
  const { delivery_id } = v.parse(v.object({ delivery_id: v.string() }), await response.json());
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const url = `${baseUrl}/v1/lineage/deliveries/${delivery_id}?workspace_id=${place.workspace_id}`;
  const stateOf = async () =>
    v.parse(v.object({ state: v.string() }), await (await fetch(url, { headers })).json()).state;
  while ((await stateOf()) !== 'projected') await after(200);
  writeFileSync(file, since);
  return since;
}

function print(question: string, clients: number, rounds: readonly (readonly number[])[], rest: object): void {
  const times = rounds.flat();
  const ms = (share: number) => rounded(quantile(times, share));
  const least = (share: number) => rounded(Math.min(...rounds.map((round) => quantile(round, share))));
  const figures = { p50_ms: ms(0.5), p95_ms: ms(0.95), p99_ms: ms(0.99), max_ms: ms(1) };
  const fastest = { least_p50_ms: least(0.5), least_p95_ms: least(0.95), least_p99_ms: least(0.99) };
  const line = { relations: loaded.relations, question, clients, questions: times.length };
  printLine({ ...line, ...figures, ...fastest, ...rest });
}
