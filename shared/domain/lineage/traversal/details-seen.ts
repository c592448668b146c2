import {
  type ClaimedEdge,
  type DetailVersion,
  type EdgeDetail,
  type EdgeInScope,
  edgeInScopeName,
  type FoundDetail,
} from '../graph/detail-store.ts';
import type { Order } from '../graph/order.ts';
import type { PastEdge, PastOrder } from '../past/past-details.ts';
import type { GraphView } from './graph-view.ts';
import { isInEffect, type ScopeView } from './liveness.ts';

type SeenDetail = EdgeInScope & { readonly detail: EdgeDetail };
type DetailsView = Pick<GraphView, 'asOf' | 'past' | 'scopes'>;

/**
 * What a view sees of details that were read: those of snapshots that have not taken effect in it are replaced by what they
 * replaced. Nothing is looked up where no snapshot loads, and the view is of now.
 *
 * @param claims of the edges whose details were found, in any order
 */
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
    return scope?.head.kind === 'snapshot' ? seenAs(one, (order) => isInEffect(order, scope)) : one;
  });
}

/** The newest version that has taken effect; where none of those that are kept has, the oldest. */
export function seenAs({ versions = [], ...one }: FoundDetail, hasTakenEffect: (order: Order) => boolean): SeenDetail {
  const seen: DetailVersion | undefined = versions.find(({ order }) => hasTakenEffect(order)) ?? versions.at(-1);
  return seen ? { ...one, detail: seen.detail } : one;
}

type PastView = Pick<GraphView, 'scopes'> & { readonly asOf: string; readonly past: NonNullable<GraphView['past']> };

/** What was stated of edges by the moment of a past view: never what came after it. */
async function detailsThen(
  view: PastView,
  claims: readonly ClaimedEdge[],
  found: readonly FoundDetail[],
): Promise<readonly SeenDetail[]> {
  const claimed = new Map(claims.map((claim) => [edgeInScopeName(claim), claim]));
  const stated = found.map((one) => statedThen(view, one, claimed.get(edgeInScopeName(one))));
  const replaced = stated.flatMap(({ past }) => past ?? []);
  const read = new Map((await view.past(replaced)).map((detail, i) => [replaced[i], detail]));
  return found.map(({ from, to, scope, detail: newest }, i) => {
    const { detail = null, past } = stated[i] ?? {};
    return { from, to, scope, detail: detail ?? (past && read.get(past)) ?? notKept(newest) };
  });
}

/** What the store tells of an edge by a moment, or else where that is to be looked up; neither where it is not kept. */
type Then = { readonly detail?: EdgeDetail | null; readonly past?: PastEdge };

function statedThen({ asOf, scopes }: PastView, one: FoundDetail, claim: ClaimedEdge | undefined): Then {
  const { from, to, scope, order, detail } = one;
  if (!claim || claim.order === null) return { detail: detail.observedAt <= asOf ? detail : null };
  const view = scopes.get(scope);
  if (!view) return { detail };
  if (isInEffect(order, view)) return { detail };
  // Between versions that are kept others may have been, which a partial delivery replaced at once.
  const orders = ordersBehind(claim.order, claim.joined ?? false, view, asOf);
  const kept = one.versions?.find((version) => version.order === orders[0]?.order);
  if (kept) return { detail: kept.detail };
  // Nothing is kept of what one event declared but its bytes.
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

/** An edge of which it is not known any more what was stated then; policies look at the newest word. */
const notKept = (newest: EdgeDetail): EdgeDetail => ({
  ...newest,
  deliveryId: null,
  location: '',
  columns: [],
  unresolved: [{ outputColumn: null, reason: 'column_map_of_that_time_not_kept' }],
});
