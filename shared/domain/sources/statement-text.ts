import { jsonPointer, valueAt } from '../../contract/json-pointer.ts';
import type { DeliveryKind } from '../../contract/vocabulary.ts';
import type { StatementText } from '../graph/derivation-store.ts';

/** Longer statements are cut: the payload has the rest. */
const charactersShown = 10_000;

/** Where an item of a payload has its statement: the first of the fields that holds one. */
const fields: Readonly<Record<DeliveryKind, readonly string[]>> = {
  dbt_manifest: [jsonPointer('compiled_code'), jsonPointer('compiled_sql')],
  sqlmesh_project: [jsonPointer('rendered_sql')],
  datahub_catalog: [],
  openlineage_event: [jsonPointer('job', 'facets', 'sql', 'query')],
  openlineage_batch: [jsonPointer('job', 'facets', 'sql', 'query')],
};

/** The statement of the item at a JSON pointer of a payload; null where it has none. */
export function statementTextOf(kind: DeliveryKind, body: unknown, location: string): StatementText | null {
  for (const field of fields[kind]) {
    const pointer = location + field;
    const text = valueAt(body, pointer);
    if (typeof text === 'string' && text.trim() !== '')
      return { text: text.slice(0, charactersShown), truncated: text.length > charactersShown, pointer };
  }
  return null;
}
