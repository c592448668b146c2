import { randomUUID } from 'node:crypto';
import { registerHooks } from 'node:module';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import type { WorkspaceId } from '../shared/contract/ids.ts';
import type { ImpactAnswer } from '../shared/contract/impact.ts';
import { startLineageWorld } from '../test/support/lineage-world.ts';
import { runEvent } from '../test/support/run-event.ts';
import './support/quiet.ts';
import { comparePairs, type Pair } from './support/paired.ts';

// What the verdicts of edges add to an impact answer of many relations: the same question by the service's code and by the
// same code without them, in turns (`--every 10`: for more edges that need a comparison). A JSON line of each measure with its aim, and one of the answer.
const { values } = parseArgs({
  options: {
    relations: { type: 'string', default: '501' },
    pairs: { type: 'string', default: '60' },
    every: { type: 'string', default: '50' },
  },
});
const [relations, pairs] = [Number(values.relations), Number(values.pairs)];
/** What verdicts may add. */
const aim = 1.05;
/** In each group of this many models, one never runs, one reads what nobody declares, and the runs of one lack a declared input. */
const every = Number(values.every);
const [never, undeclared, dropped] = [1, 4, 7];

/** Nothing else uses either instance: the engine runs code with many callers more slowly. */
const [judging, unjudged] = ['?judging', '?unjudged'];
const noJudgement = `
export const noVerdict = { verdict: null, reason: null };
export const verdictsOf = async () => new Map();
export const verdictOf = () => noVerdict;
export const mappingVerdicts = () => () => noVerdict;
export const isObserved = ({ kind }) => kind === 'observed';
`;
/** A module that one of an instance imports is of that instance; of the unjudged one that of verdicts judges nothing. */
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const isOwn = found.url.startsWith('file:') && !found.url.includes('/node_modules/');
    const instance = [judging, unjudged].find((one) => context.parentURL?.endsWith(one));
    return isOwn && instance ? { ...found, url: `${found.url}${instance}` } : found;
  },
  load: (url, context, next) =>
    url.endsWith(`/traversal/verdict.ts${unjudged}`)
      ? { format: 'module', source: noJudgement, shortCircuit: true }
      : next(url, context),
});

const world = await startLineageWorld();
try {
  await measure();
} finally {
  await world.stop();
}

async function measure(): Promise<void> {
  const place = await world.place();
  const name = (i: number) => `crm.core.m${String(i).padStart(4, '0')}`;
  const inputsOf = (i: number) => [...new Set([Math.floor(i / 2), Math.floor(i / 3)])].filter((one) => one < i);
  const models = Array.from({ length: relations }, (_, i) => i);
  const { status, json } = await place.declare('/v1/lineage/dbt/manifest', {
    manifest: {
      metadata: { project_name: 'crm', adapter_type: 'postgres' },
      nodes: Object.fromEntries(models.map((i) => [`model.crm.m${i}`, modelOf(name, i, inputsOf(i))])),
      sources: {},
    },
    ...{ project_id: 'crm', completeness: 'complete', source_event_key: randomUUID() },
  });
  if (status !== 202) throw new Error(`the manifest is not taken: ${JSON.stringify(json)}`);
  const events = models.flatMap((i) => {
    if (i % every === never || i === 0) return [];
    const inputs = i % every === dropped ? inputsOf(i).slice(1) : inputsOf(i);
    const hidden = i % every === undeclared ? ['crm.raw.hidden'] : [];
    return inputs.length + hidden.length > 0
      ? [eventOf(place.namespace, name, i, [...inputs.map(name), ...hidden])]
      : [];
  });
  for (let at = 0; at < events.length; at += 100) await place.emit(events.slice(at, at + 100));
  const query = {
    ...{ workspace_id: place.workspace, connector_id: place.connector.id, relation_ref: name(0) },
    ...{ direction: 'downstream', max_depth: '10', max_nodes: '500' },
  };
  const [judged, bare] = [
    await answersOf(judging, place.workspace, query),
    await answersOf(unjudged, place.workspace, query),
  ];
  const asked = { judged, bare };
  const runs: Record<'milliseconds' | 'processor_ms' | 'read_units' | 'requests', Pair[]> = {
    ...{ milliseconds: [], processor_ms: [], read_units: [], requests: [] },
  };
  for (let i = -10; i < pairs; i++) {
    const order = i % 2 === 0 ? (['bare', 'judged'] as const) : (['judged', 'bare'] as const);
    const found: Record<string, Awaited<ReturnType<typeof timed>>> = {};
    for (const side of order) found[side] = await timed(asked[side]);
    const { bare: before, judged: after } = found;
    if (i < 0 || !before || !after) continue;
    for (const [field, list] of Object.entries(runs) as [keyof typeof runs, Pair[]][])
      list.push({ before: before[field], after: after[field] });
  }
  const { edges, downstream, summary } = await judged();
  print({ relations: downstream.length, edges: edges.length, ...summary.verdicts });
  for (const [measure, list] of Object.entries(runs)) print({ measure, aim, ...comparePairs(list) });
}

function modelOf(name: (i: number) => string, i: number, inputs: readonly number[]) {
  return {
    ...{ resource_type: 'model', database: 'crm', schema: 'core', name: `m${i}`, alias: name(i).split('.')[2] },
    ...{
      config: { materialized: 'table' },
      columns: {},
      depends_on: { nodes: inputs.map((one) => `model.crm.m${one}`) },
    },
    compiled_code: `select 1 as id from ${inputs.map(name).join(', ') || '(select 1 as one) one'}`,
  };
}

function eventOf(namespace: string, name: (i: number) => string, i: number, inputs: readonly string[]) {
  const event = runEvent(namespace, inputs, [name(i)], { job: `model.crm.m${i}` });
  const facet = { _producer: 'https://example.com/bench', _schemaURL: 'https://example.com/bench.json' };
  const facets = { dbt_node: { ...facet, unique_id: `model.crm.m${i}` } };
  return { ...event, job: { ...event.job, facets } };
}

/** Answers of one instance of the service's code, over the same stores. */
async function answersOf(instance: string, workspace: WorkspaceId, query: object) {
  const at = (module: string) => import(new URL(`../${module}${instance}`, import.meta.url).href);
  const { impactImplementations } = await at('functions/queries/impact.ts');
  const { impactRoutes } = await at('shared/contract/explain.ts');
  const { queriesPorts } = await at('shared/runtime/composition/queries.ts');
  const { getImpact } = impactImplementations(queriesPorts());
  const parsed = v.parse(impactRoutes.getImpact.query, query);
  return async (): Promise<ImpactAnswer> => (await getImpact({ workspace, query: parsed, now: new Date() })).body;
}

async function timed(ask: () => Promise<ImpactAnswer>) {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const { cost } = await ask();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - began, processor_ms: (user + system) / 1_000, ...cost };
}

function print(line: object): void {
  const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  console.log(JSON.stringify(Object.fromEntries(Object.entries(line).map(([name, value]) => [name, rounded(value)]))));
}
