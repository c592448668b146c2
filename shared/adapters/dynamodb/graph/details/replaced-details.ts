import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { sortedBy } from '../../../../domain/base/collections.ts';
import type { DetailVersion, EdgeDetail } from '../../../../domain/lineage/graph/derivation.ts';
import type { NodeId } from '../../../../domain/lineage/graph/ids.ts';
import type { Order } from '../../../../domain/lineage/graph/order.ts';
import type { Item } from '../../requests/batch-get.ts';
import { packedBytes, unpack } from '../../requests/parts.ts';

/** What loading snapshots replaced: readers see it until one takes effect. One value, because details are alike. */
export const replacedAttribute = 'p';

/** Whether an order before the one that is written has taken effect. */
export type HasTakenEffect = (order: Order) => boolean;

export type VersionOfEdge = DetailVersion & { readonly from: NodeId };

/** What is longer is not kept: it is in an item beside up to 350,000 bytes. */
const maxBytes = 40_000;
/** Of one edge: more come only of snapshots that begin and do not end. */
const mostVersions = 8;

export function replacedIn(item: Item): readonly VersionOfEdge[] {
  const attribute = item[replacedAttribute];
  if (!attribute) return [];
  const stored = unpack(attribute) as readonly (readonly [NodeId, Order, EdgeDetail])[];
  return stored.map(([from, order, detail]) => ({ from, order, detail }));
}

/** Null where nothing is to be kept. */
export function packedVersions(versions: readonly VersionOfEdge[]): AttributeValue | null {
  if (versions.length === 0) return null;
  const B = packedBytes(versions.map(({ from, order, detail }) => [from, order, detail]));
  return B.length > maxBytes ? null : { B };
}

export const newestFirst = <T extends { readonly order: Order }>(versions: readonly T[]): T[] =>
  sortedBy(versions, ({ order }) => order).reverse();

/** The versions of one edge that readers may still see: newest first, down to the first that has taken effect. */
export function visibleVersions(
  versions: readonly VersionOfEdge[],
  hasTakenEffect: HasTakenEffect,
): readonly VersionOfEdge[] {
  const inEffect = versions.findIndex(({ order }) => hasTakenEffect(order));
  const last = inEffect < 0 ? versions.length : inEffect + 1;
  const remaining = versions.slice(1, last);
  return remaining.length > mostVersions
    ? [...remaining.slice(0, mostVersions - 1), ...remaining.slice(-1)]
    : remaining;
}
