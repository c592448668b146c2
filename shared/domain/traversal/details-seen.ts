import type { DetailVersion, EdgeDetail, EdgeInScope, FoundDetail } from '../graph/detail-store.ts';
import type { Order } from '../graph/order.ts';
import type { GraphView } from './graph-view.ts';
import { isInEffect } from './liveness.ts';

type SeenDetail = EdgeInScope & { readonly detail: EdgeDetail };

/**
 * What a view sees of details that were read: those of snapshots that have not taken effect in it are replaced by what they
 * replaced. Nothing is looked up where no snapshot loads.
 */
export async function detailsSeen(
  view: Pick<GraphView, 'scopes'>,
  found: readonly FoundDetail[],
): Promise<readonly SeenDetail[]> {
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
