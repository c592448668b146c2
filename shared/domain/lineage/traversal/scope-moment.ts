// A scope as a view sees it: which of its orders count at a moment, now or in the past.
import { type Order, zeroOrder } from '../graph/order.ts';
import type { Removals } from '../graph/removals.ts';
import type { PastOrder, ScopeHead } from '../graph/scope-store.ts';

/** What decides which of a scope's claims are live: its head now, or its orders as they were at a past time. */
export type ScopeView = {
  readonly head: ScopeHead;
  /** Claims of orders below it are dead. */
  readonly floor: Order;
  /** The newest complete order that has taken effect: what it and those before it removed by name is dead. */
  readonly current: Order;
  readonly removals: Removals;
  /** The orders that had taken effect by a past time: when they did, and whose they are; null: all have. */
  readonly inEffect: ReadonlyMap<Order, { readonly at: string; readonly deliveryId: string | null }> | null;
  /** When a partial order newer than the current one began, and so took effect; null of a complete one. */
  readonly newer: Map<Order, string | null>;
};

/** A scope's state at a moment, except for what was removed by name until then. */
type ScopeMoment = Omit<ScopeView, 'removals'>;

export const currentMoment = (head: ScopeHead): ScopeMoment => ({
  head,
  floor: head.floor,
  current: head.order,
  inEffect: null,
  newer: new Map(),
});

/** As `momentAsOf`, if the head tells all of it: nothing was begun since its order, which held by then. Null elsewhere. */
export function momentFromHead(head: ScopeHead, at: string): ScopeMoment | null {
  const { order, floor, listed, started, committedAt } = head;
  if (committedAt === null || committedAt > at || order !== listed || started !== order) return null;
  const inEffect = new Map([[order, { at: committedAt, deliveryId: null }]]);
  return { head, floor, current: order, inEffect, newer: new Map() };
}

/** The scope as it was at a time: its newest complete order by then is the current one, and what came later is not seen. */
export function momentAsOf(head: ScopeHead, orders: readonly PastOrder[], at: string): ScopeMoment | null {
  const by = orders.flatMap((one) => (one.at !== null && one.at <= at ? [{ ...one, at: one.at }] : []));
  if (by.length === 0) return null;
  const { order: current, floor } = by.findLast(({ complete }) => complete) ?? { order: zeroOrder, floor: zeroOrder };
  return { head, floor, current, inEffect: new Map(by.map((one) => [one.order, one])), newer: new Map() };
}
