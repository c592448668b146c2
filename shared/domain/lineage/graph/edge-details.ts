// What one scope knows of the edges to a node: which versions of it stay, and which of them counts.
import { sortedBy } from '../../base/collections.ts';
import type { DetailVersion } from './derivation.ts';
import type { NodeId } from './node.ts';
import type { Order } from './order.ts';

/** By the upstream end: the versions of an edge, newest first. The older ones are seen until something newer counts. */
export type DetailsByEdge = ReadonlyMap<NodeId, readonly DetailVersion[]>;

export const noDetailsByEdge: DetailsByEdge = new Map();

export type StatedDetail = DetailVersion & { readonly from: NodeId };

/** Whether an order has taken effect: what it says is seen. */
export type HasTakenEffect = (order: Order) => boolean;

/** Of one edge: more come only of snapshots that begin and do not end. */
const mostVersions = 8;

/**
 * Adds the statements of an order, however late they arrive. With `hasTakenEffect`, the versions that it replaces stay
 * while readers may see them; null: readers see it at once.
 */
export function withStated(
  known: DetailsByEdge,
  stated: readonly StatedDetail[],
  hasTakenEffect: HasTakenEffect | null,
): DetailsByEdge {
  const found = new Map(known);
  for (const { from, order, detail } of stated) {
    const versions = found.get(from) ?? [];
    const next = { order, detail };
    if (hasTakenEffect !== null) found.set(from, joinedVersions([next], versions));
    else if ((versions[0]?.order ?? '') < order) found.set(from, [next, ...versions.slice(1)]);
  }
  if (hasTakenEffect !== null)
    for (const [from, versions] of found) found.set(from, visibleVersions(versions, hasTakenEffect));
  return found;
}

/** The newest version of an edge, and those that readers may still see: down to the first that has taken effect. */
function visibleVersions(versions: readonly DetailVersion[], hasTakenEffect: HasTakenEffect): readonly DetailVersion[] {
  const inEffect = versions.findIndex(({ order }) => hasTakenEffect(order));
  const seen = inEffect < 0 ? versions : versions.slice(0, inEffect + 1);
  return seen.length > mostVersions + 1 ? [...seen.slice(0, mostVersions), ...seen.slice(-1)] : seen;
}

/** The versions of one edge from two places, newest first, each once. */
export const joinedVersions = (
  some: readonly DetailVersion[],
  others: readonly DetailVersion[],
): readonly DetailVersion[] => {
  if (some.length === 0) return others;
  if (others.length === 0) return some;
  const byOrder = new Map([...some, ...others].map((one) => [one.order, one]));
  return sortedBy([...byOrder.values()], ({ order }) => order).reverse();
};

/** Whether what an order states of the edge from a node ends. */
export type HasEnded = (order: Order, from: NodeId) => boolean;

/** Without the edges whose newest version has ended: what was behind it goes too, or it would come back as the newest. */
export function withoutEnded(known: DetailsByEdge, edges: Iterable<NodeId>, hasEnded: HasEnded): DetailsByEdge {
  const found = new Map(known);
  for (const from of edges) {
    const newest = known.get(from)?.[0];
    if (newest && hasEnded(newest.order, from)) found.delete(from);
  }
  return found;
}
