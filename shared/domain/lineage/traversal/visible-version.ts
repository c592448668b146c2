// Decides which version of a scope's claims and details holds at the moment of a view.
import type { Claim, ObservedClaim } from '../graph/claim.ts';
import type { ClaimedEdge, DetailVersion, EdgeDetail, EdgeInScope, FoundDetail } from '../graph/derivation.ts';
import type { HasTakenEffect } from '../graph/edge-details.ts';
import type { Order } from '../graph/order.ts';
import { type ClaimPlace, claimName, type Removals } from '../graph/removals.ts';
import type { PastEdge, PastOrder } from '../past/past-details.ts';
import type { ScopeView } from './scope-moment.ts';

export type OrderedClaim = Exclude<Claim, ObservedClaim>;

/** Whether the view has to look up what the claim's order is: a complete snapshot that loads, or a partial one. */
export const isOpen = ({ kind, order }: OrderedClaim, { current, inEffect, newer }: ScopeView): boolean =>
  kind === 'snapshot' && inEffect === null && order > current && !newer.has(order);

/** The order that keeps the claim live: the current one if it does, or a newer one; null if it is dead. */
export function visibleOrder(place: ClaimPlace, claim: OrderedClaim, view: ScopeView): Order | null {
  const { order, since = null } = claim;
  const { current, inEffect } = view;
  if (since !== null) {
    // History says between which orders a claim was live.
    if (order < current) return null;
    if (since <= current) return current;
    return inEffect === null || inEffect.has(since) ? since : null;
  }
  if (order > current) return hasTakenEffect(order, view) ? order : null;
  return order < view.floor || isRemoved(place, claim, view.removals) ? null : current;
}

/** Whether an order newer than the current one is seen: a complete one that still loads is not. */
const hasTakenEffect = (order: Order, { inEffect, newer }: ScopeView): boolean =>
  inEffect === null ? typeof newer.get(order) === 'string' : inEffect.has(order);

/** Whether the view sees what the order stated, unless a newer one states otherwise. */
export const isInEffect = (order: Order, view: ScopeView): boolean =>
  order <= view.current || hasTakenEffect(order, view);

const isRemoved = (place: ClaimPlace, { other, order }: OrderedClaim, removals: Removals): boolean =>
  removals.size > 0 && (removals.get(claimName(place, other)) ?? []).some((removal) => removal > order);

export type SeenDetail = EdgeInScope & { readonly detail: EdgeDetail };

/** The newest version that has taken effect; if none of those that are kept has, the oldest. */
export function visibleAs({ versions = [], ...one }: FoundDetail, hasTakenEffect: HasTakenEffect): SeenDetail {
  const seen: DetailVersion | undefined = versions.find(({ order }) => hasTakenEffect(order)) ?? versions.at(-1);
  return seen ? { ...one, detail: seen.detail } : one;
}

/** What the store reports an edge by a moment, or else where that is to be looked up; neither where it is not kept. */
type DetailThen = { readonly detail?: EdgeDetail | null; readonly past?: PastEdge };

export function detailAsOf(
  asOf: string,
  view: ScopeView | undefined,
  one: FoundDetail,
  claim: ClaimedEdge | undefined,
): DetailThen {
  const { from, to, scope, order, detail } = one;
  if (!claim || claim.order === null) return { detail: detail.observedAt <= asOf ? detail : null };
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
function ordersBehind(claimed: Order, isJoined: boolean, { inEffect }: ScopeView, asOf: string): PastOrder[] {
  const newer = isJoined ? [...(inEffect?.keys() ?? [])].filter((order) => order > claimed) : [];
  return [...newer.sort().reverse(), claimed].map((order) => ({
    order,
    deliveryId: inEffect?.get(order)?.deliveryId ?? null,
    at: inEffect?.get(order)?.at ?? asOf,
  }));
}
