import type { AgentCheckScope } from '../../../contract/agent-checks.ts';
import { lastPartsMatcher } from '../../../contract/glob.ts';
import { once } from '../../base/caching.ts';
import { chunksOf, findOrAdd } from '../../base/collections.ts';
import { inParallel } from '../../base/concurrency.ts';
import type { Side } from '../../lineage/graph/claim.ts';
import type { EdgeDetail } from '../../lineage/graph/derivation.ts';
import { type NodeId, refOf, shardCount, type Urn } from '../../lineage/graph/node.ts';
import type { Delivery } from '../../lineage/ingest/deliveries/delivery.ts';
import type { TouchedNodes } from '../../lineage/projection/touched-nodes.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../../lineage/traversal/evaluate.ts';
import { admittedOf } from '../../lineage/traversal/evidence.ts';
import { expand } from '../../lineage/traversal/expansion.ts';
import { type GraphQuery, type GraphView, graphView } from '../../lineage/traversal/graph-view.ts';
import { newViewCache, type ViewCache } from '../../lineage/traversal/load-once.ts';
import { type NodePage, pagesOfNodes } from '../../lineage/traversal/scan-graph.ts';
import { type Check, type CheckQueue, type CheckStore, evaluationOf } from './check.ts';

export function inScope(scope: AgentCheckScope): (urn: Urn) => boolean {
  const matches = lastPartsMatcher(scope);
  return (urn) => matches(refOf(urn));
}

export async function* touchedBatches(
  query: GraphQuery,
  { scope }: Check,
  nodes: readonly NodeId[],
): AsyncGenerator<RelationBatch, void> {
  const named = await query.reader.pages.names(query.context.graph, nodes);
  yield* batchesOf(query, named.map(({ urn }) => urn).filter(inScope(scope)));
}

/** Shards read concurrently: a scan must not use up the store's throughput. */
const shardsInFlight = 16;

const relationsPerBatch = 200;
/** Reading a node by its key costs as much as some eight in their order, which fill a read unit together. */
const scannedPerRead = 8;

/** Relations to evaluate together. */
export type RelationBatch = {
  readonly relations: readonly Urn[];
  /** Their facts at a time; null is now. */
  readonly factsAt: (asOf: string | null) => Promise<RelationFacts>;
};

export function* batchesOf(
  query: GraphQuery,
  relations: readonly Urn[],
  viewAt = (asOf: string | null) => graphView(query, asOf),
): Generator<RelationBatch> {
  for (const some of chunksOf(relations, relationsPerBatch))
    yield {
      relations: some,
      factsAt: async (asOf) => relationFacts(query, { relations: some, asOf }, viewAt(asOf)),
    };
}

/** A walk from each relation comes by the same nodes again: those of a graph of this size are held, about 500 MiB. */
const mostNodesHeld = 200_000;

/** Every relation of the scope that the graph knows, or knew as long as its history is kept: each node is read once. */
export async function* batchesInScope(
  query: GraphQuery,
  { scope }: Check,
  walks: boolean,
): AsyncGenerator<RelationBatch, void> {
  const { reader, context } = query;
  const [matches, cacheAt] = [inScope(scope), cachesByTime()];
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const named = await inParallel(shardsInFlight, shards, (shard) => reader.pages.scanNames(context.graph, shard));
  const names = named.flat();
  for (const { node, urn, facts } of names) cacheAt(null).names.set(node, { urn, facts });
  const wanted = names.map(({ urn }) => urn).filter(matches);
  const viewAt = (asOf: string | null) => graphView(query, asOf, cacheAt(asOf));
  if (wanted.length * scannedPerRead < names.length) return yield* batchesOf(query, wanted, viewAt);
  const pages = pagesOfNodes(query, { asOf: null, nodesPerPage: () => relationsPerBatch });
  if (walks && names.length <= mostNodesHeld) {
    const now = viewAt(null);
    for await (const { nodes } of pages) now.nodes.add(nodes, []);
    return yield* batchesOf(query, wanted, (asOf) => (asOf === null ? now : viewAt(asOf)));
  }
  for await (const page of pages) {
    const relations = page.nodes.map(({ urn }) => urn).filter(matches);
    if (relations.length > 0)
      yield { relations, factsAt: (asOf) => factsOfPage(query, page, { relations, asOf }, viewAt(asOf)) };
  }
}

async function factsOfPage(
  query: GraphQuery,
  { nodes, range }: NodePage,
  question: Question,
  view: GraphView,
): Promise<RelationFacts> {
  const { graph } = query.context;
  view.nodes.add(nodes, question.asOf === null ? [] : await query.reader.pages.scanHistory(graph, range));
  return relationFacts(query, question, view);
}

/** What views of one time share; names are the same at any time. */
function cachesByTime(): (asOf: string | null) => ViewCache {
  const [{ names }, caches] = [newViewCache(), new Map<string | null, ViewCache>()];
  return (asOf) => findOrAdd(caches, asOf, () => ({ ...newViewCache(), names }));
}

/** More nodes do not fit a message: the whole scope is looked at. */
const maxNodes = 10_000;

/** Asks for an evaluation of each enabled check whose scope a delivery touched. What is not sent, the sweep evaluates. */
export async function sendTouchedChecks(
  { checks, queue }: { readonly checks: Pick<CheckStore, 'list'>; readonly queue: CheckQueue },
  { workspace_id, delivery_id }: Delivery,
  touched: TouchedNodes,
): Promise<void> {
  if (touched.size === 0) return;
  for (const check of await checks.list(workspace_id)) {
    const matches = inScope(check.scope);
    const nodes = [...touched].filter(([, urn]) => urn === null || matches(urn)).map(([node]) => node);
    if (!check.enabled || nodes.length === 0) continue;
    const touchedNodes = nodes.length > maxNodes ? null : nodes;
    await queue.send(evaluationOf(check, { caused_by: delivery_id, nodes: touchedNodes }));
  }
}

type Edges = ReadonlyMap<Urn, readonly EvaluatedEdge[]>;

/** What the graph says at one time of some relations; each side is read when a rule first asks for it. */
export type RelationFacts = {
  readonly view: GraphView;
  /** The edges of each relation on a side, those that are stale included. */
  readonly edges: (side: Side) => Promise<Edges>;
  /** The edges into each relation, with their details. */
  readonly detailed: () => Promise<Edges>;
  /** The columns that are mapped into each relation, in lower case; null where some of its evidence does not tell. */
  readonly columns: () => Promise<ReadonlyMap<Urn, ReadonlyMap<string, string> | null>>;
};

type Question = { readonly relations: readonly Urn[]; readonly asOf: string | null };

/** Facts as of `asOf`, null for now; nothing is read before it is requested. */
function relationFacts(query: GraphQuery, question: Question, view = graphView(query, question.asOf)): RelationFacts {
  const sides = {
    in: once(() => edgesOf(view, question, { side: 'in', withDetails: false })),
    out: once(() => edgesOf(view, question, { side: 'out', withDetails: false })),
  };
  const detailed = once(() => edgesOf(view, question, { side: 'in', withDetails: true }));
  return { view, edges: (side) => sides[side](), detailed, columns: once(async () => columnsOf(await detailed())) };
}

export const activeEdges = (edges: readonly EvaluatedEdge[] = []): EvaluatedEdge[] =>
  followed(edges).filter(({ status }) => status === 'active');

async function edgesOf(
  view: GraphView,
  { relations, asOf }: Question,
  { side, withDetails }: { readonly side: Side; readonly withDetails: boolean },
) {
  const options = { asOf, includeStale: true, minConfidence: 0, withDetails };
  const expansion = await expand(view, { side, nodes: relations });
  const found = (await expansion.next(Number.POSITIVE_INFINITY)) ?? [];
  return Map.groupBy(await edgeEvaluator(view, options).evaluate(side, found), ({ self }) => self);
}

function columnsOf(edges: ReadonlyMap<Urn, readonly EvaluatedEdge[]>) {
  const found = new Map<Urn, ReadonlyMap<string, string> | null>();
  for (const [relation, all] of edges) {
    const evidence = activeEdges(all).flatMap((edge) => edge.evidence);
    const admitted = admittedOf(evidence);
    found.set(relation, columnsIn(admitted.map(({ detail }) => detail)));
  }
  return found;
}

/** Null if a piece of evidence has only table lineage: unmapped columns may still exist. */
function columnsIn(details: readonly (EdgeDetail | null)[]): ReadonlyMap<string, string> | null {
  const names = new Map<string, string>();
  for (const detail of details) {
    if (detail === null || detail.unresolved.some(({ outputColumn }) => outputColumn === null)) return null;
    const outputColumns = [...detail.columns, ...detail.unresolved].map(({ outputColumn }) => outputColumn);
    for (const column of outputColumns) if (column !== null) names.set(column.toLowerCase(), column);
  }
  return names;
}
