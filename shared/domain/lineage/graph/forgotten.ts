import * as v from 'valibot';
import type { ScopeId } from './ids.ts';
import { historyDays, type Micros, microsOfIso, type Order } from './order.ts';

/** One moment at which a scope was forgotten: from `at` on, nothing that it stated up to `order` counts (G-FORGET-1). */
const Forgetting = v.object({ at: v.string(), order: v.string() });
export type Forgetting = { readonly at: string; readonly order: Order };

/** The forgotten scopes of a workspace, by scope id, each with its moments, oldest first. */
export const Forgotten = v.record(v.string(), v.array(Forgetting));
export type Forgotten = Readonly<Record<string, readonly v.InferOutput<typeof Forgetting>[]>>;

export const nothingForgotten: Forgotten = {};

/** What a question about a time has to leave out of a scope; null if the scope was not forgotten by then. */
export function forgettingAt(forgotten: Forgotten, scope: ScopeId, asOf: string | null): Forgetting | null {
  const found = forgotten[scope]?.findLast(({ at }) => asOf === null || at <= asOf);
  return found ? { at: found.at, order: found.order as Order } : null;
}

/** The order up to which a scope of event times is forgotten: that of a static scope, and the micros of an observed one. */
export const orderUntil = (at: string): Order => `${microsOfIso(at)}9999` as Order;

/** Whether something that was observed last at a time is forgotten. */
export const isForgottenObservation = ({ order }: Pick<Forgetting, 'order'>, last: Micros): boolean =>
  `${last}0000` <= order;

/** Whether an order is forgotten, and no complete one of the scope took effect since: that would say again what still holds. */
export const isForgottenOrder = (
  { order: until }: Pick<Forgetting, 'order'>,
  { order, current }: { readonly order: Order; readonly current: Order },
): boolean => current <= until && order <= until;

/**
 * The moments of a scope with one more. If nothing was stated since the last one, that one takes the order over: the same
 * is forgotten since the same time. Moments that no question about the past reaches are dropped.
 */
export function withForgetting(
  moments: readonly v.InferOutput<typeof Forgetting>[],
  next: Forgetting,
  { isNew }: { readonly isNew: boolean },
): v.InferOutput<typeof Forgetting>[] {
  const last = moments.at(-1);
  if (last && !isNew) return [...moments.slice(0, -1), { ...last, order: next.order }];
  const reached = new Date(Date.parse(next.at) - historyDays * 86_400_000).toISOString();
  const first = moments.findLastIndex(({ at }) => at <= reached);
  return [...moments.slice(Math.max(first, 0)), next];
}
