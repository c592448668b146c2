import * as v from 'valibot';
import { type Node, type Urn, urnOf } from '../../graph/node.ts';
import { boundedSchema, type RelationSchema, type SchemaColumn } from '../../graph/schema.ts';
import { columnOfPath } from '../../names/datahub-urn.ts';

const Field = v.object({ fieldPath: v.string(), nativeDataType: v.fallback(v.nullish(v.string()), null) });

/** A dataset with its aspect `schemaMetadata`, as DataHub's API gives it, and the URNs or names of its owners. */
export const DescribedDataset = v.object({
  urn: v.string(),
  owners: v.fallback(v.optional(v.array(v.string()), []), []),
  schemaMetadata: v.fallback(v.nullish(v.object({ fields: v.array(Field) }), null), null),
});

type DescribedDataset = v.InferOutput<typeof DescribedDataset>;

/** The datasets of an export that list their columns or owners; what is of another form tells none. */
export const describedDatasets = (datasets: unknown): DescribedDataset[] =>
  (Array.isArray(datasets) ? datasets : []).flatMap((one: unknown) => {
    const read = v.safeParse(DescribedDataset, one);
    const isDescribed = read.success && (read.output.schemaMetadata !== null || read.output.owners.length > 0);
    return isDescribed ? [read.output] : [];
  });

/** What datasets state of their columns, as complete lists (C-DATAHUB-5). */
export function schemasOf(
  datasets: readonly DescribedDataset[],
  nodeAt: (urn: string) => Node | null,
): ReadonlyMap<Urn, RelationSchema> {
  const schemas = new Map<Urn, RelationSchema>();
  for (const { urn, schemaMetadata } of datasets) {
    const node = nodeAt(urn);
    const columns = columnsOf(schemaMetadata?.fields ?? []);
    if (node && columns.length > 0) schemas.set(urnOf(node), boundedSchema({ columns, stars: [], complete: true }));
  }
  return schemas;
}

/** A field within a column is no column. DataHub may list it before that column. */
function columnsOf(fields: readonly v.InferOutput<typeof Field>[]): SchemaColumn[] {
  const columns = new Map<string, SchemaColumn>();
  for (const { fieldPath, nativeDataType } of fields) {
    const name = columnOfPath(fieldPath);
    if (name !== '') columns.set(name.toLowerCase(), { name, type: nativeDataType ?? null });
  }
  const isWithin = (name: string) => [...name.matchAll(/\./g)].some(({ index }) => columns.has(name.slice(0, index)));
  return [...columns].flatMap(([name, column]) => (isWithin(name) ? [] : [column]));
}
