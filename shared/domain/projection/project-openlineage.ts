import type { QuarantinedItem, UnresolvedCount } from '../../contract/deliveries.ts';
import { inParallel } from '../concurrency/in-parallel.ts';
import { isoOfMicros } from '../graph/order.ts';
import type { RelationSchema, SchemaId } from '../graph/schema.ts';
import type { Connector } from '../identity/connector.ts';
import { namesRelations } from '../identity/dataset-name.ts';
import { resolveDataset } from '../identity/resolve-dataset.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, unownedNamespace } from '../ingest/deliveries/finish-delivery.ts';
import { sortedBy } from '../sorted-by.ts';
import type { Contribution, Resolve } from '../sources/openlineage/contribution.ts';
import { runOf } from '../sources/openlineage/run.ts';
import { microsOfEventTime } from '../time/event-time.ts';
import { declareInOrder } from './declare-static.ts';
import { runsOf, staticScopes } from './group-items.ts';
import { type InterpretedItem, interpreted } from './interpret-items.ts';
import { failedItem, isItemFailure } from './item-failure.ts';
import { observeRun } from './observe-run.ts';
import type { ProjectionPorts } from './ports.ts';
import { readItems } from './read-items.ts';
import { type SettlePorts, settledItems } from './settle-items.ts';

type ProcessedOutcome = Extract<DeliveryOutcome, { readonly kind: 'processed' }>;

const runsInFlight = 8;
const maxWarnings = 100;

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
  const used = new Map<string, Set<string>>();
  const resolve: Resolve = (dataset) => {
    for (const { namespace } of [dataset, ...dataset.symlinks]) used.set(namespace, used.get(namespace) ?? new Set());
    const resolved = resolveDataset(connectors, dataset);
    if (resolved.node.kind === 'dataset') used.get(dataset.namespace)?.add(dataset.name);
    return resolved;
  };
  const { readable, failed } = interpreted(items, resolve);
  await ports.say?.([...used].map(([namespace, unowned]) => ({ kind: 'namespace', namespace, unowned })));
  const quarantine = [...quarantined, ...failed];
  await ports.schemas.put(delivery.workspace_id, schemaContents(readable));
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
    unresolved: unownedCounts(used),
    retractedEvidenceCount: retracted.reduce((sum, one) => sum + one, 0),
    lastEventAt: newest === undefined ? null : isoOfMicros(newest),
  };
}

/** The relations that the delivery names and no connector owns (C-IDENTITY-6). */
function unownedCounts(used: ReadonlyMap<string, ReadonlySet<string>>): UnresolvedCount[] {
  const relations = [...used].filter(([namespace]) => namesRelations(namespace));
  const count = relations.reduce((sum, [, unowned]) => sum + unowned.size, 0);
  return count === 0 ? [] : [{ reason: unownedNamespace, count }];
}

/** Contents first: whoever finds that a schema is claimed finds what it says. */
const schemaContents = (items: readonly InterpretedItem[]): Map<SchemaId, RelationSchema> =>
  new Map(items.flatMap((item) => [...(item.kind === 'run' ? item.contribution : item.declared).contents]));

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
