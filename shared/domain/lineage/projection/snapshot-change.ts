import type { NodeId } from '../graph/ids.ts';
import { type Order, zeroOrder } from '../graph/order.ts';
import { type ClaimName, claimsIn, type ListedClaim } from '../graph/removals.ts';
import type { Listing, RecordedOrder, ScopeHead } from '../graph/scope-store.ts';
import { listingOfClaims } from './listing.ts';

/** When a snapshot is loaded as a change of the one before, and not as a whole. */
export type ChangeLimits = {
  /** Of a scope's claims: what adds and removes more costs no less than the whole. */
  readonly share: number;
  /** Claims that are removed by name between two loads of the whole: every reader of the scope reads their names. */
  readonly removals: number;
  /** Orders between two loads of the whole: their records and listings stay until then. */
  readonly orders: number;
  /** How often a change is tried that others overtake. */
  readonly attempts: number;
};

export const changeLimits: ChangeLimits = { share: 0.5, removals: 5_000, orders: 100, attempts: 3 };

/** What a scope says before a complete order takes effect. */
export type ContentBefore = {
  /** What the newest complete order lists, whose claims are all written; null where there is none. */
  readonly stated: Listing | null;
  /** What other orders since then may have claimed, in whole or in part. */
  readonly others: readonly Listing[];
};

/** What a scope stated before an order, by what was recorded of earlier ones. */
export function contentBefore(head: ScopeHead, recorded: readonly RecordedOrder[], order: Order): ContentBefore {
  const before = recorded.filter((one) => one.order < order);
  const newest = before.find((one) => one.order === head.listed && head.listed !== zeroOrder);
  const others = before.filter((one) => one !== newest).map(({ listing }) => listing);
  return { stated: newest?.listing ?? null, others: [...others, ...before.flatMap(({ also }) => also)] };
}

/** What a snapshot states otherwise than its scope did. */
export type SnapshotChange = {
  /** Claims that are to be written. */
  readonly added: ReadonlySet<ClaimName>;
  /** Claims that may be there and are not stated any more. */
  readonly removed: Listing;
  /** The nodes of which something else may be known of the edges to them. */
  readonly changed: ReadonlySet<NodeId>;
};

/** Null where the snapshot is to be loaded as a whole. */
export function changeOf(
  { stated, others }: ContentBefore,
  next: Listing,
  { changes }: Pick<ScopeHead, 'changes'>,
  limits: ChangeLimits,
): SnapshotChange | null {
  if (stated?.digests === undefined || changes.orders >= limits.orders) return null;
  // Listings that were recorded before schemas were named do not tell which claims to remove.
  if ([stated, ...others].some(({ described, schemas }) => (described?.length ?? 0) !== (schemas?.length ?? 0)))
    return null;
  const [known, now] = [claimsIn(stated), claimsIn(next)];
  const added = new Set([...now.keys()].filter((name) => !known.has(name)));
  const possible = new Map<ClaimName, ListedClaim>([...known, ...others.flatMap((one) => [...claimsIn(one)])]);
  const removed = [...possible].flatMap(([name, claim]) => (now.has(name) ? [] : [claim]));
  if (added.size + removed.length > limits.share * now.size) return null;
  if (changes.removals + removed.length > limits.removals) return null;
  return { added, removed: listingOfClaims(removed), changed: changedNodes(stated, others, next) };
}

function changedNodes(stated: Listing, others: readonly Listing[], next: Listing): Set<NodeId> {
  const before = digestsOf(stated);
  const changed = [...digestsOf(next)].flatMap(([node, digest]) => (before.get(node) === digest ? [] : [node]));
  // What another order said of an edge may stand where this one's word is to stand.
  const spokenOf = others.flatMap(({ nodes, edges }) => edges.flatMap(([, to]) => nodes[to] ?? []));
  return new Set([...changed, ...spokenOf]);
}

const digestsOf = ({ nodes, digests = [] }: Listing): Map<NodeId, string> =>
  new Map(digests.flatMap(([place, digest]) => (nodes[place] ? [[nodes[place], digest] as const] : [])));
