import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { checkImplementations } from '../../functions/agent/checks.ts';
import { agentCheckRoutes } from '../../shared/contract/agent-checks.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { agentPorts } from '../../shared/runtime/composition/agent.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import datahub from '../fixtures/datahub/crm-catalog.json' with { type: 'json' };
import dbt from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import sqlmesh from '../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import { request } from '../support/access-world.ts';
import { shop, shopNamespace } from '../support/dbt-ol-shop.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { excludeProvider } from '../support/put-policy.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
/** The services refuse signatures of another day. */
const start = Math.floor(Date.now() / 1_000) * 1_000;
const stepMs = 10_000;
let seeds = 0;
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  Object.assign(world.operator, { randomBytes: (size: number) => Buffer.alloc(size, ++seeds) });
});
afterAll(() => void vi.useRealTimers());

type Step = (
  place: LineagePlace,
  at: string,
) => Promise<{ readonly status: number; readonly json: unknown } | undefined>;
type Query = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** A run that reports a change of the dataset that it wrote, such as its new name. */
const changing = (place: LineagePlace, at: string, name: string, facets: object) => {
  const event = runEvent(place.namespace, [], [name], { at, job: 'maintenance' });
  return { ...event, outputs: event.outputs.map((one) => ({ ...one, facets })) };
};
const facet = (name: string, fields: object) => ({
  _producer: 'https://example.com/test',
  _schemaURL: `https://openlineage.io/spec/facets/1-0-1/${name}.json#/$defs/${name}`,
  ...fields,
});
const lifecycle = (lifecycleStateChange: string, more: object = {}) => ({
  lifecycleStateChange: facet('LifecycleStateChangeDatasetFacet', { lifecycleStateChange, ...more }),
});

const declared = (route: string, body: (key: string) => object): Step => {
  return (place, key) => place.declare(route, { source_event_key: key, ...body(key) });
};
const manifest = (change: (nodes: Record<string, { compiled_code?: string | null }>) => void = () => undefined) => {
  const copy = structuredClone(dbt);
  change(copy.nodes as never);
  return declared('/v1/lineage/dbt/manifest', () => ({
    manifest: copy,
    project_id: 'crm',
    completeness: 'complete',
  }));
};

/** What two workspaces receive. */
type History = {
  readonly settings: object;
  readonly root: string;
  readonly column: string;
  readonly steps: readonly Step[];
};
const histories: Readonly<Record<string, History>> = {
  catalogs: {
    settings: {},
    root: 'crm.core.accounts',
    column: 'total',
    steps: [
      (place, at) =>
        place.emit(
          runEvent(place.namespace, ['crm.erp.accounts'], ['crm.core.accounts'], {
            at,
            columns: { id: [['crm.erp.accounts', 'id']], total: [['crm.erp.accounts', 'amount']] },
          }),
        ),
      manifest(),
      declared('/v1/lineage/sqlmesh/project', () => ({ project: sqlmesh })),
      declared('/v1/lineage/datahub', () => ({ export: datahub, import_source: 'nightly', completeness: 'complete' })),
      (place, at) =>
        place.emit(
          runEvent(place.namespace, ['crm.core.accounts', 'crm.core.scores'], ['crm.bi.top'], {
            at,
            job: 'top',
            sql: 'insert into crm.bi.top (id, total, score) select a.id, sum(a.total), max(s.score) from crm.core.accounts a join crm.core.scores s on s.id = a.id where a.total > 10 group by a.id',
          }),
        ),
      (place, at) => {
        const previousIdentifier = { namespace: place.namespace, name: 'crm.bi.top' };
        return place.emit(changing(place, at, 'crm.bi.best', lifecycle('RENAME', { previousIdentifier })));
      },
      (place, at) => {
        const identifiers = [{ namespace: place.namespace, name: 'crm.core.accounts', type: 'TABLE' }];
        const event = runEvent('s3://lake', [], ['accounts'], { at, job: 'export' });
        const symlinks = facet('SymlinksDatasetFacet', { identifiers });
        return place.emit({ ...event, outputs: event.outputs.map((one) => ({ ...one, facets: { symlinks } })) });
      },
      (place, at) => place.emit(runEvent(place.namespace, ['crm.core.accounts'], ['crm.bi.gone'], { at, job: 'gone' })),
      (place, at) => place.emit(changing(place, at, 'crm.bi.gone', lifecycle('DROP'))),
      manifest((nodes) => {
        delete nodes['model.crm.wide'];
      }),
    ],
  },
  runs: {
    settings: { kind: 'duckdb', namespaces: [shopNamespace] },
    root: 'shop.main.fct_orders',
    column: 'amount',
    steps: [
      async (place) => {
        await linkProject(world.operator, place.workspace, 'shop');
        return undefined;
      },
      declared('/v1/lineage/dbt/manifest', () => ({
        manifest: shop.manifest,
        project_id: 'shop',
        completeness: 'complete',
      })),
      (place) => place.emit(shop.build()),
      (place, at) => place.emit(runEvent(shopNamespace, ['shop.main.fct_orders'], ['shop.main.adhoc'], { at })),
    ],
  },
};

/** Questions about each relation and each edge of a place, and about the place. */
async function answersOf(place: LineagePlace, { root, column }: History): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (route: string, query: Query = {}): Promise<Json> => {
    const { status, json } = await place.ask(`/v1/lineage/${route}`, query);
    answers[[route, ...Object.entries(query).flatMap(([name, value]) => `${name}=${value}`)].join(' ')] = json;
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };
  const { items } = (await ask('relations', { q: '', limit: '200' })) as { items: { relation_ref: string }[] };
  for (const route of ['overview', 'deliveries', 'changes']) await ask(route);
  for (const query of [{ q: 'id', in: 'columns' }, { q: 'odres' }, { q: 'amout', in: 'columns' }])
    await ask('relations', query);
  const seen = new Set<string>();
  for (const { relation_ref } of items) {
    const { edges } = (await ask('relation', { relation_ref })) as { edges: Readonly<Record<string, string>>[] };
    for (const { upstream = '', downstream = '' } of edges)
      if (upstream === relation_ref && !seen.has(downstream) && seen.size < 3) {
        seen.add(downstream);
        await ask('edges/explain', { upstream, downstream });
      }
  }
  for (const query of [
    { direction: 'both', max_depth: '5', verdict: 'observed_only' },
    { direction: 'downstream', column_ref: column },
    { direction: 'upstream', column_ref: column, influence: 'direct' },
    { direction: 'both', max_nodes: '2' },
    { direction: 'upstream', min_confidence: '0.95', max_depth: '1' },
    { direction: 'both', as_of: new Date(start + 1.5 * stepMs).toISOString() },
  ])
    await ask('impact', { relation_ref: root, ...query });
  await excludeProvider(place, 'openlineage');
  await ask('impact', { relation_ref: root, include_stale: 'true', direction: 'upstream' });
  return answers;
}

const expectations = (root: string) => [
  'no new downstream and no new upstream and no removed relation and no removed column and no stale edge',
  `every column has a source and confidence at least 0.85 and no undeclared edges and every column of ${root} has a source`,
  'at most 5 downstream and at most 2 upstream relations and at most 5 downstream columns and fresh within 0.4 minutes',
];

/** Checks of the whole workspace, whose baseline is now. */
async function checksOf({ workspace, tokens }: LineagePlace, root: string) {
  const respond = responder(agentCheckRoutes, checkImplementations(agentPorts()), httpPorts());
  const call = async (path: string, body: object, params = {}) => {
    const whole = { token: tokens.editor, params, body: { workspace_id: workspace, ...body } };
    const { status, body: text } = await respond(request('POST', path, whole));
    expect(status, String(text)).toBeLessThan(300);
    return JSON.parse(String(text));
  };
  const made: { readonly expectation: string; readonly check_id: string }[] = [];
  for (const expectation of expectations(root)) {
    const { id } = await call('/v1/agent/checks', { name: 'a check', expectation });
    made.push({ expectation, check_id: id });
  }
  return async () => {
    const results: [string, unknown][] = [];
    for (const { expectation, check_id } of made) {
      const { state, violations, violations_total, claim } = await call(
        '/v1/agent/checks/{check_id}/run',
        {},
        { check_id },
      );
      results.push([
        expectation,
        {
          state,
          violations: violations.map(({ relation_ref, column, message }: Query) =>
            [relation_ref, column, message].filter(Boolean).join(': '),
          ),
          violations_total,
          claim,
        },
      ]);
    }
    return Object.fromEntries(results);
  };
}

it.each(Object.entries(histories))('answers each question about %s as recorded', async (name, history) => {
  vi.setSystemTime(start);
  const place = await world.place(history.settings);
  let runChecks = async (): Promise<unknown> => null;
  for (const [n, step] of history.steps.entries()) {
    vi.setSystemTime(Date.now() + stepMs);
    const reply = await step(place, new Date().toISOString());
    expect(reply?.status ?? 202, JSON.stringify(reply?.json)).toBe(202);
    if (n === history.steps.length - 2) runChecks = await checksOf(place, history.root);
  }
  vi.setSystemTime(Date.now() + stepMs);
  const answers = anonymous({ checks: await runChecks(), ...(await answersOf(place, history)) });
  await expect(answers).toMatchFileSnapshot(path.join(import.meta.dirname, '__snapshots__', `whole-${name}.snap`));
});

const ids = /\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g;
const left = new Set([
  'cost',
  'workspace_id',
  'connector_id',
  'evidence_until',
  'href',
  'how_to_lift',
  'advice',
  'coverage',
]);
const layout = { depth: null, compact: 8, breakLength: 200, maxArrayLength: null, maxStringLength: null };

/** The answers as text, without what is empty. Ids that differ from run to run are numbered in their order. */
function anonymous(answers: object): string {
  const isLeft = (key: string, value: unknown) =>
    left.has(key) || value === null || value === false || (Array.isArray(value) && value.length === 0);
  const whole = JSON.parse(JSON.stringify(answers, (key, value) => (isLeft(key, value) ? undefined : value)));
  const numbers = new Map<string, number>();
  return inspect(whole, { ...layout, sorted: true })
    .replace(/^ +/gm, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, relativeTime)
    .replace(/\bcon_[0-9a-f]{20}/g, 'con')
    .replace(ids, (id) => {
      numbers.set(id, numbers.get(id) ?? numbers.size);
      return `{${numbers.get(id)}}`;
    });
}

/** A time in seconds since the start; one that a fixture tells stays as it is. */
function relativeTime(at: string): string {
  const seconds = (Date.parse(at) - start) / 1_000;
  return Math.abs(seconds) < 100 * 86_400 ? `{${seconds} s}` : at;
}
