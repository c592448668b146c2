import * as v from 'valibot';
import { isJsonObject } from '../../../base/json/read-json.ts';
import type { ItemSchemas } from '../declared/declared.ts';
import type { TypedColumn } from '../models/model-project.ts';

/** dbt's `catalog.json` by the unique ids of the manifest: the columns that the warehouse had, in their order. */
export type DbtCatalog = ReadonlyMap<string, readonly TypedColumn[]>;

const Column = v.object({
  name: v.string(),
  type: v.fallback(v.nullish(v.string()), null),
  index: v.fallback(v.nullish(v.number()), null),
});
const Entry = v.object({ columns: v.record(v.string(), Column) });

/** What an item of a member of a catalog is read by: the others are not read at all. */
export const catalogItems: ItemSchemas = { nodes: Entry, sources: Entry };

/** Reads a catalog of any version; an entry that cannot be read is as if dbt had found no relation. */
export function readDbtCatalog(catalog: Readonly<Record<string, unknown>> | undefined): DbtCatalog {
  const entries = [catalog?.['nodes'], catalog?.['sources']].flatMap((map) =>
    isJsonObject(map) ? Object.entries(map) : [],
  );
  return new Map(
    entries.flatMap(([id, entry]) => {
      const read = v.safeParse(Entry, entry);
      return read.success ? [[id, columnsOf(read.output)] as const] : [];
    }),
  );
}

function columnsOf({ columns }: v.InferOutput<typeof Entry>): TypedColumn[] {
  const ordered = Object.values(columns).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return ordered.map(({ name, type }) => ({ name, type: type ?? null }));
}
