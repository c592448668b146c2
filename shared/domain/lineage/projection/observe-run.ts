import type { Edge, EdgeStatement } from '../graph/claim-writer.ts';
import type { Derivation, DetailVersion } from '../graph/derivation.ts';
import { withObserved } from '../graph/edge-details.ts';
import { nodeId, nodeOf, urnOf } from '../graph/node.ts';
import {
  isoOfMicros,
  joinedSpans,
  type Micros,
  micros,
  type Order,
  runOrder,
  runToken,
  type Span,
} from '../graph/order.ts';
import type { UnfinishedRun } from '../graph/runs.ts';
import { runOf } from '../sources/openlineage/run.ts';
import type { RunLineage, RunRecords, StoredRun } from '../sources/openlineage/run-store.ts';
import { edgeName, edgesOf, nodesOf, statedColumns } from './edges.ts';
import type { GraphWriters, RunEvents } from './ports.ts';

type RunWriters = Pick<GraphWriters, 'claims' | 'scopes' | 'directory' | 'unfinished' | 'runs'>;

/** Order and overlap do not matter: claims follow from all known events, and records are read again after writes. */
export async function observeRun(ports: RunWriters, events: RunEvents): Promise<void> {
  const { graph, scope, runId, records, isBegun, expiresAt, location } = events;
  // Read before it is stored: what cannot be interpreted must not be in the way of the run's other events.
  const alone = runOf(records, location);
  const aloneClaims = claimsOf(alone, events);
  // Listed before it is stored: an event that ends the run and that finds it stored finds it listed.
  if (alone.unfinished.length > 0) await ports.unfinished.put(graph, scope.scope, runId, unfinishedRun(events, alone));
  const own = { runId, parentRun: events.parentRun, records, isBegun: isBegun === true, expiresAt };
  const added = await ports.runs.add(graph, scope.scope, own);
  const { parentRun } = added;
  let known = added.records;
  const before = new Map([...known].filter(([digest]) => !records.has(digest)));
  // What was known before may have been published by an attempt that died since.
  const earlier = runOf(before, location);
  let publishedBefore = added.repeated || earlier.observed !== null;
  const isListed = alone.unfinished.length + earlier.unfinished.length > 0;
  for (;;) {
    const lineage = isSame(known, records) ? alone : runOf(known, location);
    if (isListed && lineage.unfinished.length === 0) await ports.unfinished.remove(graph, scope.scope, runId);
    if (lineage.observed === null) return;
    const run = { ...events, records: known };
    const claims = lineage === alone ? aloneClaims : claimsOf(lineage, { ...events, parentRun });
    await publish(ports, run, { ...lineage, observed: lineage.observed, claims });
    if (publishedBefore) await retract(ports, events, lineage);
    const now = await ports.runs.read(graph, scope.scope, runId, known);
    if (isSame(known, now)) return;
    // Another worker added to the run meanwhile: its writes and ours crossed.
    known = now;
    publishedBefore = true;
  }
}

/** Of a run over more relations than a person looks through, the first. */
const relationsListed = 1_000;

export const unfinishedRun = (
  { scope, job, records }: Pick<RunEvents, 'scope' | 'job' | 'records'>,
  { unfinished }: RunLineage,
): UnfinishedRun => ({
  job,
  providerInstanceId: scope.providerInstanceId,
  since: isoOfMicros([...records.values()].map(({ first }) => first).sort()[0] ?? micros(0n)),
  nodes: unfinished.slice(0, relationsListed).map(nodeId),
});

const isSame = (a: RunRecords, b: RunRecords) =>
  a.size === b.size &&
  [...a].every(([digest, { first, last }]) => b.get(digest)?.first === first && b.get(digest)?.last === last);

async function publish(
  ports: RunWriters,
  { graph, scope, schemaScope, runId, records }: RunEvents,
  lineage: RunLineage & { readonly observed: Span; readonly claims: readonly EdgeStatement[] },
): Promise<void> {
  const { claims, observed } = lineage;
  const { first, last } = observed;
  const order = orderOfRun({ runId, records }, last);
  await Promise.all([
    ports.scopes.register(graph, scope),
    ...(lineage.schemas.length > 0 ? [ports.scopes.register(graph, schemaScope)] : []),
    ports.directory.add(
      graph,
      [...nodesOf(lineage.derivations), ...[...lineage.schemas.map(({ node }) => node), ...lineage.reads].map(nodeOf)],
      statedColumns({ edges: claims }),
    ),
  ]);
  const seen = lineage.schemas.map(({ node, schema, first, last }) => ({ node, schema, at: last, since: first }));
  await Promise.all([
    // One write a node: a run that is published once has its schemas from the first of its times on.
    ports.claims.observe(graph, {
      scope,
      at: last,
      since: first,
      edges: claims.map((claim) => ({ ...claim, stated: { order, detail: claim.detail } })),
      schemas: { scope: schemaScope, seen },
      reads: lineage.reads,
    }),
    ...lineage.aliases.map(({ alias, canonical }) => ports.claims.alias(graph, alias, canonical)),
    ...lineage.renames.map(({ from, to, at }) => ports.claims.rename(graph, from, to, at)),
    ...lineage.drops.map(({ node, at }) => ports.claims.drop(graph, node, at)),
  ]);
}

export const orderOfRun = ({ runId, records }: Pick<StoredRun, 'runId' | 'records'>, last: Micros): Order =>
  runOrder(last, runToken(runId), records.values());

/** The edges that a run states, with the time at which it was observed. */
export const claimsOf = ({ derivations, observed }: RunLineage, source: Source): EdgeStatement[] =>
  edgesOf(derivations, contextOf(source, observed?.last ?? micros(0n)));

type Source = Pick<RunEvents, 'deliveryId' | 'parentRun'>;

const contextOf = ({ deliveryId, parentRun }: Source, last: Micros) => ({
  deliveryId,
  observedAt: isoOfMicros(last),
  parentRun,
  unmappedIsUnknown: true,
});

/** Narrows what only a part of the run's events had published to what the job's other runs support. */
async function retract(
  ports: RunWriters,
  { graph, scope, runId, deliveryId, location }: RunEvents,
  lineage: RunLineage,
): Promise<void> {
  const stated = new Set(lineage.derivations.flatMap(statedEdges));
  const retractable = lineage.possible().filter((edge) => !stated.has(edgeName(edge)));
  const observed = await ports.claims.observed(graph, scope.scope, retractable);
  const forgotten = await ports.claims.forgetRun(graph, scope.scope, runToken(runId), retractable);
  const found = new Map([...observed.map(({ edge }) => edge), ...forgotten].map((edge) => [edgeName(edge), edge]));
  const evidenceOf = (edges: readonly Edge[]) => {
    const runs = ports.runs.otherRuns(graph, scope.scope, runId);
    return evidenceOfRuns(runs, { deliveryId, location, edges });
  };
  for (let pending: readonly Edge[] = [...found.values()]; pending.length > 0; ) {
    const evidence = await evidenceOf(pending);
    const narrowings = pending.map((edge) => ({ edge, remaining: evidence.get(edgeName(edge))?.span ?? null }));
    const moved = await ports.claims.narrow(graph, scope.scope, narrowings);
    // A run that came meanwhile may have found its observation already made, and left it to us.
    await restore(ports, { graph, scope }, [...(await evidenceOf(pending)).values()]);
    pending = moved;
  }
}

/** Republishes other runs' statements about edges. */
async function restore(
  ports: RunWriters,
  { graph, scope }: Pick<RunEvents, 'graph' | 'scope'>,
  evidence: readonly RunEvidence[],
): Promise<void> {
  const times = evidence.flatMap(({ span, edge, stated }) => [
    ...stated.map((one) => ({ at: span.last, edge: { ...edge, stated: one } })),
    ...(span.first === span.last ? [] : [{ at: span.first, edge }]),
  ]);
  for (const [at, ofTime] of Map.groupBy(times, ({ at }) => at)) {
    const edges = ofTime.map(({ edge }) => edge);
    await ports.claims.observe(graph, { scope, at, edges });
  }
}

const statedEdges = ({ output, inputs }: Derivation): string[] =>
  inputs.map((input) => edgeName({ from: urnOf(input), to: urnOf(output) }));

type RunEvidence = { readonly span: Span; readonly edge: Edge; readonly stated: readonly DetailVersion[] };

/** The runs' view of some edges. Streams the runs, because a job may have thousands. */
async function evidenceOfRuns(
  runs: AsyncIterable<StoredRun>,
  { deliveryId, location, edges }: Pick<RunEvents, 'deliveryId' | 'location'> & { readonly edges: readonly Edge[] },
): Promise<Map<string, RunEvidence>> {
  const target = new Set(edges.map(edgeName));
  const found = new Map<string, RunEvidence>();
  for await (const { runId, parentRun, records } of runs) {
    const { observed, derivations } = runOf(records, location);
    if (!observed) continue;
    const order = orderOfRun({ runId, records }, observed.last);
    for (const { from, to, detail } of edgesOf(derivations, contextOf({ deliveryId, parentRun }, observed.last))) {
      const name = edgeName({ from, to });
      if (!target.has(name)) continue;
      const { span, stated } = found.get(name) ?? { span: observed, stated: [] };
      const versions = withObserved(stated, { order, detail });
      found.set(name, { edge: { from, to }, span: joinedSpans(span, observed), stated: versions });
    }
  }
  return found;
}
