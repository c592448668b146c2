import type { Delivery } from '../deliveries/delivery.ts';
import type { Outcome } from '../deliveries/finish-delivery.ts';
import { scopeId } from '../graph/ids.ts';
import { isoOfMicros, microsOfOrder } from '../graph/order.ts';
import type { ScopeIdentity } from '../graph/ports.ts';
import type { Heard, RunRecord } from '../graph/runs.ts';
import { resolveDataset } from '../identity/resolve-dataset.ts';
import { inParallel } from '../in-parallel.ts';
import { eventsOf, isObject } from '../intake/read-events.ts';
import type { Connector } from '../lineage/connector.ts';
import { type Contribution, contributionOf, type Resolve } from '../openlineage/contribution.ts';
import type { RunEvent } from '../openlineage/event.ts';
import { microsOfEventTime } from '../openlineage/event-time.ts';
import { runOf } from '../openlineage/run.ts';
import { datasetEventOf, jobEventOf, observedScopeKey, type StaticMeaning } from '../openlineage/static-event.ts';
import { type ValidEvent, validateEvent } from '../openlineage/validate.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { observeRun, type RunEvents } from './observe-run.ts';
import type { ProjectionPorts, Warning } from './ports.ts';

export type Worked = Extract<Outcome, { readonly kind: 'worked' }>;

const runsInFlight = 8;
const warningsKept = 100;
/** Late events of a run find it for so long; an edge that was not observed for the retention is stale anyway. */
const runKeptDays = 100;
const daySeconds = 86_400;

type Item = { readonly index: number; readonly location: string } & ValidEvent;
type Read = {
  readonly items: readonly Item[];
  readonly quarantined: Worked['quarantined'];
  readonly warnings: Warning[];
};

/** Projects the events of a delivery: each run's together, each declared job's and dataset's in the order of event time. */
export async function projectOpenLineage(
  ports: ProjectionPorts<Contribution>,
  delivery: Delivery,
  bytes: Uint8Array,
  connectors: readonly Connector[],
): Promise<Worked> {
  const { items, quarantined, warnings } = readItems(delivery, JSON.parse(new TextDecoder().decode(bytes)));
  const resolve: Resolve = (dataset) => resolveDataset(connectors, dataset);
  const runs = runsOf(delivery, items, resolve);
  await inParallel(runsInFlight, runs, ({ location, ...events }) =>
    observeRun(ports, delivery.workspace_id, (record) => runOf(record, location), events),
  );
  const retracted = await inParallel(runsInFlight, staticScopes(items, resolve), (meanings) =>
    declareInOrder(ports, delivery, meanings),
  );
  const times = items.map(({ event }) => microsOfEventTime(event.eventTime)).sort();
  const newest = times.at(-1);
  return {
    kind: 'worked',
    quarantined,
    warnings: warnings.slice(0, warningsKept),
    unresolved: [],
    retractedEvidenceCount: retracted.reduce((sum, one) => sum + one, 0),
    lastEventAt: newest === undefined ? null : isoOfMicros(newest),
  };
}

function readItems({ kind }: Delivery, body: unknown): Read {
  const events = kind === 'openlineage_event' ? [body] : (eventsOf(body) ?? []);
  const prefix = kind === 'openlineage_event' ? '' : Array.isArray(body) ? '/' : '/events/';
  const quarantined: { index: number; code: string; message: string }[] = [];
  const warnings: Warning[] = [];
  const items = events.flatMap((value, index): Item[] => {
    const location = prefix === '' ? '' : `${prefix}${index}`;
    if (!isObject(value)) {
      quarantined.push({ index, code: 'not_an_object', message: `${location || '/'}: must be an object` });
      return [];
    }
    const validation = validateEvent(value);
    if (!validation.valid) {
      const [first] = validation.errors;
      const message = `${location}${first?.path ?? ''}: ${first?.message ?? 'is no OpenLineage event'}`;
      quarantined.push({ index, code: 'invalid_event', message });
      return [];
    }
    for (const { path, rule } of validation.facetFindings) {
      warnings.push({ code: 'facet_dropped', message: `${location}${path}: ${rule}` });
    }
    return [{ ...validation, index, location }];
  });
  return { items, quarantined, warnings };
}

type LocatedRun = RunEvents<Contribution> & { readonly location: string };

/** The run events of a delivery, those of one run together. */
function runsOf(delivery: Delivery, items: readonly Item[], resolve: Resolve): LocatedRun[] {
  const runs = new Map<string, LocatedRun & { heard: Map<string, Heard<Contribution>> }>();
  for (const { kind, event, location } of items) {
    if (kind !== 'RunEvent') continue;
    const { at, digest, content } = contributionOf(event, resolve);
    const name = JSON.stringify([event.job.namespace, event.job.name, event.run.runId]);
    const run = runs.get(name) ?? emptyRun(delivery, event, location);
    const known = run.heard.get(digest);
    run.heard.set(digest, {
      content,
      first: known && known.first < at ? known.first : at,
      last: known && known.last > at ? known.last : at,
    });
    runs.set(name, run);
  }
  return [...runs.values()];
}

const emptyRun = (delivery: Delivery, { job, run }: RunEvent, location: string) => ({
  scope: scopeOf(delivery, 'observed', observedScopeKey(job)),
  runId: run.runId.toLowerCase(),
  heard: new Map<string, Heard<Contribution>>() satisfies RunRecord<Contribution>,
  deliveryId: delivery.delivery_id,
  expiresAt: Math.floor(Date.parse(delivery.received_at) / 1000) + runKeptDays * daySeconds,
  location,
});

/** Evidence is one provider's: two that report one job do not replace each other's word. */
function scopeOf<K extends 'observed' | 'static'>(
  delivery: Delivery,
  kind: K,
  key: string,
): ScopeIdentity & { readonly kind: K } {
  const scopeKey = `provider:${delivery.provider_instance_id}:${key}`;
  return {
    scope: scopeId(scopeKey),
    scopeKey,
    kind,
    providerType: delivery.provider_type,
    providerInstanceId: delivery.provider_instance_id,
  };
}

/** What the delivery declares of each job and dataset, oldest first. */
function staticScopes(items: readonly Item[], resolve: Resolve): StaticMeaning[][] {
  const meanings = items.flatMap((item): StaticMeaning[] => {
    if (item.kind === 'JobEvent') return [jobEventOf(item.event, resolve, item.location)];
    return item.kind === 'DatasetEvent' ? [datasetEventOf(item.event, resolve, item.location)] : [];
  });
  return [...Map.groupBy(meanings, ({ scopeKey }) => scopeKey).values()].map((scope) =>
    scope.sort((a, b) => (a.order < b.order ? -1 : 1)),
  );
}

async function declareInOrder(
  ports: ProjectionPorts<Contribution>,
  delivery: Delivery,
  meanings: readonly StaticMeaning[],
): Promise<number> {
  let retracted = 0;
  for (const { scopeKey, order, derivations, aliases, renames, drops } of meanings) {
    const workspace = delivery.workspace_id;
    for (const { alias, canonical } of aliases) await ports.claims.alias(workspace, alias, canonical);
    for (const { from, to, at } of renames) await ports.claims.rename(workspace, from, to, at);
    for (const { node, at } of drops) await ports.claims.drop(workspace, node, at);
    if (derivations === null) continue;
    const outcome = await loadSnapshot(ports, workspace, {
      scope: scopeOf(delivery, 'static', scopeKey),
      order,
      complete: true,
      deliveryId: delivery.delivery_id,
      receivedAt: isoOfMicros(microsOfOrder(order)),
      derivations,
      shrinkGuard: { mode: 'off', share: 1 },
      released: false,
    });
    retracted += outcome.retracted;
  }
  return retracted;
}
