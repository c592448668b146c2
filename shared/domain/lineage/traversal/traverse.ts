import type { Influence, ResolutionMethod } from '../../../contract/vocabulary.ts';
import type { Side } from '../graph/claim.ts';
import { nodeId, type Urn, urnOf } from '../graph/node.ts';
import type { Connector } from '../names/connector.ts';
import { matchSuffix, type ReferencePlan, referencePlan } from '../names/resolve-reference.ts';
import type { Columns } from './columns.ts';
import { type EdgeEvaluator, type EvaluationOptions, edgeEvaluator } from './evaluate.ts';
import { type Expansion, expand } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import { currentName, loadNames } from './names.ts';
import { isStillNamed, successorOf } from './renames.ts';
import { deepen, deferredCount, startState, type TraversalState, visit, withoutSteps } from './traversal-state.ts';

type TraversalOptions = Omit<EvaluationOptions, 'withDetails'> & {
  readonly root: Urn;
  /** The affected columns of the root; null: only relations are followed. */
  readonly columns: Columns | null;
  readonly influence?: Influence;
  readonly maxDepth: number;
  /** How many relations all directions together may reach. */
  readonly maxNodes: number;
};

export type TraversalResult = Pick<TraversalState, 'reached' | 'edges' | 'suppressed' | 'reasons' | 'byTable'> & {
  readonly cutByDepth: boolean;
  readonly cutByNodes: boolean;
  /** Whether the limit of reads ended it. */
  readonly cutByRequests: boolean;
  /** How many relations were seen and not visited, at least. */
  readonly unexplored: number;
};

export const emptyResult: TraversalResult = {
  reached: new Map(),
  edges: new Map(),
  suppressed: new Map(),
  reasons: new Map(),
  byTable: new Set(),
  cutByDepth: false,
  cutByNodes: false,
  cutByRequests: false,
  unexplored: 0,
};

type Context = { readonly view: GraphView; readonly evaluator: EdgeEvaluator };

/** One direction at one depth: its state moves on as batches of neighbours are visited. */
type Direction = { state: TraversalState; readonly expansion: Expansion };

/** Breadth first, all directions depth by depth, so that none spends the budget. New columns expand again. */
export async function traverse<S extends Side>(
  view: GraphView,
  options: TraversalOptions,
  sides: readonly S[],
): Promise<Record<S, TraversalResult>> {
  // Details come with the relations that a walk reads.
  const context = { view, evaluator: edgeEvaluator(view, { ...options, withDetails: true }) };
  let states = sides.map((side) => startState(side, options.root, options.columns, options.influence));
  let budget = options.maxNodes;
  for (let depth = 1; depth <= options.maxDepth && states.some(isUnfinished) && !view.context.isSpent(); depth++) {
    ({ states, budget } = await visitDepth(context, states, budget));
  }
  const results = await Promise.all(states.map(async (state) => [state.side, await resultOf(view, state)] as const));
  return Object.fromEntries(results) as Record<S, TraversalResult>;
}

const isUnfinished = ({ frontier }: TraversalState) => frontier.size > 0;

/** Each direction gets an equal share of the budget first; what one leaves over goes to the others. */
async function visitDepth(context: Context, states: readonly TraversalState[], budget: number) {
  const directions = await Promise.all(states.map((state) => directionOf(context, state)));
  const shares = sharesOf(budget, directions.length);
  const spent = await Promise.all(directions.map((one, i) => visitUpTo(context, one, shares[i] ?? 0)));
  let left = budget - spent.reduce((sum, count) => sum + count, 0);
  for (const one of directions) {
    if (left > 0 && unvisitedOf(one) > 0) left -= await visitUpTo(context, one, left);
  }
  return { states: directions.map(({ state, expansion }) => deepen(state, expansion.remaining())), budget: left };
}

async function directionOf({ view }: Context, state: TraversalState): Promise<Direction> {
  const expansion = await expand(view, {
    side: state.side,
    nodes: [...state.frontier.keys()],
    isVisited: (node) => direction.state.visited.has(node),
  });
  const direction: Direction = { state, expansion };
  return direction;
}

/** Shares of a whole number that differ by at most one and add up to it. */
const sharesOf = (whole: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor((whole + count - 1 - i) / count));

const unvisitedOf = ({ state, expansion }: Direction): number => deferredCount(state) + expansion.remaining();

const mostAtOnce = 800;

/** Visits at most `budget` relations that were not reached before; answers how many. */
async function visitUpTo({ view, evaluator }: Context, direction: Direction, budget: number): Promise<number> {
  const before = direction.state.reached.size;
  const left = () => budget - (direction.state.reached.size - before);
  if (direction.state.deferred.length > 0) direction.state = visit(direction.state, direction.state.deferred, left());
  let size = 0;
  for (;;) {
    const room = left();
    // With nothing left, a batch has the edges to neighbours that were visited before.
    const batch = await direction.expansion.next(room === 0 ? 0 : Math.max(room, size));
    if (!batch) break;
    const { deferred } = direction.state;
    const state = visit(direction.state, await evaluator.evaluate(direction.state.side, batch), left());
    direction.state = { ...state, deferred: [...deferred, ...state.deferred] };
    // Few readers of a wide relation may take a column: the rest is read in fewer rounds.
    if (state.byColumn && room - left() < batch.length / 4) size = Math.min(2 * batch.length, mostAtOnce);
    if ((left() === 0 || view.context.isSpent()) && direction.expansion.remaining() > 0) break;
  }
  return direction.state.reached.size - before;
}

async function resultOf(view: GraphView, state: TraversalState): Promise<TraversalResult> {
  withoutSteps(state);
  // What stands beyond each of them is not read any more: it is taken to be something.
  const { frontier } = state;
  const isCut = view.context.isSpent();
  const beyond = isCut || frontier.size === 0 ? frontier.size : await unvisitedBeyond(view, state);
  const unexplored = state.unexplored + beyond;
  const [cutByDepth, cutByNodes] = [!isCut && beyond > 0, !isCut && state.unexplored > 0];
  return { ...state, cutByDepth, cutByNodes, cutByRequests: isCut && unexplored > 0, unexplored };
}

/** How many relations stand beyond the deepest level and were not visited. */
async function unvisitedBeyond(view: GraphView, { side, frontier, visited }: TraversalState): Promise<number> {
  const isVisited = (node: Parameters<typeof visited.has>[0]) => visited.has(node);
  return (await expand(view, { side, nodes: [...frontier.keys()], isVisited })).remaining();
}

/** What a user's reference was found to mean: C-IDENTITY-11. */
export type ResolvedRoot = {
  /** Null where nothing in the graph is meant. */
  readonly urn: Urn | null;
  readonly method: ResolutionMethod;
  readonly fallbackReason: string | null;
  /** Of an ambiguous reference: the relations whose names end in it. */
  readonly among?: readonly Urn[];
};

const reasons: Readonly<Record<Exclude<ResolutionMethod, 'unresolved'>, string | null>> = {
  exact: null,
  case_folded: 'case_differs',
  default_qualified: 'leading_parts_missing',
  unique_suffix: 'leading_parts_missing',
  alias: 'named_by_alias',
};

const unresolved = (fallbackReason: string): ResolvedRoot => ({ urn: null, method: 'unresolved', fallbackReason });
export const resolved = (urn: Urn, method: Exclude<ResolutionMethod, 'unresolved'>): ResolvedRoot => ({
  urn,
  method,
  fallbackReason: reasons[method],
});

/** Finds the relation that a question starts from: the best candidate that is in the graph, else a unique suffix. */
export async function resolveRoot(
  view: GraphView<'directory'>,
  connector: Connector,
  { relationRef }: { readonly relationRef: string },
): Promise<ResolvedRoot> {
  const plan = referencePlan([...view.context.connectors.values()], connector, relationRef);
  const found = await firstInGraph(view, plan);
  if (found) return found;
  if (!plan.suffix) return unresolved('not_in_graph');
  const entries = await view.reader.directory.named(view.context.graph, connector.id, plan.suffix.table);
  const refs = entries.map(({ ref }) => ref);
  const match = matchSuffix(connector, plan.suffix, await refsInGraph(view, connector, refs));
  const named = (ref: string) =>
    currentName(urnOf({ kind: 'relation', connectorId: connector.id, ref }), null, view.nodes.factsOf);
  if (match.kind === 'ambiguous') return { ...unresolved('ambiguous'), among: [...new Set(match.refs.map(named))] };
  if (match.kind === 'none') return unresolved('not_in_graph');
  return resolved(named(match.ref), match.method === 'exact' ? 'exact' : match.method);
}

async function firstInGraph(view: GraphView, { candidates }: ReferencePlan): Promise<ResolvedRoot | null> {
  const named = candidates.map(({ node, method }) => ({ urn: urnOf(node), method }));
  await loadNames(
    view,
    named.map(({ urn }) => urn),
  );
  for (const { urn, method } of named) {
    if (!isInGraph(view, urn)) continue;
    const current = currentName(urn, null, view.nodes.factsOf);
    const successor = successorOf(view, current);
    const shown = successor === null || (await isStillNamed(view, current)) ? current : successor;
    return resolved(shown, shown === urn ? method : 'alias');
  }
  return null;
}

/** A directory entry may outlive its relation: only what has a page is in the graph. */
async function refsInGraph(view: GraphView, connector: Connector, refs: readonly string[]): Promise<string[]> {
  const urns = new Map(refs.map((ref) => [ref, urnOf({ kind: 'relation', connectorId: connector.id, ref })]));
  await loadNames(view, [...urns.values()]);
  return [...urns].filter(([, urn]) => isInGraph(view, urn)).map(([ref]) => ref);
}

const isInGraph = (view: GraphView, urn: Urn) => view.nodes.urnOf(nodeId(urn)) !== undefined;
