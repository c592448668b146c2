// What one scope knows of the edges to a node: which versions of it stay, and which of them counts.
import { sortedBy } from '../../base/collections.ts';
import type { DetailVersion, EdgeDetail } from './derivation.ts';
import type { NodeId } from './node.ts';
import { microsOfOrder, type Order, runOfOrder } from './order.ts';

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
    else if (hasParent(next) || versions.some(hasParent)) found.set(from, withObserved(versions, next));
    else if ((versions[0]?.order ?? '') < order) found.set(from, [next, ...versions.slice(1)]);
  }
  if (hasTakenEffect !== null)
    for (const [from, versions] of found) found.set(from, visibleVersions(versions, hasTakenEffect));
  return found;
}

const hasParent = ({ detail }: DetailVersion) => detail.parentRun !== undefined;

/** An application may run for weeks, and change its statements meanwhile. */
const siblingMicros = 24 * 3_600e6;

/**
 * The versions of one edge from its runs, newest first: of the newest run, and of the siblings that its parent run
 * started within a day before it. Two statements of one Spark application are two runs of one job (C-OPENLINEAGE-28).
 */
export function withObserved(known: readonly DetailVersion[], next: DetailVersion): readonly DetailVersion[] {
  const [newest, ...older] = joinedVersions([next], known);
  if (!newest) return [];
  const found = [newest];
  for (const one of siblingsOf(newest, older)) {
    if (!found.some((other) => runOfOrder(other.order) === runOfOrder(one.order))) found.push(one);
  }
  const [least, ...more] = found.slice(mostVersions - 1);
  return least ? [...found.slice(0, mostVersions - 1), joinedSiblings(least, more)] : found;
}

function siblingsOf({ order, detail }: DetailVersion, older: readonly DetailVersion[]): readonly DetailVersion[] {
  if (detail.parentRun === undefined) return [];
  const since = Number(microsOfOrder(order)) - siblingMicros;
  return older.filter((one) => one.detail.parentRun === detail.parentRun && Number(microsOfOrder(one.order)) >= since);
}

const joinedSiblings = (newest: DetailVersion, siblings: readonly DetailVersion[]): DetailVersion => ({
  ...newest,
  detail: siblings.reduce((all, { detail }) => joinedDetail(all, detail), newest.detail),
});

/** The versions of an edge, newest first; those of siblings are joined into one. */
export function joinedObservations(versions: readonly DetailVersion[]): readonly DetailVersion[] {
  const [newest, ...older] = versions;
  return newest && hasParent(newest) ? [joinedSiblings(newest, siblingsOf(newest, older))] : versions;
}

/** Two statements about one edge: mappings add up, and what one leaves open the other does not settle. */
export function joinedDetail(a: EdgeDetail, b: EdgeDetail): EdgeDetail {
  const columns = new Map([...a.columns, ...b.columns].map((one) => [JSON.stringify(one), one]));
  const unresolved = new Map([...a.unresolved, ...b.unresolved].map((one) => [JSON.stringify(one), one]));
  return { ...a, columns: [...columns.values()], unresolved: [...unresolved.values()] };
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
