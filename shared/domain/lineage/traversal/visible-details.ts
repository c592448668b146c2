import { sortedBy } from '../../base/collections.ts';
import {
  type ClaimedEdge,
  type DetailVersion,
  type EdgeColumn,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type FoundDetail,
} from '../graph/derivation.ts';
import type { ScopeId } from '../graph/node.ts';
import type { Order } from '../graph/order.ts';
import type { ScopeHead } from '../graph/scope-store.ts';
import type { PastEdge, PastOrder } from '../past/past-details.ts';
import type { BareView, GraphQuery, GraphReader, QueryContext } from './graph-view.ts';
import { isInEffect, type ScopeView } from './liveness.ts';

type SeenDetail = EdgeInScope & { readonly detail: EdgeDetail };
type DetailsView = Pick<BareView, 'asOf' | 'past' | 'scopes'>;

/** A detail not yet in effect gives way to what it replaced. No look-ups if nothing loads and the view is of now. */
export async function detailsSeen(
  view: DetailsView,
  claims: readonly ClaimedEdge[],
  found: readonly FoundDetail[],
): Promise<readonly SeenDetail[]> {
  if (view.asOf !== null && view.past) return detailsThen({ ...view, asOf: view.asOf, past: view.past }, claims, found);
  if (found.every(({ versions }) => versions === undefined)) return found;
  const replacing = found.flatMap(({ versions = [], ...edge }) =>
    view.scopes.get(edge.scope)?.head.kind === 'snapshot' ? versions.map(({ order }) => ({ ...edge, order })) : [],
  );
  if (replacing.length === 0) return found;
  await view.scopes.load(replacing.map(({ from, scope, order }) => ({ kind: 'snapshot', other: from, scope, order })));
  return found.map((one) => {
    const scope = view.scopes.get(one.scope);
    return scope?.head.kind === 'snapshot' ? visibleAs(one, (order) => isInEffect(order, scope)) : one;
  });
}

/** The newest version that has taken effect; if none of those that are kept has, the oldest. */
export function visibleAs(
  { versions = [], ...one }: FoundDetail,
  hasTakenEffect: (order: Order) => boolean,
): SeenDetail {
  const seen: DetailVersion | undefined = versions.find(({ order }) => hasTakenEffect(order)) ?? versions.at(-1);
  return seen ? { ...one, detail: seen.detail } : one;
}

type PastView = Pick<BareView, 'scopes'> & { readonly asOf: string; readonly past: NonNullable<BareView['past']> };

/** What was stated of edges by the moment of a past view: never what came after it. */
async function detailsThen(
  view: PastView,
  claims: readonly ClaimedEdge[],
  found: readonly FoundDetail[],
): Promise<readonly SeenDetail[]> {
  const claimed = new Map(claims.map((claim) => [edgeInScopeName(claim), claim]));
  const stated = found.map((one) => statementThen(view, one, claimed.get(edgeInScopeName(one))));
  const replaced = stated.flatMap(({ past }) => past ?? []);
  const read = new Map((await view.past(replaced)).map((detail, i) => [replaced[i], detail]));
  return found.map(({ from, to, scope, detail: newest }, i) => {
    const { detail = null, past } = stated[i] ?? {};
    return { from, to, scope, detail: detail ?? (past && read.get(past)) ?? expiredDetail(newest) };
  });
}

/** What the store reports an edge by a moment, or else where that is to be looked up; neither where it is not kept. */
type Then = { readonly detail?: EdgeDetail | null; readonly past?: PastEdge };

function statementThen({ asOf, scopes }: PastView, one: FoundDetail, claim: ClaimedEdge | undefined): Then {
  const { from, to, scope, order, detail } = one;
  if (!claim || claim.order === null) return { detail: detail.observedAt <= asOf ? detail : null };
  const view = scopes.get(scope);
  if (!view) return { detail };
  if (isInEffect(order, view)) return { detail };
  // Between versions that are kept others may have been, which a partial delivery replaced at once.
  const orders = ordersBehind(claim.order, claim.joined ?? false, view, asOf);
  const retained = one.versions?.find((version) => version.order === orders[0]?.order);
  if (retained) return { detail: retained.detail };
  // Only the bytes of an event's declaration are stored.
  if (view.head.kind !== 'snapshot') return {};
  return { past: { from, to, scope, orders } };
}

/** The orders that may have stated an edge by a moment, newest first. */
function ordersBehind(
  claimed: Order,
  isJoined: boolean,
  { effectiveAt, deliveries }: ScopeView,
  asOf: string,
): PastOrder[] {
  const newer = isJoined ? [...(effectiveAt?.keys() ?? [])].filter((order) => order > claimed) : [];
  return [...newer.sort().reverse(), claimed].map((order) => ({
    order,
    deliveryId: deliveries.get(order) ?? null,
    at: effectiveAt?.get(order) ?? asOf,
  }));
}

/** An edge whose past statement is no longer stored; policies use the newest one. */
const expiredDetail = (newest: EdgeDetail): EdgeDetail => ({
  ...newest,
  deliveryId: null,
  location: '',
  columns: [],
  unresolved: [{ outputColumn: null, reason: 'column_map_of_that_time_not_kept' }],
});

type Detail = Pick<EdgeDetail, 'columns' | 'unresolved' | 'statement'>;
type Stated<D extends Detail> = D & { readonly statement: NonNullable<Detail['statement']> };

/**
 * The statements about one edge's columns, without duplicates (C-EVIDENCE-7). Evidence of one model's statement at one
 * version says the same, so that the most exact mapping represents it and the others only confirm it. Evidence without a
 * version adds the pairs of columns that no other has, and no doubt. Other versions and other producers say what they say.
 *
 * @param details of admitted evidence; null if a source stated nothing beyond the edge
 */
export function standingDetails<D extends Detail>(details: readonly (D | null)[]): readonly (D | null)[] {
  if (details.length < 2) return details;
  const groups = Map.groupBy(details.filter(isStated), ({ statement }) => statement.model);
  if ([...groups.values()].every((group) => group.length === 1)) return details;
  return [...details.filter((detail) => !isStated(detail)), ...[...groups.values()].flatMap(standing)];
}

const isStated = <D extends Detail>(detail: D | null): detail is Stated<D> => detail?.statement !== undefined;

function standing<D extends Detail>(group: readonly Stated<D>[]): D[] {
  const versions = Map.groupBy(group, ({ statement }) => statement.version ?? null);
  const unversioned = versions.get(null) ?? [];
  versions.delete(null);
  const stands = [...versions.values()].map(mostExact);
  if (unversioned.length === 0) return stands;
  // Nobody shows the text that it is of: it may be of any version.
  const [best, ...rest] = sortedBy([...stands, mostExact(unversioned)], ...exactness);
  if (!best) return [];
  const isOther = (one: D) => isVersioned(one) && isVersioned(best);
  return [best, ...rest.map((one) => (isOther(one) ? one : confirming(one, [best, ...rest])))];
}

const isVersioned = ({ statement }: Detail) => statement?.version !== undefined;

/** The more exact first: the fewer doubts, then the more pairs of columns and the more said of each; the rest decides ties. */
const exactness = [
  ({ unresolved }: Detail) =>
    unresolved.filter(({ outputColumn, type }) => !outputColumn && type !== 'INDIRECT').length,
  ({ unresolved }: Detail) => unresolved.length,
  ({ columns }: Detail) => -new Set(columns.map(pairOf)).size,
  ({ columns }: Detail) => -columns.filter(({ subtype }) => subtype !== null).length,
  ({ columns, statement }: Detail) => JSON.stringify([columns, statement?.version]),
] as const;

/** The most exact of some details of one statement; if it is not exact either, it also gets the mappings of the others. */
function mostExact<D extends Detail>(group: readonly D[]): D {
  const [best, ...rest] = sortedBy(group, ...exactness);
  if (!best) throw new RangeError('there is no detail to choose from');
  if (rest.length === 0 || best.unresolved.length === 0) return best;
  return { ...best, columns: [...best.columns, ...rest.flatMap((one) => newPairs(one, [best]))] };
}

/** A detail that adds no doubt to others, and what they have not to them. */
const confirming = <D extends Detail>(detail: D, others: readonly D[]): D => ({
  ...detail,
  columns: newPairs(
    detail,
    others.filter((one) => one !== detail),
  ),
  unresolved: [],
});

function newPairs(detail: Detail, others: readonly Detail[]): EdgeColumn[] {
  const known = new Set(others.flatMap(({ columns }) => columns.map(pairOf)));
  return detail.columns.filter((column) => !known.has(pairOf(column)));
}

const pairOf = ({ inputColumn, outputColumn }: EdgeColumn): string =>
  JSON.stringify([inputColumn.toLowerCase(), outputColumn?.toLowerCase() ?? null]);

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
