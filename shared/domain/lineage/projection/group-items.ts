import { findOrAdd, sortedBy } from '../../base/collections.ts';
import type { ParentRun } from '../graph/order.ts';
import { schemasScopeOf, scopeOfProvider } from '../graph/scope-store.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { parentRunOf } from '../sources/openlineage/contribution.ts';
import type { RunEvent } from '../sources/openlineage/event.ts';
import { observedScopeKey } from '../sources/openlineage/job-scopes.ts';
import type { RunRecord } from '../sources/openlineage/run-store.ts';
import type { RunEvents } from './ports.ts';
import type { InterpretedItem } from './read-items.ts';
import { addRecord } from './run-work.ts';

/** How long late events of a run find it; an edge that was not observed for the retention is stale anyway. */
const runRetentionDays = 100;
const daySeconds = 86_400;

type Feed = Pick<Delivery, 'provider_instance_id'>;
/** What the meaning of events depends on beside them. */
export type EventsDelivery = Pick<Delivery, 'kind' | 'received_at' | 'delivery_id' | 'connector_id'> & Feed;

export type LocatedRun = Omit<RunEvents, 'graph'> & {
  readonly members: { readonly index: number; readonly location: string }[];
};

export function runsOf(delivery: EventsDelivery, items: readonly InterpretedItem[]): LocatedRun[] {
  const runs = new Map<string, ReturnType<typeof emptyRun>>();
  for (const item of items) {
    if (item.kind !== 'run') continue;
    const { event, index, location } = item;
    const { at, digest, content } = item.contribution;
    const name = JSON.stringify([event.job.namespace, event.job.name, event.run.runId.toLowerCase()]);
    const run = findOrAdd(runs, name, () => emptyRun(delivery, event, location));
    addRecord(run.records, digest, { content, first: at, last: at });
    run.parentRun ??= parentRunOf(event);
    run.isBegun ||= event.eventType === 'START';
    run.members.push({ index, location });
  }
  return [...runs.values()];
}

const emptyRun = (delivery: EventsDelivery, { job, run }: RunEvent, location: string) => ({
  members: [] as { readonly index: number; readonly location: string }[],
  isBegun: false,
  parentRun: undefined as ParentRun | undefined,
  scope: scopeOfProvider(delivery.provider_instance_id, 'observed', observedScopeKey(job)),
  schemaScope: schemasScopeOf(delivery.provider_instance_id),
  job: { namespace: job.namespace, name: job.name },
  runId: run.runId.toLowerCase(),
  records: new Map<string, RunRecord>(),
  deliveryId: delivery.delivery_id,
  expiresAt: Math.floor(Date.parse(delivery.received_at) / 1000) + runRetentionDays * daySeconds,
  location,
});

/** What the delivery declares of each job and dataset, oldest first. */
export function staticScopes(items: readonly InterpretedItem[]) {
  const statics = items.filter((item) => item.kind === 'static');
  return [...Map.groupBy(statics, ({ declared }) => declared.scopeKey).values()].map((scope) =>
    sortedBy(scope, ({ declared }) => declared.order),
  );
}
