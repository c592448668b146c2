import * as v from 'valibot';
import { boundedSchema, type RelationSchema, type SchemaColumn } from '../../graph/schema.ts';
import type { UrnOf } from './input-mapping.ts';
import { StarEntry } from './open-columns.ts';

/**
 * A custom dataset facet: a list of columns that passes on those of other relations, or is a part. The standard schema
 * facet cannot say either, and a reader would take it for all there is.
 */
export const columnsKey = 'tributary_columns';

/** A list of columns with relations by their OpenLineage names. */
export type ListedColumns = {
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

/** The list, in which columns without a type take that of their namesakes; null where the facet is another's. */
export function listedColumns(facet: unknown, typed: readonly SchemaColumn[], urnOf: UrnOf): RelationSchema | null {
  const read = v.safeParse(Facet, facet);
  if (!read.success) return null;
  const { fields, stars, complete } = read.output;
  const types = new Map(typed.map(({ name, type }) => [name.toLowerCase(), type]));
  const columns = fields.map(({ name, type }) => ({ name, type: type ?? types.get(name.toLowerCase()) ?? null }));
  return boundedSchema({ columns, stars: stars.map((star) => ({ ...star, of: urnOf(star.of) })), complete });
}
