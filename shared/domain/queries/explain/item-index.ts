import { keysOf, valueAt } from '../../../contract/json-pointer.ts';
import type { DeliveryKind } from '../../../contract/vocabulary.ts';

/** Where the items of a declared document stand, in the order in which they are counted. */
const lists: Partial<Record<DeliveryKind, readonly string[]>> = {
  dbt_manifest: ['/manifest/nodes', '/manifest/sources', '/manifest/exposures'],
  sqlmesh_project: ['/project/models', '/project/external_models'],
  datahub_catalog: ['/export/lineage', '/export/edges', '/export'],
};

/** The place of an item among those of its delivery, as quarantined items are counted; null where it is none. */
export function itemIndexOf(kind: DeliveryKind, body: unknown, pointer: string): number | null {
  const ordered = lists[kind];
  const keys = keysOf(pointer);
  if (!ordered) return eventIndex(keys);
  let before = 0;
  for (const list of ordered) {
    const items = valueAt(body, list);
    if (typeof items !== 'object' || items === null) continue;
    const inList = keys.slice(keysOf(list).length);
    const place = pointer.startsWith(`${list}/`) ? Object.keys(items).indexOf(inList[0] ?? '') : -1;
    if (place >= 0 && inList.length === 1) return before + place;
    before += Object.keys(items).length;
  }
  return null;
}

/** A single event is item 0; those of a batch stand at `/3` or `/events/3`. */
function eventIndex(keys: readonly string[]): number | null {
  const last = keys.at(-1);
  if (last === undefined) return 0;
  return /^\d+$/.test(last) ? Number(last) : null;
}
