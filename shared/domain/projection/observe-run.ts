import type { WorkspaceId } from '../../contract/ids.ts';
import { isoOfMicros, type Micros } from '../graph/order.ts';
import type { Edge, ScopeIdentity, Span } from '../graph/ports.ts';
import type { RunRecord } from '../graph/runs.ts';
import type { Derivation } from '../lineage/derivation.ts';
import type { Urn } from '../lineage/node.ts';
import { edgeIds, edgeName, edgesOf, relationsOf } from './edges.ts';
import type { ProjectionPorts } from './ports.ts';

/** What is known of a run, understood. */
export type RunMeaning = {
  /** When the run's lineage was observed; null until something publishes it. */
  readonly observed: Span | null;
  readonly derivations: readonly Derivation[];
  readonly aliases: readonly { readonly alias: Urn; readonly canonical: Urn }[];
  readonly renames: readonly { readonly from: Urn; readonly to: Urn; readonly at: Micros }[];
  readonly drops: readonly { readonly node: Urn; readonly at: Micros }[];
  /** Every edge that a part of what is known could have published. */
  readonly possible: readonly Edge[];
};

/** The events of one run that came together. */
export type RunEvents<Content> = {
  readonly scope: ScopeIdentity;
  readonly runId: string;
  readonly heard: RunRecord<Content>;
  readonly deliveryId: string;
  readonly expiresAt: number;
};

type Understand<Content> = (record: RunRecord<Content>) => RunMeaning;

/**
 * Adds events to their run and publishes what the run then means. Whatever the order of arrival, and however workers
 * overlap or die, the graph ends as if all events of the run had come at once: claims follow from all that is known,
 * what an incomplete knowledge had published is taken back, and the record is read again after the writes.
 */
export async function observeRun<Content>(
  ports: ProjectionPorts<Content>,
  workspace: WorkspaceId,
  understand: Understand<Content>,
  events: RunEvents<Content>,
): Promise<void> {
  const { scope, runId, heard } = events;
  let record = await ports.runs.add(workspace, scope.scope, { runId, heard, expiresAt: events.expiresAt });
  const before = new Map([...record].filter(([digest]) => !heard.has(digest)));
  let publishedBefore = understand(before).observed !== null;
  for (;;) {
    const meaning = understand(record);
    if (meaning.observed === null) return;
    await publish(ports, workspace, events, meaning, meaning.observed);
    if (publishedBefore) await takeBack(ports, workspace, understand, events, meaning);
    const now = await ports.runs.read(workspace, scope.scope, runId);
    if (isSame(record, now)) return;
    // Another worker added to the run meanwhile: its writes and ours crossed.
    record = now;
    publishedBefore = true;
  }
}

const isSame = <C>(a: RunRecord<C>, b: RunRecord<C>) =>
  a.size === b.size &&
  [...a].every(([digest, { first, last }]) => b.get(digest)?.first === first && b.get(digest)?.last === last);

async function publish<Content>(
  ports: ProjectionPorts<Content>,
  workspace: WorkspaceId,
  { scope, deliveryId }: RunEvents<Content>,
  meaning: RunMeaning,
  { first, last }: Span,
): Promise<void> {
  const context = { deliveryId, observedAt: isoOfMicros(last), unmappedIsUnknown: true };
  const claims = edgesOf(meaning.derivations, context);
  await ports.scopes.register(workspace, scope);
  await ports.directory.add(workspace, relationsOf(meaning.derivations));
  const details = claims.map((claim) => ({ ...edgeIds(claim), scope: scope.scope, order: last, detail: claim.detail }));
  await Promise.all([
    ports.details.put(workspace, details),
    ports.claims.observe(workspace, { scope: scope.scope, at: last, edges: claims }),
    ...meaning.aliases.map(({ alias, canonical }) => ports.claims.alias(workspace, alias, canonical)),
    ...meaning.renames.map(({ from, to, at }) => ports.claims.rename(workspace, from, to, at)),
    ...meaning.drops.map(({ node, at }) => ports.claims.drop(workspace, node, at)),
  ]);
  if (first < last) await ports.claims.observe(workspace, { scope: scope.scope, at: first, edges: claims });
}

/** Narrows observations that only a part of the run's events had published to what the job's other runs support. */
async function takeBack<Content>(
  ports: ProjectionPorts<Content>,
  workspace: WorkspaceId,
  understand: Understand<Content>,
  { scope, runId }: RunEvents<Content>,
  meaning: RunMeaning,
): Promise<void> {
  const stated = new Set(meaning.derivations.flatMap(statedEdges));
  const suspects = meaning.possible.filter((edge) => !stated.has(edgeName(edge)));
  const observed = await ports.claims.observed(workspace, scope.scope, suspects);
  for (let pending = observed.map(({ edge }) => edge); pending.length > 0; ) {
    const support = supportOf(await ports.runs.others(workspace, scope.scope, runId), understand);
    const again: Edge[] = [];
    for (const edge of pending) {
      const left = support.get(edgeName(edge)) ?? null;
      if (!(await ports.claims.withdraw(workspace, { scope: scope.scope, edge, left }))) again.push(edge);
    }
    // A run that came meanwhile may have found its observation already made, and left it to us.
    const after = supportOf(await ports.runs.others(workspace, scope.scope, runId), understand);
    for (const edge of pending) {
      const span = after.get(edgeName(edge));
      if (!span) continue;
      await ports.claims.observe(workspace, { scope: scope.scope, at: span.last, edges: [edge] });
      await ports.claims.observe(workspace, { scope: scope.scope, at: span.first, edges: [edge] });
    }
    pending = again;
  }
}

const statedEdges = (derivation: Derivation) =>
  edgesOf([derivation], { deliveryId: '', observedAt: '', unmappedIsUnknown: true }).map(edgeName);

/** When runs observed each edge that they state. */
function supportOf<Content>(runs: readonly RunRecord<Content>[], understand: Understand<Content>): Map<string, Span> {
  const support = new Map<string, Span>();
  for (const { observed, derivations } of runs.map(understand)) {
    if (!observed) continue;
    for (const name of derivations.flatMap(statedEdges)) {
      const known = support.get(name);
      support.set(name, {
        first: known && known.first < observed.first ? known.first : observed.first,
        last: known && known.last > observed.last ? known.last : observed.last,
      });
    }
  }
  return support;
}
