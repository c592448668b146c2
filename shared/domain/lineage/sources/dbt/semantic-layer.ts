import * as v from 'valibot';
import type { DocumentItem } from '../declared/declared.ts';

export const lenient = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema), null);
export const text = lenient(v.string());
const Filter = lenient(v.object({ where_filters: lenient(v.array(v.object({ where_sql_template: v.string() }))) }));
export type Filter = v.InferOutput<typeof Filter>;
/** A measure or another metric, with all that decides its rows. */
const Input = v.looseObject({ name: v.string(), filter: Filter });
const Names = lenient(v.array(Input));
const term = { name: v.string(), expr: lenient(v.union([v.string(), v.number()])) };
const Terms = lenient(v.array(v.object(term)));
const Entities = lenient(v.array(v.object({ ...term, type: text })));
/** With all that decides what it computes. */
const Measures = lenient(v.array(v.looseObject({ ...term, agg_time_dimension: text })));
/** What says whose a member of the semantic layer is. */
const described = {
  label: text,
  meta: lenient(v.record(v.string(), v.unknown())),
  config: lenient(v.object({ meta: lenient(v.record(v.string(), v.unknown())) })),
};
const Named = lenient(Input);
export const dependsOn = v.object({ nodes: v.fallback(v.nullish(v.array(v.string())), []) });

export const SemanticModel = v.object({
  depends_on: dependsOn,
  node_relation: lenient(v.object({ relation_name: text })),
  ...{ entities: Entities, dimensions: Terms, measures: Measures, primary_entity: text },
  defaults: lenient(v.object({ agg_time_dimension: text })),
  ...described,
});
export const Metric = v.object({
  ...{ name: v.string(), type: text },
  ...described,
  depends_on: dependsOn,
  filter: Filter,
  type_params: lenient(
    v.looseObject({
      measure: Named,
      input_measures: Names,
      numerator: Named,
      denominator: Named,
      metrics: Names,
      conversion_type_params: lenient(v.object({ base_measure: Named, conversion_measure: Named })),
    }),
  ),
});
export const SavedQuery = v.object({
  ...described,
  depends_on: dependsOn,
  query_params: lenient(
    v.object({ metrics: lenient(v.array(v.string())), group_by: lenient(v.array(v.string())), where: Filter }),
  ),
  exports: lenient(
    v.array(
      v.object({
        name: v.string(),
        config: lenient(v.object({ database: text, schema_name: text, alias: text, export_as: text })),
      }),
    ),
  ),
});

export type DbtSemantics = {
  readonly models: readonly DocumentItem<v.InferOutput<typeof SemanticModel>>[];
  readonly metrics: readonly DocumentItem<v.InferOutput<typeof Metric>>[];
  readonly queries: readonly DocumentItem<v.InferOutput<typeof SavedQuery>>[];
};
