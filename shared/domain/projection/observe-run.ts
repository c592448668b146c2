import type { WorkspaceId } from '../../contract/ids.ts';
import { isoOfMicros, type Micros, type Order, runOrder, runToken } from '../graph/order.ts';
import type { Edge, ScopeIdentity, Span } from '../graph/ports.ts';
import type { KnownRun, RunRecord } from '../graph/runs.ts';
import type { Derivation } from '../lineage/derivation.ts';
import { type Urn, urnOf } from '../lineage/node.ts';
import { type EdgeClaim, edgeIds, edgeName, edgesOf, relationsOf } from './edges.ts';
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
  const added = await ports.runs.add(workspace, scope.scope, { runId, heard, expiresAt: events.expiresAt });
  let record = added.record;
  const before = new Map([...record].filter(([digest]) => !heard.has(digest)));
  // What was heard before may have been published by an attempt that died since.
  let publishedBefore = added.repeated || understand(before).observed !== null;
  for (;;) {
    const meaning = understand(record);
    if (meaning.observed === null) return;
    await publish(ports, workspace, events, record, meaning, meaning.observed);
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
  { scope, runId, deliveryId }: RunEvents<Content>,
  record: RunRecord<Content>,
  meaning: RunMeaning,
  { first, last }: Span,
): Promise<void> {
  const claims = edgesOf(meaning.derivations, contextOf(deliveryId, last));
  const order = runOrder(last, runToken(runId), record.values());
  await Promise.all([
    ports.scopes.register(workspace, scope),
    ports.directory.add(workspace, relationsOf(meaning.derivations)),
  ]);
  await Promise.all([
    ports.details.put(workspace, detailsOf(scope, order, claims)),
    ports.claims.observe(workspace, { scope, at: last, edges: claims }),
    ...meaning.aliases.map(({ alias, canonical }) => ports.claims.alias(workspace, alias, canonical)),
    ...meaning.renames.map(({ from, to, at }) => ports.claims.rename(workspace, from, to, at)),
    ...meaning.drops.map(({ node, at }) => ports.claims.drop(workspace, node, at)),
  ]);
  if (first < last) await ports.claims.observe(workspace, { scope, at: first, edges: claims });
}

const contextOf = (deliveryId: string, last: Micros) => ({
  deliveryId,
  observedAt: isoOfMicros(last),
  unmappedIsUnknown: true,
});

const detailsOf = ({ scope }: ScopeIdentity, order: Order, claims: readonly EdgeClaim[]) =>
  claims.map((claim) => ({ ...edgeIds(claim), scope, order, detail: claim.detail }));

/** Narrows what only a part of the run's events had published to what the job's other runs support. */
async function takeBack<Content>(
  ports: ProjectionPorts<Content>,
  workspace: WorkspaceId,
  understand: Understand<Content>,
  { scope, runId, deliveryId }: RunEvents<Content>,
  meaning: RunMeaning,
): Promise<void> {
  const stated = new Set(meaning.derivations.flatMap(statedEdges));
  const suspects = meaning.possible.filter((edge) => !stated.has(edgeName(edge)));
  const others = async () => supportOf(await ports.runs.others(workspace, scope.scope, runId), understand, deliveryId);
  const observed = await ports.claims.observed(workspace, scope.scope, suspects);
  const forgotten = await ports.details.forget(workspace, scope.scope, runToken(runId), suspects);
  const found = new Map([...observed.map(({ edge }) => edge), ...forgotten].map((edge) => [edgeName(edge), edge]));
  for (let pending = [...found.values()]; pending.length > 0; ) {
    const support = await others();
    const again: Edge[] = [];
    for (const edge of pending) {
      const left = support.get(edgeName(edge))?.span ?? null;
      if (!(await ports.claims.withdraw(workspace, { scope: scope.scope, edge, left }))) again.push(edge);
    }
    // A run that came meanwhile may have found its observation already made, and left it to us.
    const after = await others();
    for (const edge of pending) {
      const known = after.get(edgeName(edge));
      if (!known) continue;
      await ports.claims.observe(workspace, { scope, at: known.span.last, edges: [edge] });
      await ports.claims.observe(workspace, { scope, at: known.span.first, edges: [edge] });
      await ports.details.put(workspace, detailsOf(scope, known.order, [known.claim]));
    }
    pending = again;
  }
}

const statedEdges = ({ output, inputs }: Derivation): string[] =>
  inputs.map((input) => edgeName({ from: urnOf(input), to: urnOf(output) }));

/** What runs say of one edge: when they observed it, and the newest claim. */
type Support = { readonly span: Span; readonly order: Order; readonly claim: EdgeClaim };

function supportOf<Content>(
  runs: readonly KnownRun<Content>[],
  understand: Understand<Content>,
  deliveryId: string,
): Map<string, Support> {
  const support = new Map<string, Support>();
  for (const { runId, record } of runs) {
    const { observed, derivations } = understand(record);
    if (!observed) continue;
    const order = runOrder(observed.last, runToken(runId), record.values());
    for (const claim of edgesOf(derivations, contextOf(deliveryId, observed.last))) {
      const known = support.get(edgeName(claim));
      const newest = known && known.order > order ? known : { order, claim };
      support.set(edgeName(claim), {
        order: newest.order,
        claim: newest.claim,
        span: {
          first: known && known.span.first < observed.first ? known.span.first : observed.first,
          last: known && known.span.last > observed.last ? known.span.last : observed.last,
        },
      });
    }
  }
  return support;
}
