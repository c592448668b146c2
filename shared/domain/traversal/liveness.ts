import type { Claim, ObservedClaim } from '../graph/claim.ts';
import { isoOfMicros, type Micros, microsOfOrder, type Order, zeroOrder } from '../graph/order.ts';
import type { PastOrder, ScopeHead } from '../graph/ports.ts';

/** What a scope's claims are judged by: its head now, or its orders as they stood at a past time. */
export type ScopeView = {
  readonly head: ScopeHead;
  /** Claims of orders below it are dead. */
  readonly floor: Order;
  /** The orders that had taken effect by a past time, and when they did; null: all have. */
  readonly effectiveAt: ReadonlyMap<Order, string> | null;
  /** When orders newer than the head's began, of those that were looked up: partial deliveries take effect as they load. */
  readonly begunAt: Map<Order, string>;
};

/** The scope as it stands. */
export const currentView = (head: ScopeHead): ScopeView => ({
  head,
  floor: head.floor,
  effectiveAt: null,
  begunAt: new Map(),
});

/** As `viewAsOf`, where the head tells all of it: nothing was begun since its floor, which held by then. Null elsewhere. */
export function viewFromHead(head: ScopeHead, at: string): ScopeView | null {
  const { order, floor, started, committedAt } = head;
  if (committedAt === null || committedAt > at || order !== floor || started !== order) return null;
  return { head, floor, effectiveAt: new Map([[floor, committedAt]]), begunAt: new Map() };
}

/** The scope as it stood at a time: its newest complete order by then is the floor, and what came later is not seen. */
export function viewAsOf(head: ScopeHead, orders: readonly PastOrder[], at: string): ScopeView | null {
  const by = orders.filter((one) => one.at !== null && one.at <= at);
  if (by.length === 0) return null;
  const floor = by.findLast(({ complete }) => complete)?.order ?? zeroOrder;
  return { head, floor, effectiveAt: new Map(by.map((one) => [one.order, one.at ?? at])), begunAt: new Map() };
}

/** The claim as the view sees it, and when it was observed; null where it is not live. */
export function liveClaim(
  claim: Claim,
  view: ScopeView | undefined,
  at: Micros | null,
): { readonly claim: Claim; readonly observedAt: string } | null {
  if (claim.kind === 'observed') {
    if (at !== null && claim.first > at) return null;
    return { claim, observedAt: isoOfMicros(at !== null && claim.last > at ? at : claim.last) };
  }
  const order = view ? visibleOrder(claim, view) : null;
  if (!view || order === null) return null;
  return { claim: order === claim.order ? claim : { ...claim, order }, observedAt: timeOf({ ...claim, order }, view) };
}

type OrderedClaim = Exclude<Claim, ObservedClaim>;

function timeOf({ kind, order }: OrderedClaim, { head, effectiveAt, begunAt }: ScopeView): string {
  if (kind === 'static') return isoOfMicros(microsOfOrder(order));
  return effectiveAt?.get(order) ?? begunAt.get(order) ?? head.committedAt ?? isoOfMicros(microsOfOrder(order));
}

/** Whether the view has to look up when the claim's order began: a snapshot's order is a count and no time. */
export const isUndated = ({ kind, order }: OrderedClaim, { head, floor, effectiveAt, begunAt }: ScopeView): boolean =>
  kind === 'snapshot' && effectiveAt === null && order > head.order && order >= floor && !begunAt.has(order);

/** Which of the orders that the claim stands for is live. */
function visibleOrder(
  { order, since = order }: { readonly order: Order; readonly since?: Order },
  { floor, effectiveAt }: ScopeView,
): Order | null {
  if (order < floor) return null;
  if (since <= floor) return floor;
  return effectiveAt === null || effectiveAt.has(order) ? order : null;
}

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
