import { jsonPointer, keysOf, valueAt } from '../../../contract/field-errors.ts';
import { beginningOf } from '../../../contract/fields.ts';
import type { DeliveryKind } from '../../../contract/vocabulary.ts';
import type { StatementText } from '../graph/derivation.ts';
import type { CatalogContext } from './declared/declared.ts';
import type { DeclaredDocument } from './read-body.ts';

/** The places of a declared document's items, in the order of their numbers. */
const lists: Partial<Record<DeliveryKind, readonly string[]>> = {
  dbt_manifest: ['/manifest/nodes', '/manifest/sources', '/manifest/exposures'],
  sqlmesh_project: ['/project/models', '/project/external_models'],
  datahub_catalog: ['/export/lineage', '/export/edges', '/export/exposures', '/export'],
  collection: ['/shapes/columns'],
};

/** Tells the place of the item at a JSON pointer among those of its delivery, as quarantined items are counted; null if it is none. */
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

/** A single event is item 0; those of a batch are at `/3` or `/events/3`. */
function eventIndex(pointer: string): number | null {
  const last = keysOf(pointer).at(-1);
  if (last === undefined) return 0;
  return /^\d+$/.test(last) ? Number(last) : null;
}

/** The document of a request's body, and the import source that it names; the intake API has held the body to its route's schema. */
export function documentOf(
  kind: DeclaredDocument['kind'],
  body: unknown,
): { readonly document: DeclaredDocument } & Pick<CatalogContext, 'importSource'> {
  const { import_source: importSource = 'default', ...rest } = body as { readonly import_source?: string };
  return { document: { ...rest, kind } as unknown as DeclaredDocument, importSource };
}

/** Longer statements are cut: the payload has the rest. */
const charactersShown = 10_000;

/** Where an item of a payload has its statement: the first of the fields that holds one. */
const fields: Readonly<Record<DeliveryKind, readonly string[]>> = {
  dbt_manifest: [jsonPointer('compiled_code'), jsonPointer('compiled_sql')],
  sqlmesh_project: [jsonPointer('rendered_sql')],
  datahub_catalog: [],
  collection: [],
  openlineage_event: [jsonPointer('job', 'facets', 'sql', 'query')],
  openlineage_batch: [jsonPointer('job', 'facets', 'sql', 'query')],
};

/** The statement of the item at a JSON pointer of a payload; null if it has none. */
export function statementTextOf(kind: DeliveryKind, body: unknown, location: string): StatementText | null {
  for (const field of fields[kind]) {
    const pointer = location + field;
    const text = valueAt(body, pointer);
    if (typeof text !== 'string' || text.trim() === '') continue;
    const shown = beginningOf(text, charactersShown);
    return { text: shown, truncated: shown.length < text.length, pointer };
  }
  return null;
}
