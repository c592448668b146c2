import type { Claim } from '../graph/claim.ts';
import { isoOfMicros, type Micros, microsOfOrder, type Order } from '../graph/order.ts';
import type { PastOrder, ScopeHead } from '../graph/ports.ts';

/** What a scope's claims are judged by: its head now, or its orders as they stood at a past time. */
export type ScopeView = {
  readonly head: ScopeHead;
  /** Claims of orders below it are dead. */
  readonly floor: Order;
  /** The orders that had taken effect by a past time, and when they did; null: all have. */
  readonly saidAt: ReadonlyMap<Order, string> | null;
};

/** The scope as it stands. */
export const viewNow = (head: ScopeHead): ScopeView => ({ head, floor: head.floor, saidAt: null });

/** The scope as it stood at a time: its newest complete order by then is the floor, and what came later is not seen. */
export function viewAt(head: ScopeHead, orders: readonly PastOrder[], at: string): ScopeView | null {
  const by = orders.filter((one) => one.at !== null && one.at <= at);
  const newest = by.at(-1);
  if (!newest) return null;
  const floor = by.filter(({ complete }) => complete).at(-1)?.order ?? by[0]?.order ?? newest.order;
  return { head, floor, saidAt: new Map(by.map((one) => [one.order, one.at ?? at])) };
}

/** The claim's observation time where it is live in the view, else null. */
export function liveSince(
  claim: Claim,
  view: ScopeView | undefined,
  at: Micros | null,
): { readonly observedAt: string } | null {
  if (claim.kind === 'observed') {
    if (at !== null && claim.first > at) return null;
    return { observedAt: isoOfMicros(at !== null && claim.last > at ? at : claim.last) };
  }
  if (!view || claim.order < view.floor || (view.saidAt !== null && !view.saidAt.has(claim.order))) return null;
  const said = claim.kind === 'static' ? isoOfMicros(microsOfOrder(claim.order)) : view.saidAt?.get(claim.order);
  return { observedAt: said ?? view.head.committedAt ?? isoOfMicros(microsOfOrder(claim.order)) };
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
