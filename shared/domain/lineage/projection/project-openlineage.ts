import type { QuarantinedItem } from '../../../contract/deliveries.ts';
import { ignoredReasons } from '../../../contract/unresolved-reasons.ts';
import { greatest, sortedBy } from '../../base/collections.ts';
import { inParallel } from '../../base/concurrency.ts';
import type { SeenSchema } from '../graph/claim-writer.ts';
import { type GraphId, nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import {
  forgettingAt,
  isForgottenObservation,
  isoOfMicros,
  micros,
  microsOfEventTime,
  microsOfOrder,
} from '../graph/order.ts';
import type { RelationSchema, SchemaId } from '../graph/schema.ts';
import { schemasScopeOf, scopeOfProvider } from '../graph/scope-store.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';
import { isExpired } from '../names/retention.ts';
import { outsideInputs } from '../sources/openlineage/derive.ts';
import { runOf, type StaticLineage } from '../sources/openlineage/run.ts';
import { statedColumns } from './edges.ts';
import { type LocatedRun, runsOf, staticScopes } from './group-items.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { observeRun } from './observe-run.ts';
import type { GraphWriters, ProjectionContext, RunWork, Warning } from './ports.ts';
import { failedItem, type InterpretedItem, interpreted, isItemFailure, readItems } from './read-items.ts';
import { lastTimeOf } from './run-work.ts';
import { settledItems, silentStatements } from './settle-items.ts';
import type { SnapshotWriters } from './snapshot-status.ts';
import { usedNames } from './used-names.ts';

type ProcessedOutcome = Extract<DeliveryOutcome, { readonly kind: 'processed' }>;

const scopesInFlight = 8;
const maxWarnings = 100;

/** Projects the events of a delivery: each run's together, each declared job's and dataset's in the order of event time. */
export async function projectOpenLineage(
  writers: GraphWriters,
  { graph, forgotten, connectors, recordNames }: ProjectionContext,
  delivery: Delivery,
  bytes: Uint8Array,
): Promise<ProcessedOutcome> {
  const { items: read, quarantined, warnings } = readItems(delivery, JSON.parse(new TextDecoder().decode(bytes)));
  const items = await settledItems(writers, connectors, delivery, read);
  const names = usedNames(connectors);
  const { readable, failed } = interpreted(items, names.resolve);
  await recordNames(names.used());
  const quarantine = [...quarantined, ...failed];
  await writers.schemas.put(graph, schemaContents(readable));
  const columns = listedColumns(readable);
  await writers.directory.add(graph, [...columns.keys()].map(nodeOf), columns);
  const runs = runsOf(delivery, readable);
  await observeRuns(writers, graph, runs, quarantine);
  const statics = await declareStatics(writers, graph, delivery, readable, quarantine);
  const newest = greatest(items.map(({ event }) => microsOfEventTime(event.eventTime)));
  return {
    kind: 'processed',
    quarantined: sortedBy(quarantine, ({ index }) => index),
    warnings: [...warnings, ...sourcesOutsideInputs(runs, readable)].slice(0, maxWarnings),
    unresolved: [...names.unresolved(), ...silentStatements(connectors, delivery, items)],
    onlyUnowned: names.onlyUnowned(),
    ignored: ignoredItems(delivery, { connectors, forgotten }, runs, statics),
    retractedEvidenceCount: statics.reduce((sum, { retracted }) => sum + retracted, 0),
    lastEventAt: newest === undefined ? null : isoOfMicros(newest),
    tookEffectAt: greatest(statics.flatMap(({ tookEffectAt }) => tookEffectAt ?? [])) ?? null,
  };
}

/** Two deliveries of one run that are worked at once would each publish the run, and find that the other had changed it. */
const observeRuns = (
  writers: GraphWriters,
  graph: GraphId,
  runs: readonly LocatedRun[],
  quarantine: QuarantinedItem[],
) => {
  const observe = ({ writers, ...events }: RunWork) => observeRun(writers, events);
  return Promise.all(
    runs.map(({ members, ...events }) =>
      isolated(quarantine, members, undefined, async () => {
        const work = { ...events, graph, writers };
        try {
          await writers.runsTogether(`${graph} ${work.scope.scope} ${work.runId}`, work, observe);
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
  writers: GraphWriters,
  graph: GraphId,
  delivery: Delivery,
  items: readonly InterpretedItem[],
  quarantine: QuarantinedItem[],
) =>
  inParallel(scopesInFlight, staticScopes(items), (statics) => {
    const lineages = statics.map(({ declared }) => declared);
    return isolated(quarantine, statics, nothingDeclared, () => declareInOrder(writers, graph, delivery, lineages));
  });

const nothingDeclared: DeclaredStatics = { retracted: 0, tookEffectAt: null, overtaken: 0 };

/** Contents first: readers that find a claim of a schema also find its content. */
export const schemaContents = (items: readonly InterpretedItem[]): Map<SchemaId, RelationSchema> =>
  new Map(items.flatMap((item) => [...(item.kind === 'run' ? item.contribution : item.declared).contents]));

function listedColumns(items: readonly InterpretedItem[]): Map<Urn, Set<string>> {
  const described = items.flatMap((item) =>
    item.kind === 'run' ? (item.contribution.content.described ?? []) : item.declared.seen,
  );
  return statedColumns({ described, contents: schemaContents(items) });
}

/** Works items that belong together; if they cannot be projected, only they are quarantined. */
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

/** Says which sources of columns are no inputs of their jobs: whole names count as inputs, others leave columns open. */
function sourcesOutsideInputs(runs: readonly LocatedRun[], items: readonly InterpretedItem[]): Warning[] {
  const ofRuns = runs.map(({ records, location }) => ({ location, derivations: runOf(records, location).derivations }));
  const statics = items.flatMap((one) =>
    one.kind === 'static' ? { location: one.location, derivations: one.declared.derivations ?? [] } : [],
  );
  return [...ofRuns, ...statics].flatMap(({ location, derivations }) => {
    const outside = derivations.filter(({ unresolved }) => unresolved.some(({ reason }) => reason === outsideInputs));
    const outputs = [...new Set(outside.map(({ output }) => relationRefOf(output)))];
    return outputs.map((output) => ({
      code: outsideInputs,
      message: `${location || '/'}: the columnLineage of ${output} names a dataset that is not among the inputs. A whole name counts as an input; for any other name the column stays open.`,
    }));
  });
}

/** Events without effect: runs too old for all that they write or forgotten since, and overtaken declarations (C-DELIVERY-14). */
function ignoredItems(
  delivery: Delivery,
  { connectors, forgotten }: Pick<ProjectionContext, 'connectors' | 'forgotten'>,
  runs: readonly LocatedRun[],
  statics: readonly DeclaredStatics[],
): Delivery['ignored'] {
  const retention = { connectors: new Map(connectors.map((one) => [one.id, one])), now: delivery.received_at };
  const reasonOf = (run: LocatedRun) => {
    const newest = lastTimeOf(run);
    const outputs = [...run.records.values()].flatMap(({ content }) => content.outputs.map(nodeOf));
    if (outputs.length > 0 && outputs.every((one) => isExpired(retention, null, one, isoOfMicros(newest))))
      return 'too_old';
    const until = forgettingAt(forgotten, run.scope.scope, null)?.order ?? null;
    if (isForgottenObservation(until, newest)) return 'forgotten';
    return runOf(run.records, run.location).unfinished.length > 0 ? 'run_not_complete' : null;
  };
  const overtaken = statics.reduce((sum, one) => sum + one.overtaken, 0);
  const counts = { too_old: 0, run_not_complete: 0, overtaken, forgotten: 0 };
  for (const run of runs) {
    const reason = reasonOf(run);
    if (reason !== null) counts[reason] += run.members.length;
  }
  return ignoredReasons.flatMap((reason) => (counts[reason] > 0 ? [{ reason, count: counts[reason] }] : []));
}

async function observeSchemas(
  writers: SnapshotWriters,
  graph: GraphId,
  delivery: Delivery,
  seen: readonly SeenSchema[],
): Promise<void> {
  const scope = schemasScopeOf(delivery.provider_instance_id);
  await writers.scopes.register(graph, scope);
  await writers.directory.add(
    graph,
    seen.map(({ node }) => nodeOf(node)),
  );
  await writers.claims.observe(graph, { scope, at: micros(0n), edges: [], schemas: { scope, seen } });
}

type DeclaredStatics = {
  readonly retracted: number;
  /** When the last statement took effect; null if none did. */
  readonly tookEffectAt: string | null;
  /** How many had no effect, because a newer event of the job or dataset had come before. */
  readonly overtaken: number;
};

async function declareInOrder(
  writers: SnapshotWriters,
  graph: GraphId,
  delivery: Delivery,
  lineages: readonly StaticLineage[],
): Promise<DeclaredStatics> {
  let [retracted, tookEffectAt]: [number, string | null] = [0, null];
  let [overtaken, hasEffect] = [0, false];
  for (const { scopeKey, order, derivations, reads, aliases, renames, drops, seen } of lineages) {
    if (seen.length > 0) await observeSchemas(writers, graph, delivery, seen);
    for (const { alias, canonical } of aliases) await writers.claims.alias(graph, alias, canonical);
    for (const { from, to, at } of renames) await writers.claims.rename(graph, from, to, at);
    for (const { node, at } of drops) await writers.claims.drop(graph, node, at);
    hasEffect ||= [seen, aliases, renames, drops].some((stated) => stated.length > 0);
    if (derivations === null) continue;
    const outcome = await loadSnapshot(writers, {
      graph,
      scope: scopeOfProvider(delivery.provider_instance_id, 'static', scopeKey),
      order,
      complete: true,
      deliveryId: delivery.delivery_id,
      receivedAt: isoOfMicros(microsOfOrder(order)),
      derivations,
      reads,
      shrinkGuard: { mode: 'off', share: 1 },
      released: false,
    });
    // Those before a newer one of the same delivery are included in it.
    [overtaken, hasEffect] = [overtaken + 1, hasEffect || outcome.state === 'projected'];
    retracted += outcome.retracted;
    tookEffectAt = outcome.at ?? tookEffectAt;
  }
  return { retracted, tookEffectAt, overtaken: hasEffect ? 0 : overtaken };
}
