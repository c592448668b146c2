import type { Claim, ObservedClaim } from '../graph/claim.ts';
import type { ScopeId } from '../graph/node.ts';
import {
  type Forgetting,
  isForgottenObservation,
  isForgottenOrder,
  isoOfMicros,
  type Micros,
  microsOfOrder,
  type Order,
  zeroOrder,
} from '../graph/order.ts';
import { type ClaimPlace, claimName, type Removals } from '../graph/removals.ts';
import type { PastOrder, ScopeHead } from '../graph/scope-store.ts';

/** What decides which of a scope's claims are live: its head now, or its orders as they were at a past time. */
export type ScopeView = {
  readonly head: ScopeHead;
  /** Claims of orders below it are dead. */
  readonly floor: Order;
  /** The newest complete order that has taken effect: what it and those before it removed by name is dead. */
  readonly current: Order;
  readonly removals: Removals;
  /** The orders that had taken effect by a past time, and when they did; null: all have. */
  readonly effectiveAt: ReadonlyMap<Order, string> | null;
  /** The deliveries of those orders, as far as they are on record. */
  readonly deliveries: ReadonlyMap<Order, string>;
  /** When a partial order newer than the current one began, and so took effect; null of a complete one. */
  readonly newer: Map<Order, string | null>;
};

/** A scope's state at a moment, except for what was removed by name until then. */
type ScopeMoment = Omit<ScopeView, 'removals'>;

export const currentMoment = (head: ScopeHead): ScopeMoment => ({
  head,
  floor: head.floor,
  current: head.order,
  effectiveAt: null,
  deliveries: noDeliveries,
  newer: new Map(),
});

const noDeliveries: ScopeView['deliveries'] = new Map();

/** As `momentAsOf`, if the head tells all of it: nothing was begun since its order, which held by then. Null elsewhere. */
export function momentFromHead(head: ScopeHead, at: string): ScopeMoment | null {
  const { order, floor, listed, started, committedAt } = head;
  if (committedAt === null || committedAt > at || order !== listed || started !== order) return null;
  const effectiveAt = new Map([[order, committedAt]]);
  return { head, floor, current: order, effectiveAt, deliveries: noDeliveries, newer: new Map() };
}

/** The scope as it was at a time: its newest complete order by then is the current one, and what came later is not seen. */
export function momentAsOf(head: ScopeHead, orders: readonly PastOrder[], at: string): ScopeMoment | null {
  const by = orders.filter((one) => one.at !== null && one.at <= at);
  if (by.length === 0) return null;
  const { order: current, floor } = by.findLast(({ complete }) => complete) ?? { order: zeroOrder, floor: zeroOrder };
  const effectiveAt = new Map(by.map((one) => [one.order, one.at ?? at]));
  const deliveries = new Map(by.map(({ order, deliveryId }) => [order, deliveryId]));
  return { head, floor, current, effectiveAt, deliveries, newer: new Map() };
}

type LivenessOf = {
  readonly scopes: { readonly get: (scope: ScopeId) => ScopeView | undefined };
  readonly observedUntil: Micros | null;
  readonly forgettingOf: (scope: ScopeId) => Forgetting | null;
};

/** The claim as the graph's view sees it, and when it was observed; null if it is not live. */
export function liveClaim(
  graph: LivenessOf,
  place: ClaimPlace,
  claim: Claim,
): { readonly claim: Claim; readonly observedAt: string } | null {
  const [view, at] = [graph.scopes.get(claim.scope), graph.observedUntil];
  const forgetting = graph.forgettingOf(claim.scope);
  if (claim.kind === 'observed') {
    if (at !== null && claim.first > at) return null;
    if (forgetting && isForgottenObservation(forgetting, claim.last)) return null;
    return { claim, observedAt: isoOfMicros(at !== null && claim.last > at ? at : claim.last) };
  }
  const order = view ? visibleOrder(place, claim, view) : null;
  if (!view || order === null) return null;
  const stated = { order: claim.since ?? claim.order, current: view.current };
  if (forgetting && isForgottenOrder(forgetting, stated)) return null;
  return { claim: order === claim.order ? claim : { ...claim, order }, observedAt: timeOf({ ...claim, order }, view) };
}

export type OrderedClaim = Exclude<Claim, ObservedClaim>;

function timeOf({ kind, order }: OrderedClaim, { head, effectiveAt, newer }: ScopeView): string {
  if (kind === 'static') return isoOfMicros(microsOfOrder(order));
  return effectiveAt?.get(order) ?? newer.get(order) ?? head.committedAt ?? isoOfMicros(microsOfOrder(order));
}

/** Whether the view has to look up what the claim's order is: a complete snapshot that loads, or a partial one. */
export const isOpen = ({ kind, order }: OrderedClaim, { current, effectiveAt, newer }: ScopeView): boolean =>
  kind === 'snapshot' && effectiveAt === null && order > current && !newer.has(order);

/** The order that keeps the claim live: the current one if it does, or a newer one; null if it is dead. */
function visibleOrder(place: ClaimPlace, claim: OrderedClaim, view: ScopeView): Order | null {
  const { order, since = null } = claim;
  const { current, effectiveAt } = view;
  if (since !== null) {
    // History says between which orders a claim was live.
    if (order < current) return null;
    if (since <= current) return current;
    return effectiveAt === null || effectiveAt.has(since) ? since : null;
  }
  if (order > current) return hasTakenEffect(order, view) ? order : null;
  return order < view.floor || isRemoved(place, claim, view.removals) ? null : current;
}

/** Whether an order newer than the current one is seen: a complete one that still loads is not. */
const hasTakenEffect = (order: Order, { effectiveAt, newer }: ScopeView): boolean =>
  effectiveAt === null ? typeof newer.get(order) === 'string' : effectiveAt.has(order);

/** Whether the view sees what the order stated, unless a newer one states otherwise. */
export const isInEffect = (order: Order, view: ScopeView): boolean =>
  order <= view.current || hasTakenEffect(order, view);

const isRemoved = (place: ClaimPlace, { other, order }: OrderedClaim, removals: Removals): boolean =>
  removals.size > 0 && (removals.get(claimName(place, other)) ?? []).some((removal) => removal > order);

/** OpenLineage's claims know when they were made, so that drops and renames cut them; declared ones are never cut. */
export function eventTimeOf(claim: Claim): Micros | null {
  switch (claim.kind) {
    case 'observed':
      return claim.last;
    case 'static':
      return microsOfOrder(claim.order);
    case 'snapshot':
      return null;
  }
}
