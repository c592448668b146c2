import type { Influence } from '../../../contract/vocabulary.ts';
import type { Side } from '../graph/claim.ts';
import type { Urn } from '../graph/node.ts';
import type { Columns } from './columns.ts';
import { type EdgeEvaluator, type EvaluationOptions, type EvaluationPorts, edgeEvaluator } from './evaluate.ts';
import { type Expansion, expand } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import { deepen, deferredCount, startState, type TraversalState, visit, withoutSteps } from './traversal-state.ts';

type TraversalOptions = Omit<EvaluationOptions, 'withDetails'> & {
  readonly root: Urn;
  /** The affected columns of the root; null: relations alone are followed. */
  readonly columns: Columns | null;
  readonly influence?: Influence;
  readonly maxDepth: number;
  /** How many relations all directions together may reach. */
  readonly maxNodes: number;
};

/** What a traversal in one direction found. */
export type TraversalResult = Pick<TraversalState, 'reached' | 'edges' | 'suppressed' | 'reasons' | 'byTable'> & {
  readonly cutByDepth: boolean;
  readonly cutByNodes: boolean;
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
  unexplored: 0,
};

type Context = { readonly view: GraphView; readonly evaluator: EdgeEvaluator; readonly isSpent: () => boolean };

/** One direction at one depth: its state moves on as batches of neighbours are visited. */
type Direction = { state: TraversalState; readonly expansion: Expansion };

/**
 * Traverses breadth first from the root, all directions depth by depth, so that none spends the budget before the
 * nearest relations of another are found. With columns, a relation is expanded again where further ones are affected.
 */
export async function traverse<S extends Side>(
  ports: EvaluationPorts,
  view: GraphView,
  options: TraversalOptions,
  sides: readonly S[],
): Promise<Record<S, TraversalResult>> {
  const evaluator = edgeEvaluator(ports, view, { ...options, withDetails: options.columns !== null });
  const context = { view, evaluator, isSpent: ports.isSpent ?? (() => false) };
  let states = sides.map((side) => startState(side, options.root, options.columns, options.influence));
  let budget = options.maxNodes;
  for (let depth = 1; depth <= options.maxDepth && states.some(isUnfinished) && !context.isSpent(); depth++) {
    const visited = await visitDepth(context, states, budget);
    states = visited.states;
    budget = visited.budget;
  }
  const results = await Promise.all(states.map(async (state) => [state.side, await resultOf(context, state)] as const));
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

async function directionOf({ view, evaluator }: Context, state: TraversalState): Promise<Direction> {
  const expansion = await expand(view, {
    side: state.side,
    nodes: [...state.frontier.keys()],
    isVisited: (node) => direction.state.visited.has(node),
    whileNaming: evaluator.load,
  });
  const direction: Direction = { state, expansion };
  return direction;
}

/** Shares of a whole number that differ by at most one and add up to it. */
const sharesOf = (whole: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor((whole + count - 1 - i) / count));

const unvisitedOf = ({ state, expansion }: Direction): number => deferredCount(state) + expansion.remaining();

/** Visits at most `budget` relations that were not reached before; answers how many. */
async function visitUpTo({ evaluator, isSpent }: Context, direction: Direction, budget: number): Promise<number> {
  const before = direction.state.reached.size;
  const left = () => budget - (direction.state.reached.size - before);
  if (direction.state.deferred.length > 0) direction.state = visit(direction.state, direction.state.deferred, left());
  for (;;) {
    // With nothing left, a batch has the edges to neighbours that were visited before.
    const batch = await direction.expansion.next(left());
    if (!batch) break;
    const { deferred } = direction.state;
    const state = visit(direction.state, await evaluator.evaluate(direction.state.side, batch), left());
    direction.state = { ...state, deferred: [...deferred, ...state.deferred] };
    if ((left() === 0 || isSpent()) && direction.expansion.remaining() > 0) break;
  }
  return direction.state.reached.size - before;
}

async function resultOf({ view, isSpent }: Context, state: TraversalState): Promise<TraversalResult> {
  withoutSteps(state);
  // What stands beyond each of them is not read any more: it is taken to be something.
  if (isSpent()) {
    const unexplored = state.unexplored + state.frontier.size;
    return { ...state, cutByDepth: false, cutByNodes: unexplored > 0, unexplored };
  }
  const beyond = state.frontier.size > 0 ? await unvisitedBeyond(view, state) : 0;
  return {
    ...state,
    cutByDepth: beyond > 0,
    cutByNodes: state.unexplored > 0,
    unexplored: state.unexplored + beyond,
  };
}

/** How many relations stand beyond the deepest level and were not visited. */
async function unvisitedBeyond(view: GraphView, { side, frontier, visited }: TraversalState): Promise<number> {
  const isVisited = (node: Parameters<typeof visited.has>[0]) => visited.has(node);
  return (await expand(view, { side, nodes: [...frontier.keys()], isVisited })).remaining();
}
