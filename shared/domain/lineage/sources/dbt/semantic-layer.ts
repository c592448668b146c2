import * as v from 'valibot';
import type { DocumentItem } from '../declared/declared.ts';

const lenient = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema), null);
const text = lenient(v.string());
const Names = lenient(v.array(v.object({ name: v.string() })));
const Terms = lenient(v.array(v.object({ name: v.string(), expr: lenient(v.union([v.string(), v.number()])) })));
const Named = lenient(v.object({ name: v.string() }));
const dependsOn = v.object({ nodes: v.fallback(v.nullish(v.array(v.string())), []) });

export const SemanticModel = v.object({
  depends_on: dependsOn,
  node_relation: lenient(v.object({ relation_name: text })),
  ...{ entities: Terms, dimensions: Terms, measures: Terms },
});
const Filter = lenient(v.object({ where_filters: lenient(v.array(v.object({ where_sql_template: v.string() }))) }));
export type Filter = v.InferOutput<typeof Filter>;
export const Metric = v.object({
  name: v.string(),
  depends_on: dependsOn,
  filter: Filter,
  type_params: lenient(
    v.object({
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
