// Repeats an answer while scopes that it read take effect, so that all of its reads belong to one state.
import type { ScopeId } from '../graph/node.ts';
import type { Order } from '../graph/order.ts';
import type { ScopeHead } from '../graph/scope-store.ts';
import type { GraphQuery, GraphReader, QueryContext } from './graph-view.ts';

type HeadsQuery = {
  readonly reader: { readonly scopes: Pick<GraphReader['scopes'], 'heads'> };
  readonly context: Pick<QueryContext, 'graph' | 'now' | 'isSpent'>;
};

/** How often a question is answered whose scopes move meanwhile: the last answer is given, whatever moved. */
const mostAttempts = 4;
/** Clocks of processes differ by less: what took effect so long before a question did so before its first read. */
const clocksApartMs = 2_000;

/** Reads belong to one head each: a loading snapshot's head is read again, one that took effect repeats the answer. */
export async function answeredWhole<Q extends HeadsQuery, T>(
  query: Q,
  answer: (query: Q & Pick<GraphQuery, 'headsRead'>) => Promise<T>,
): Promise<T> {
  const settledBefore = new Date(Date.parse(query.context.now) - clocksApartMs).toISOString();
  const isRecent = ({ committedAt }: ScopeHead) => committedAt !== null && committedAt > settledBefore;
  let before: ReadonlyMap<ScopeId, Order> = new Map();
  for (let attempt = 1; ; attempt++) {
    const headsRead: ScopeHead[] = [];
    const answered = await answer({ ...query, headsRead });
    const moving = headsRead.filter(
      (head) => head.kind === 'snapshot' && (head.started > head.order || isRecent(head)),
    );
    // A repeat costs as much: beyond half of the limit it would be cut.
    if (moving.length === 0 || attempt === mostAttempts || query.context.isSpent(0.5)) return answered;
    const after = await ordersOf(query, moving);
    const isUnchanged = (head: ScopeHead) =>
      after.get(head.scope) === head.order && (before.get(head.scope) === head.order || !isRecent(head));
    if (moving.every(isUnchanged)) return answered;
    before = after;
  }
}

async function ordersOf({ reader, context }: HeadsQuery, moving: readonly ScopeHead[]) {
  const ids = [...new Set(moving.map(({ scope }) => scope))];
  const heads = await reader.scopes.heads(context.graph, ids, { consistent: true });
  return new Map(heads.map(({ scope, order }) => [scope, order]));
}
