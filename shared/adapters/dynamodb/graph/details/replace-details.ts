import type { EdgeDetail } from '../../../../domain/lineage/graph/derivation.ts';
import type { NodeId } from '../../../../domain/lineage/graph/ids.ts';
import type { Key } from '../../keys/registry-keys.ts';
import type { Item } from '../../requests/batch-get.ts';
import { unpack } from '../../requests/parts.ts';
import type { Table } from '../../requests/table.ts';
import { type Change, changing, equal, type UpdateExpression, updateItem } from '../../requests/update-item.ts';
import {
  edgesPerUpdate,
  markOverflowed,
  maxWriteUnits,
  nodeDetail,
  nodeDetailEdges,
  nodeDetailsItem,
  overflowed,
  type Packed,
} from './node-details.ts';
import {
  type HasTakenEffect,
  newestFirst,
  packedVersions,
  replacedAttribute,
  replacedIn,
  type VersionOfEdge,
  visibleVersions,
} from './replaced-details.ts';

/**
 * As `putNodeDetails`, and keeps what is replaced beside it while it may be seen, and so what comes after a newer order that
 * has not taken effect. `read` is the item as it was, which may be old: it is replaced as it was read, or read again.
 */
export async function replaceNodeDetails(
  table: Table,
  key: Key,
  details: readonly Packed[],
  { read, hasTakenEffect }: { readonly read: Item; readonly hasTakenEffect: HasTakenEffect },
): Promise<readonly Packed[]> {
  let item = read;
  let units = 0;
  let pending = details;
  while (pending.length > 0) {
    if (item[overflowed]) return pending;
    const now = pending.slice(0, edgesPerUpdate);
    const next = versionsWith(now, item, hasTakenEffect);
    const answer = next.some(({ isWanted }) => isWanted) ? await updateItem(table, key, replacing(next, item)) : null;
    item = answer?.refused ?? answer?.item ?? item;
    if (answer?.refused) continue;
    units = answer?.units ?? units;
    pending = pending.slice(now.length);
  }
  if (units > maxWriteUnits) await markOverflowed(table, key);
  return [];
}

type NextVersions = {
  readonly newest: Packed | null;
  readonly kept: readonly VersionOfEdge[];
  /** Whether something that is written is among them. */
  readonly isWanted: boolean;
};

function versionsWith(details: readonly Packed[], item: Item, hasTakenEffect: HasTakenEffect): NextVersions[] {
  const written = new Map(details.map((one) => [one.from, one]));
  const before = Map.groupBy(replacedIn(item), ({ from }) => from);
  const edges = new Set([...written.keys(), ...nodeDetailEdges(item)]);
  return [...edges].map((from) => {
    const [next, older] = [written.get(from), before.get(from) ?? []];
    const known = older.length > 0 || next ? [...currentVersion(item, from), ...older] : [];
    const isNew = next !== undefined && known.every(({ order }) => order !== next.order);
    const all = isNew ? newestFirst([versionOf(next), ...known]) : known;
    const retained = visibleVersions(all, hasTakenEffect);
    const newest = isNew && all[0]?.order === next.order ? next : null;
    return {
      newest,
      kept: retained,
      isWanted: newest !== null || (isNew && retained.some(({ order }) => order === next.order)),
    };
  });
}

function replacing(versions: readonly NextVersions[], item: Item): UpdateExpression {
  const replaced = packedVersions(versions.flatMap(({ kept }) => kept));
  const change: Change = {
    set: {
      ...nodeDetailsItem(versions.flatMap(({ newest }) => newest ?? [])),
      ...(replaced && { [replacedAttribute]: replaced }),
    },
    remove: replaced ? [] : [replacedAttribute],
    where: [equal('w', item['w'])],
  };
  return { ...changing(change), ReturnValues: 'ALL_NEW' };
}

const versionOf = ({ from, order, detail }: Packed): VersionOfEdge => ({
  from,
  order,
  detail: unpack(detail) as EdgeDetail,
});

export function currentVersion(item: Item, from: NodeId): VersionOfEdge[] {
  const current = nodeDetail(item, from);
  return current ? [versionOf({ from, ...current })] : [];
}
