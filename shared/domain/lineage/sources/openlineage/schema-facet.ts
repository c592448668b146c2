import type { Urn } from '../../graph/node.ts';
import { boundedSchema, type Described, type RelationSchema, type SchemaId, schemaId } from '../../graph/schema.ts';
import { columnsKey, listedColumns } from './columns-facet.ts';
import type { ColumnLineageFacet, Dataset, Job, Named } from './event.ts';
import { isTombstone } from './facets.ts';

/** Producers whose schema facets hold what is documented, which may be a part, by the `jobType` facet. */
const documentingIntegrations: ReadonlySet<string> = new Set(['DBT']);

/** Whether the schema facets of a job's events list all columns. */
export const listsAllColumns = (job: Job | null): boolean =>
  !documentingIntegrations.has(job?.facets?.jobType?.integration?.toUpperCase() ?? '');

/** The schemas that datasets state, and their contents by what names them. */
export type StatedSchemas = {
  readonly described: readonly Described[];
  readonly contents: ReadonlyMap<SchemaId, RelationSchema>;
};

/** What the facets of datasets say of their columns: the last of a dataset counts. */
export function statedSchemas(
  datasets: readonly Dataset[],
  complete: boolean,
  urnOf: (dataset: Named) => Urn,
): StatedSchemas {
  const described = new Map<Urn, SchemaId>();
  const contents = new Map<SchemaId, RelationSchema>();
  for (const dataset of datasets) {
    const schema = schemaOf(dataset, complete, urnOf);
    if (!schema) continue;
    const id = schemaId(schema);
    contents.set(id, schema);
    described.set(urnOf(dataset), id);
  }
  return { described: [...described].map(([node, schema]) => ({ node, schema })), contents };
}

/** A schema facet that is deleted says that no list holds any more; without one, columns that are mapped are known in part. */
function schemaOf({ facets }: Dataset, complete: boolean, urnOf: (dataset: Named) => Urn): RelationSchema | null {
  const facet = facets?.schema;
  if (facet && isTombstone(facet)) return { columns: [], stars: [], complete };
  const listed = (facet?.fields ?? []).map(({ name, type }) => ({ name, type: type ?? null }));
  if (listed.length > 0 && complete) return boundedSchema({ columns: listed, stars: [], complete });
  const mapped = mappedColumns(facets?.columnLineage);
  const derived = listedColumns(facets?.[columnsKey], listed, urnOf);
  if (derived) return derived;
  if (listed.length > 0) return boundedSchema({ columns: listed, stars: [], complete });
  return mapped.length === 0 ? null : boundedSchema({ columns: mapped, stars: [], complete: false });
}

const mappedColumns = (facet: ColumnLineageFacet | undefined) =>
  facet && !isTombstone(facet) ? Object.keys(facet.fields ?? {}).map((name) => ({ name, type: null })) : [];
