import * as v from 'valibot';
import { noise } from '../../../bench/support/models-manifest.ts';
import { collectionRoutes } from '../../../shared/contract/collection.ts';
import { deliveryRoutes } from '../../../shared/contract/deliveries.ts';
import { intakeRoutes } from '../../../shared/contract/lineage.ts';
import { runEvent } from '../run-event.ts';
import type { FaultRun } from './run.ts';
import type { Place } from './world.ts';

export const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
export const runId = (n: number) => `0190c6f2-7d2c-7b8e-9f5a-00000000000${n}`;

type Answered = Promise<{ readonly status: number; readonly text: string }>;

/** The body of an answer. Throws where the request was refused, except for the status that says that it was done before. */
export async function accepted(asking: Answered, doneBefore?: number): Promise<unknown> {
  const { status, text } = await asking;
  if (status >= 300 && status !== doneBefore) throw new Error(`a request was answered by ${status}: ${text}`);
  return JSON.parse(text);
}

export const event = (n: number, properties: object = {}) => ({
  id: `event-${n}`,
  type: 'track',
  timestamp: at(1),
  event: 'Order Placed',
  user_id: 'u-1',
  properties,
});

export const collect = (run: FaultRun, { projectKey }: Place, ...events: object[]) =>
  accepted(run.ask('collect', { route: collectionRoutes.collectBatch, body: { project_key: projectKey, events } }));

export const emit = (run: FaultRun, { workspace, connector, token }: Place, body: object) =>
  accepted(
    run.ask('ingest', {
      route: intakeRoutes[Array.isArray(body) ? 'postOpenLineageBatch' : 'postOpenLineageEvent'],
      token,
      query: { workspace_id: workspace, connector_id: connector },
      body,
    }),
  );

export const declare = (
  run: FaultRun,
  { workspace, connector, token }: Place,
  tool: 'postDbtManifest' | 'postDatahubExport',
  body: object,
) =>
  accepted(
    run.ask('ingest', {
      route: intakeRoutes[tool],
      token,
      body: { workspace_id: workspace, connector_id: connector, ...body },
    }),
  );

/** Declares a snapshot, and waits for it to be held. */
export async function declareHeld(run: FaultRun, place: Place, body: object): Promise<string> {
  const declared = await declare(run, place, 'postDbtManifest', body);
  await run.end();
  const { delivery_id } = v.parse(v.object({ delivery_id: v.string() }), declared);
  const query = { workspace_id: place.workspace };
  const request = { route: deliveryRoutes.getDelivery, token: place.token, params: { delivery_id }, query };
  const { state } = v.parse(v.object({ state: v.string() }), await accepted(run.ask('queries', request)));
  if (state !== 'held') throw new Error(`a snapshot that should be held is ${state}`);
  return delivery_id;
}

/** One run of a job that reads and writes tables of the namespace. */
export function told(
  { namespace }: Place,
  [from, to]: readonly [string, string],
  { n, eventType = 'COMPLETE', columns = {} }: { n: number; eventType?: string; columns?: object },
) {
  const built = runEvent(namespace, [`crm.core.${from}`], [`crm.core.${to}`], {
    job: `load ${to}`,
    at: at(n),
    columns: Object.fromEntries(
      Object.entries(columns).map(([column, source]) => [column, [[`crm.core.${from}`, source]] as const]),
    ),
  });
  return { ...built, eventType, run: { runId: runId(n) } };
}

const model = (alias: string, compiled_code: string, nodes: readonly string[]) => ({
  resource_type: 'model',
  database: 'crm',
  schema: 'core',
  alias,
  name: alias,
  original_file_path: `models/${alias}.sql`,
  compiled_code,
  depends_on: { nodes },
});

const models = {
  orders: model('orders', 'select id, total from crm.raw.orders', ['source.crm.raw.orders']),
  revenue: model('revenue', 'select id, total as revenue from crm.core.orders', ['model.crm.orders']),
  report: model('report', 'select revenue from crm.core.revenue', ['model.crm.revenue']),
};

export const manifest = (...names: readonly (keyof typeof models)[]) => ({
  metadata: { adapter_type: 'postgres' },
  sources: {
    'source.crm.raw.orders': {
      resource_type: 'source',
      database: 'crm',
      schema: 'raw',
      alias: 'orders',
      name: 'orders',
    },
  },
  nodes: Object.fromEntries(names.map((name) => [`model.crm.${name}`, models[name]])),
});

export const snapshot = (key: string, ...names: readonly (keyof typeof models)[]) => ({
  manifest: manifest(...names),
  project_id: 'crm',
  completeness: 'complete',
  source_event_key: key,
});

/** The same, too large for the table, as most documents are. */
export function largeSnapshot(...notification: Parameters<typeof snapshot>) {
  const { manifest, ...rest } = snapshot(...notification);
  return { ...rest, manifest: { ...manifest, docs: noise(0, 8_000) } };
}

/** All models, if one no longer has a column that another reads. */
export function breakingManifest() {
  const built = manifest('orders', 'revenue', 'report');
  const revenue = { ...models.revenue, compiled_code: 'select id from crm.core.orders' };
  return { ...built, nodes: { ...built.nodes, 'model.crm.revenue': revenue } };
}

/** A snapshot, of whose statements nothing is known: a snapshot that retracts all columns. */
export function unreadSnapshot(key: string, ...names: readonly (keyof typeof models)[]) {
  const reported = snapshot(key, ...names);
  const nodes = Object.fromEntries(
    names.map((name) => [`model.crm.${name}`, { ...models[name], compiled_code: null }]),
  );
  return { ...reported, manifest: { ...reported.manifest, nodes } };
}

const datahubUrn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${table},PROD)`;
export const catalog = (key: string, ...pairs: readonly (readonly [string, string])[]) => ({
  export: {
    lineage: pairs.map(([from, to]) => ({ upstreamUrn: datahubUrn(from), downstreamUrn: datahubUrn(to) })),
  },
  import_source: 'catalog',
  completeness: 'complete',
  source_event_key: key,
});
