// Whether a view sees a claim, and when the claim was observed.
import type { Claim } from '../graph/claim.ts';
import { isForgottenObservation, isForgottenOrder, isoOfMicros, type Micros, microsOfOrder } from '../graph/order.ts';
import type { ClaimPlace } from '../graph/removals.ts';
import type { ClaimsView } from './node-view.ts';
import type { ScopeView } from './scope-moment.ts';
import { type OrderedClaim, visibleOrder } from './visible-version.ts';

/** The claim as the graph's view sees it, and when it was observed; null if it is not live. */
export function liveClaim(
  graph: Pick<ClaimsView, 'scopes' | 'observedUntil' | 'forgottenUntil'>,
  place: ClaimPlace,
  claim: Claim,
): { readonly claim: Claim; readonly observedAt: string } | null {
  const [view, at] = [graph.scopes.get(claim.scope), graph.observedUntil];
  const until = graph.forgottenUntil(claim.scope);
  if (claim.kind === 'observed') {
    if (at !== null && claim.first > at) return null;
    if (isForgottenObservation(until, claim.last)) return null;
    return { claim, observedAt: isoOfMicros(at !== null && claim.last > at ? at : claim.last) };
  }
  const order = view ? visibleOrder(place, claim, view) : null;
  if (!view || order === null) return null;
  if (isForgottenOrder(until, { order: claim.since ?? claim.order, current: view.current })) return null;
  return { claim: order === claim.order ? claim : { ...claim, order }, observedAt: timeOf({ ...claim, order }, view) };
}

function timeOf({ kind, order }: OrderedClaim, { head, inEffect, newer }: ScopeView): string {
  if (kind === 'static') return isoOfMicros(microsOfOrder(order));
  return inEffect?.get(order)?.at ?? newer.get(order) ?? head.committedAt ?? isoOfMicros(microsOfOrder(order));
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
