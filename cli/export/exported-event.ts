import * as v from 'valibot';
import { columnsKey } from '../../shared/domain/lineage/sources/openlineage/facets.ts';
import { unresolvedKey } from '../../shared/domain/lineage/sources/openlineage/open-columns.ts';

const names = { namespace: v.string(), name: v.string() };
const Columns = v.array(v.object({ name: v.string(), type: v.optional(v.string()) }));
const Way = v.object({
  type: v.optional(v.string()),
  subtype: v.nullish(v.string()),
  masking: v.optional(v.boolean()),
  description: v.optional(v.string()),
});
const Source = v.object({ ...names, field: v.nullish(v.string()), transformations: v.optional(v.array(Way), []) });
const schemaFacets = {
  schema: v.optional(v.object({ fields: Columns })),
  [columnsKey]: v.optional(v.object({ fields: Columns })),
};
const Output = v.object({
  ...names,
  facets: v.optional(
    v.object({
      ...schemaFacets,
      columnLineage: v.optional(
        v.object({
          fields: v.optional(v.record(v.string(), v.object({ inputFields: v.array(Source) })), {}),
          dataset: v.optional(v.array(Source), []),
        }),
      ),
      [unresolvedKey]: v.optional(v.object({ inputs: v.array(v.object({ ...names, reason: v.string() })) })),
    }),
    {},
  ),
});

/** A line of an export, as far as tables need it. */
export const ExportedEvent = v.object({
  job: v.object(names),
  inputs: v.array(v.object({ ...names, facets: v.optional(v.object(schemaFacets), {}) })),
  outputs: v.array(Output),
});
export type ExportedEvent = v.InferOutput<typeof ExportedEvent>;
export type ExportedOutput = ExportedEvent['outputs'][number];
export type ExportedSource = v.InferOutput<typeof Source>;
export type ExportedDataset = Pick<ExportedEvent['inputs'][number], 'namespace' | 'name'> & {
  readonly facets: Pick<ExportedOutput['facets'], 'schema' | typeof columnsKey>;
};
