import { jsonPointer, keysOf, valueAt } from '../../contract/json-pointer.ts';
import type { DeliveryKind } from '../../contract/vocabulary.ts';

/** Where the items of a declared document stand, in the order in which they are counted. */
const lists: Partial<Record<DeliveryKind, readonly string[]>> = {
  dbt_manifest: ['/manifest/nodes', '/manifest/sources', '/manifest/exposures'],
  sqlmesh_project: ['/project/models', '/project/external_models'],
  datahub_catalog: ['/export/lineage', '/export/edges', '/export'],
};

/** Tells the place of the item at a JSON pointer among those of its delivery, as quarantined items are counted; null where it is none. */
export function itemIndexOf(kind: DeliveryKind, body: unknown): (pointer: string) => number | null {
  const ordered = lists[kind];
  if (!ordered) return eventIndex;
  const places = new Map<string, number>();
  for (const list of ordered) {
    const items = valueAt(body, list);
    if (typeof items !== 'object' || items === null) continue;
    for (const key of Object.keys(items)) places.set(list + jsonPointer(key), places.size);
  }
  return (pointer) => places.get(pointer) ?? null;
}

/** A single event is item 0; those of a batch stand at `/3` or `/events/3`. */
function eventIndex(pointer: string): number | null {
  const last = keysOf(pointer).at(-1);
  if (last === undefined) return 0;
  return /^\d+$/.test(last) ? Number(last) : null;
}
