import type { QuarantinedItem } from '../../contract/deliveries.ts';
import { ignoredReasons } from '../../contract/unresolved-reasons.ts';
import { inParallel } from '../concurrency/in-parallel.ts';
import { nodeOf, type Urn } from '../graph/node.ts';
import { isoOfMicros } from '../graph/order.ts';
import type { RunRecords } from '../graph/runs.ts';
import type { RelationSchema, SchemaId } from '../graph/schema.ts';
import type { Connector } from '../identity/connector.ts';
import { isExpired } from '../identity/retention.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';
import { sortedBy } from '../sorted-by.ts';
import type { Contribution } from '../sources/openlineage/contribution.ts';
import { runOf } from '../sources/openlineage/run.ts';
import { microsOfEventTime } from '../time/event-time.ts';
import { type DeclaredStatics, declareInOrder } from './declare-static.ts';
import { runsOf, staticScopes } from './group-items.ts';
import { type InterpretedItem, interpreted } from './interpret-items.ts';
import { failedItem, isItemFailure } from './item-failure.ts';
import { observeRun } from './observe-run.ts';
import type { ProjectionPorts } from './ports.ts';
import { readItems } from './read-items.ts';
import type { RunWork } from './run-work.ts';
import { type SettlePorts, settledItems } from './settle-items.ts';
import { statedColumns } from './stated-columns.ts';
import { usedNames } from './used-names.ts';

type ProcessedOutcome = Extract<DeliveryOutcome, { readonly kind: 'processed' }>;

const scopesInFlight = 8;
const maxWarnings = 100;

export type OpenLineagePorts = ProjectionPorts<Contribution> &
  SettlePorts & {
    /** Has the work of one run, by its key, done one at a time: what comes before it has begun is done with it. */
    readonly runsTogether: (key: string, work: RunWork, observe: (work: RunWork) => Promise<void>) => Promise<void>;
  };

/** Projects the events of a delivery: each run's together, each declared job's and dataset's in the order of event time. */
export async function projectOpenLineage(
  ports: OpenLineagePorts,
  delivery: Delivery,
  bytes: Uint8Array,
  connectors: readonly Connector[],
): Promise<ProcessedOutcome> {
  const { items: read, quarantined, warnings } = readItems(delivery, JSON.parse(new TextDecoder().decode(bytes)));
  const items = await settledItems(ports, read);
  const names = usedNames(connectors);
  const { readable, failed } = interpreted(items, names.resolve);
  await ports.say?.(names.said());
  const quarantine = [...quarantined, ...failed];
  await ports.schemas.put(delivery.workspace_id, schemaContents(readable));
  const columns = listedColumns(readable);
  await ports.directory.add(delivery.workspace_id, [...columns.keys()].map(nodeOf), { columns });
  await observeRuns(ports, delivery, readable, quarantine);
  const statics = await declareStatics(ports, delivery, readable, quarantine);
  const newest = items
    .map(({ event }) => microsOfEventTime(event.eventTime))
    .sort()
    .at(-1);
  return {
    kind: 'processed',
    quarantined: sortedBy(quarantine, ({ index }) => index),
    warnings: warnings.slice(0, maxWarnings),
    unresolved: names.unresolved(),
    onlyUnowned: names.onlyUnowned(),
    ignored: ignoredItems(delivery, connectors, readable, statics),
    retractedEvidenceCount: statics.reduce((sum, { retracted }) => sum + retracted, 0),
    lastEventAt: newest === undefined ? null : isoOfMicros(newest),
    tookEffectAt:
      statics
        .flatMap(({ tookEffectAt }) => tookEffectAt ?? [])
        .sort()
        .at(-1) ?? null,
  };
}

/** Two deliveries of one run that are worked at once would each publish the run, and find that the other had changed it. */
const observeRuns = (
  ports: OpenLineagePorts,
  delivery: Delivery,
  items: readonly InterpretedItem[],
  quarantine: QuarantinedItem[],
) => {
  const { workspace_id: workspace } = delivery;
  const observe = ({ ports, location, ...events }: RunWork) =>
    observeRun(ports, workspace, (records) => runOf(records, location), events);
  return Promise.all(
    runsOf(delivery, items).map(({ members, ...events }) =>
      isolated(quarantine, members, undefined, async () => {
        const work = { ...events, ports };
        try {
          await ports.runsTogether(`${workspace} ${work.scope.scope} ${work.runId}`, work, observe);
        } catch (error) {
          if (!isItemFailure(error)) throw error;
          // It may be another delivery's event that cannot be projected.
          await observe(work);
        }
      }),
    ),
  );
};

const declareStatics = (
  ports: ProjectionPorts<Contribution>,
  delivery: Delivery,
  items: readonly InterpretedItem[],
  quarantine: QuarantinedItem[],
) =>
  inParallel(scopesInFlight, staticScopes(items), (statics) => {
    const lineages = statics.map(({ declared }) => declared);
    return isolated(quarantine, statics, nothingDeclared, () => declareInOrder(ports, delivery, lineages));
  });

const nothingDeclared: DeclaredStatics = { retracted: 0, tookEffectAt: null, overtaken: 0 };

/** Contents first: whoever finds that a schema is claimed finds what it says. */
const schemaContents = (items: readonly InterpretedItem[]): Map<SchemaId, RelationSchema> =>
  new Map(items.flatMap((item) => [...(item.kind === 'run' ? item.contribution : item.declared).contents]));

/** The columns of the schemas that items state. */
function listedColumns(items: readonly InterpretedItem[]): Map<Urn, Set<string>> {
  const described = items.flatMap((item) =>
    item.kind === 'run' ? (item.contribution.content.described ?? []) : item.declared.seen,
  );
  return statedColumns({ described, contents: schemaContents(items) });
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

/**
 * The events that have no effect: those of runs whose newest event is older than observations count for any relation
 * that they write, and declarations that a newer one had overtaken (C-DELIVERY-14).
 */
function ignoredItems(
  delivery: Delivery,
  connectors: readonly Connector[],
  items: readonly InterpretedItem[],
  statics: readonly DeclaredStatics[],
): Delivery['ignored'] {
  const ports = { connectors: new Map(connectors.map((one) => [one.id, one])), now: delivery.received_at };
  const isOld = ({ records }: { readonly records: RunRecords<Contribution> }) => {
    const [newest] = [...records.values()]
      .map(({ last }) => last)
      .sort()
      .reverse();
    const outputs = [...records.values()].flatMap(({ content }) => content.outputs.map(nodeOf));
    if (newest === undefined || outputs.length === 0) return false;
    return outputs.every((output) => isExpired(ports, null, output, isoOfMicros(newest)));
  };
  const tooOld = runsOf(delivery, items).filter(isOld);
  const counts = {
    too_old: tooOld.reduce((sum, { members }) => sum + members.length, 0),
    overtaken: statics.reduce((sum, one) => sum + one.overtaken, 0),
  };
  return ignoredReasons.flatMap((reason) => (counts[reason] > 0 ? [{ reason, count: counts[reason] }] : []));
}
