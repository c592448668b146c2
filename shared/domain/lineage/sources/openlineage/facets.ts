import * as v from 'valibot';
import type { Urn } from '../../graph/node.ts';
import {
  boundedSchema,
  type Described,
  type RelationSchema,
  type SchemaColumn,
  type SchemaId,
  schemaId,
} from '../../graph/schema.ts';
import type { ColumnLineageFacet, Dataset, Job, Named } from './event.ts';
import type { UrnOf } from './input-mapping.ts';
import { StarEntry } from './open-columns.ts';

/** A facet that only says that it is gone has no body to check. */
export const isTombstone = (facet: unknown): boolean =>
  typeof facet === 'object' && facet !== null && '_deleted' in facet && facet._deleted === true;

/** A custom facet for partial or passed-on columns, since readers take the standard schema facet for all there is. */
export const columnsKey = 'tributary_columns';

/** A list of columns with relations by their OpenLineage names. */
type ListedColumns = {
  readonly columns: readonly SchemaColumn[];
  readonly stars: readonly StarEntry[];
  readonly complete: boolean;
};

export const columnsFacet = ({ columns, stars, complete }: ListedColumns, producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:ColumnsDatasetFacet:1-0-0',
  fields: columns.map(({ name, type }) => ({ name, ...(type !== null && { type }) })),
  stars,
  complete,
});

const Facet = v.object({
  fields: v.array(v.object({ name: v.string(), type: v.exactOptional(v.string()) })),
  stars: v.array(StarEntry),
  complete: v.boolean(),
});

/** The list; columns without a type take that of their namesakes; null if the facet is another's. */
function listedColumns(facet: unknown, typed: readonly SchemaColumn[], urnOf: UrnOf): RelationSchema | null {
  const read = v.safeParse(Facet, facet);
  if (!read.success) return null;
  const { fields, stars, complete } = read.output;
  const types = new Map(typed.map(({ name, type }) => [name.toLowerCase(), type]));
  const columns = fields.map(({ name, type }) => ({ name, type: type ?? types.get(name.toLowerCase()) ?? null }));
  return boundedSchema({ columns, stars: stars.map((star) => ({ ...star, of: urnOf(star.of) })), complete });
}

/** Producers whose schema facets hold what is documented, which may be a part, by the `jobType` facet. */
const documentingIntegrations: ReadonlySet<string> = new Set(['DBT']);

/** Whether the schema facets of a job's events list all columns. */
export const listsAllColumns = (job: Job | null): boolean =>
  !documentingIntegrations.has(job?.facets?.jobType?.integration?.toUpperCase() ?? '');

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
