// The details of edges as a view sees them: it loads what decides between their versions.
import { type ClaimedEdge, type EdgeDetail, edgeInScopeName, type FoundDetail } from '../graph/derivation.ts';
import type { BareView } from './graph-view.ts';
import { detailAsOf, isInEffect, type SeenDetail, visibleAs } from './visible-version.ts';

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

type PastView = Pick<BareView, 'scopes'> & { readonly asOf: string; readonly past: NonNullable<BareView['past']> };

/** What was stated of edges by the moment of a past view: never what came after it. */
async function detailsThen(
  view: PastView,
  claims: readonly ClaimedEdge[],
  found: readonly FoundDetail[],
): Promise<readonly SeenDetail[]> {
  const claimed = new Map(claims.map((claim) => [edgeInScopeName(claim), claim]));
  const stated = found.map((one) =>
    detailAsOf(view.asOf, view.scopes.get(one.scope), one, claimed.get(edgeInScopeName(one))),
  );
  const replaced = stated.flatMap(({ past }) => past ?? []);
  const read = new Map((await view.past(replaced)).map((detail, i) => [replaced[i], detail]));
  return found.map(({ from, to, scope, detail: newest }, i) => {
    const { detail = null, past } = stated[i] ?? {};
    return { from, to, scope, detail: detail ?? (past && read.get(past)) ?? expiredDetail(newest) };
  });
}

/** An edge whose past statement is no longer stored; policies use the newest one. */
const expiredDetail = (newest: EdgeDetail): EdgeDetail => ({
  ...newest,
  deliveryId: null,
  location: '',
  columns: [],
  unresolved: [{ outputColumn: null, reason: 'column_map_of_that_time_not_kept' }],
});
