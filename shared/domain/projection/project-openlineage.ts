import type { QuarantinedItem } from '../../contract/deliveries.ts';
import { inParallel } from '../concurrency/in-parallel.ts';
import { scopeId } from '../graph/ids.ts';
import { isoOfMicros, microsOfOrder } from '../graph/order.ts';
import type { ScopeIdentity } from '../graph/ports.ts';
import type { RunRecord, RunRecords } from '../graph/runs.ts';
import type { Connector } from '../identity/connector.ts';
import { resolveDataset } from '../identity/resolve-dataset.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';
import { eventsOf } from '../ingest/read-events.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { SaidName } from '../naming/said.ts';
import { sortedBy } from '../sorted-by.ts';
import { type Contribution, contributionOf, type Resolve } from '../sources/openlineage/contribution.ts';
import type { JobEvent, RunEvent } from '../sources/openlineage/event.ts';
import { runOf } from '../sources/openlineage/run.ts';
import { canSettle, settleColumnSources } from '../sources/openlineage/settle-column-sources.ts';
import {
  datasetEventOf,
  jobEventOf,
  observedScopeKey,
  type StaticLineage,
} from '../sources/openlineage/static-event.ts';
import { type ValidEvent, validateEvent } from '../sources/openlineage/validate.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { SqlParser } from '../sql/types.ts';
import { microsOfEventTime } from '../time/event-time.ts';
import { failedItem, isItemFailure } from './item-failure.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { observeRun, type RunEvents } from './observe-run.ts';
import type { ProjectionPorts, Warning } from './ports.ts';

type ProcessedOutcome = Extract<DeliveryOutcome, { readonly kind: 'processed' }>;

const runsInFlight = 8;
const maxWarnings = 100;
/** Late events of a run find it for so long; an edge that was not observed for the retention is stale anyway. */
const runRetentionDays = 100;
const daySeconds = 86_400;

type Item = { readonly index: number; readonly location: string } & ValidEvent;
type Read = {
  readonly items: readonly Item[];
  readonly quarantined: ProcessedOutcome['quarantined'];
  readonly warnings: Warning[];
};

/** Projects the events of a delivery: each run's together, each declared job's and dataset's in the order of event time. */
export async function projectOpenLineage(
  ports: ProjectionPorts<Contribution> & SettlePorts,
  delivery: Delivery,
  bytes: Uint8Array,
  connectors: readonly Connector[],
): Promise<ProcessedOutcome> {
  const read = readItems(delivery, JSON.parse(new TextDecoder().decode(bytes)));
  const { quarantined, warnings } = read;
  const items = await settledItems(ports, read.items);
  const namespaces = new Set<string>();
  const resolve: Resolve = (dataset) => {
    for (const { namespace } of [dataset, ...dataset.symlinks]) namespaces.add(namespace);
    return resolveDataset(connectors, dataset);
  };
  const { readable, failed } = interpreted(items, resolve);
  await ports.say?.([...namespaces].map((namespace) => ({ kind: 'namespace', namespace })));
  const quarantine = [...quarantined, ...failed];
  const runs = runsOf(delivery, readable);
  await inParallel(runsInFlight, runs, ({ location, members, ...events }) =>
    isolated(quarantine, members, undefined, () =>
      observeRun(ports, delivery.workspace_id, (records) => runOf(records, location), events),
    ),
  );
  const retracted = await inParallel(runsInFlight, staticScopes(readable), (statics) =>
    isolated(quarantine, statics, 0, () =>
      declareInOrder(
        ports,
        delivery,
        statics.map(({ declared }) => declared),
      ),
    ),
  );
  const times = items.map(({ event }) => microsOfEventTime(event.eventTime)).sort();
  const newest = times.at(-1);
  return {
    kind: 'processed',
    quarantined: sortedBy(quarantine, ({ index }) => index),
    warnings: warnings.slice(0, maxWarnings),
    unresolved: [],
    retractedEvidenceCount: retracted.reduce((sum, one) => sum + one, 0),
    lastEventAt: newest === undefined ? null : isoOfMicros(newest),
  };
}

type SettlePorts = {
  /** Told what names the events use before anything of them is written. */
  readonly say?: (names: readonly SaidName[]) => Promise<void>;
  /** Loaded when an event has a statement that may tell more of its columns. */
  readonly sqlParser: () => Promise<SqlParser>;
};

/** The events with the columns that their own statements tell. */
async function settledItems({ sqlParser }: SettlePorts, items: readonly Item[]): Promise<readonly Item[]> {
  if (!items.some((item) => item.kind !== 'DatasetEvent' && canSettle(item.event))) return items;
  const parser = await sqlParser();
  const analyse: Parameters<typeof settleColumnSources>[0] = (statement, options) =>
    analyseSql(parser, statement, options);
  const settle = <E extends RunEvent | JobEvent>(event: E): E => {
    try {
      return settleColumnSources(analyse, event);
    } catch {
      // A statement that cannot be analysed tells nothing, and takes nothing from its event.
      return event;
    }
  };
  return items.map((item): Item => {
    if (item.kind === 'RunEvent') return { ...item, event: settle(item.event) };
    return item.kind === 'JobEvent' ? { ...item, event: settle(item.event) } : item;
  });
}

function readItems({ kind, received_at }: Delivery, body: unknown): Read {
  const events = kind === 'openlineage_event' ? [body] : (eventsOf(body) ?? []);
  const prefix = kind === 'openlineage_event' ? '' : Array.isArray(body) ? '/' : '/events/';
  const quarantined: { index: number; code: string; message: string }[] = [];
  const warnings: Warning[] = [];
  const items = events.flatMap((value, index): Item[] => {
    const location = prefix === '' ? '' : `${prefix}${index}`;
    if (!isJsonObject(value)) {
      quarantined.push({ index, code: 'not_an_object', message: `${location || '/'}: must be an object` });
      return [];
    }
    const validation = validateEvent(value);
    if (!validation.valid) {
      const [first] = validation.errors;
      const message = `${location}${first?.path ?? ''}: ${first?.message ?? 'is no OpenLineage event'}`;
      quarantined.push({ index, code: validation.code, message });
      return [];
    }
    const time = timeOf(validation.event.eventTime, received_at);
    if (time === null) {
      quarantined.push({ index, code: 'event_time_in_future', message: `${location}/eventTime: ${futureRule}` });
      return [];
    }
    for (const { path, rule } of validation.facetFindings) {
      warnings.push({ code: 'facet_dropped', message: `${location}${path}: ${rule}` });
    }
    return [{ ...atTime(validation, time), index, location }];
  });
  return { items, quarantined, warnings };
}

const maxAheadMs = 86_400_000;
const futureRule = 'must not be more than 24 hours after the receipt';

/** The time that an event counts at: no later than its receipt, whatever its sender's clock says; null where it lies. */
function timeOf(eventTime: string, receivedAt: string): string | null {
  const ahead = Number(microsOfEventTime(eventTime)) / 1_000 - Date.parse(receivedAt);
  if (ahead > maxAheadMs) return null;
  return ahead > 0 ? receivedAt : eventTime;
}

const atTime = (valid: ValidEvent, eventTime: string): ValidEvent =>
  ({ kind: valid.kind, event: { ...valid.event, eventTime } }) as ValidEvent;

type Interpreted = { readonly index: number; readonly location: string } & (
  | { readonly kind: 'run'; readonly event: RunEvent; readonly contribution: ReturnType<typeof contributionOf> }
  | { readonly kind: 'static'; readonly declared: StaticLineage }
);

/** What items state, before anything is written of them; one that cannot be understood is quarantined by itself. */
function interpreted(items: readonly Item[], resolve: Resolve) {
  const failed: QuarantinedItem[] = [];
  const readable = items.flatMap((item): Interpreted[] => {
    const { index, location } = item;
    try {
      return [{ index, location, ...interpretedItem(item, resolve) }];
    } catch {
      failed.push(failedItem(index, location));
      return [];
    }
  });
  return { readable, failed };
}

function interpretedItem(item: Item, resolve: Resolve) {
  switch (item.kind) {
    case 'RunEvent':
      return { kind: 'run', event: item.event, contribution: contributionOf(item.event, resolve) } as const;
    case 'JobEvent':
      return { kind: 'static', declared: jobEventOf(item.event, resolve, item.location) } as const;
    case 'DatasetEvent':
      return { kind: 'static', declared: datasetEventOf(item.event, resolve, item.location) } as const;
  }
}

/** Works items that belong together; where they cannot be projected, they alone are quarantined. */
async function isolated<T>(
  quarantine: QuarantinedItem[],
  members: readonly { readonly index: number; readonly location: string }[],
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isItemFailure(error)) throw error;
    quarantine.push(...members.map(({ index, location }) => failedItem(index, location)));
    return otherwise;
  }
}

type LocatedRun = RunEvents<Contribution> & {
  readonly location: string;
  readonly members: { readonly index: number; readonly location: string }[];
};

/** The run events of a delivery, those of one run together. */
function runsOf(delivery: Delivery, items: readonly Interpreted[]): LocatedRun[] {
  const runs = new Map<string, LocatedRun & { records: Map<string, RunRecord<Contribution>> }>();
  for (const item of items) {
    if (item.kind !== 'run') continue;
    const { event, index, location } = item;
    const { at, digest, content } = item.contribution;
    const name = JSON.stringify([event.job.namespace, event.job.name, event.run.runId]);
    const run = runs.get(name) ?? emptyRun(delivery, event, location);
    const known = run.records.get(digest);
    run.records.set(digest, {
      content,
      first: known && known.first < at ? known.first : at,
      last: known && known.last > at ? known.last : at,
    });
    run.members.push({ index, location });
    runs.set(name, run);
  }
  return [...runs.values()];
}

const emptyRun = (delivery: Delivery, { job, run }: RunEvent, location: string) => ({
  members: [],
  scope: scopeOf(delivery, 'observed', observedScopeKey(job)),
  runId: run.runId.toLowerCase(),
  records: new Map<string, RunRecord<Contribution>>() satisfies RunRecords<Contribution>,
  deliveryId: delivery.delivery_id,
  expiresAt: Math.floor(Date.parse(delivery.received_at) / 1000) + runRetentionDays * daySeconds,
  location,
});

/** Evidence is one provider's: two that report one job do not replace each other's statements. */
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
function staticScopes(items: readonly Interpreted[]) {
  const statics = items.filter((item) => item.kind === 'static');
  return [...Map.groupBy(statics, ({ declared }) => declared.scopeKey).values()].map((scope) =>
    sortedBy(scope, ({ declared }) => declared.order),
  );
}

async function declareInOrder(
  ports: ProjectionPorts<Contribution>,
  delivery: Delivery,
  lineages: readonly StaticLineage[],
): Promise<number> {
  let retracted = 0;
  for (const { scopeKey, order, derivations, aliases, renames, drops } of lineages) {
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
