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
  name: text,
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
      expr: term.expr,
      /** Of the specification of dbt 2: the aggregation in place of a measure, and metrics in place of measures. */
      metric_aggregation_params: lenient(v.looseObject({ semantic_model: text, expr: term.expr })),
      cumulative_type_params: lenient(v.looseObject({ metric: Named })),
      conversion_type_params: lenient(
        v.looseObject({
          ...{ base_measure: Named, conversion_measure: Named, base_metric: Named, conversion_metric: Named },
        }),
      ),
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

/** The semantic layer with the aggregations of metrics as measures of their semantic models: dbt 2 has no others. */
export function withMeasures({ models, metrics, queries }: DbtSemantics): DbtSemantics {
  const added = metrics.flatMap(({ key, value: { name, type_params, depends_on } }) => {
    const { metric_aggregation_params: own, measure, expr } = type_params ?? {};
    if (!own || measure) return [];
    const named = models.filter((model) => model.value.name === own.semantic_model);
    const owners = named.length > 0 ? named : models.filter((model) => depends_on.nodes?.includes(model.key));
    return [{ key, owners, measure: { agg_time_dimension: null, ...own, name, expr: own.expr ?? expr } }];
  });
  if (added.length === 0) return { models, metrics, queries };
  const aggregating = new Map(added.map(({ key, owners }) => [key, owners.map((model) => model.key)]));
  return {
    queries,
    models: models.map((model) => {
      const own = added.flatMap(({ owners, measure }) => (owners.includes(model) ? [measure] : []));
      return { ...model, value: { ...model.value, measures: [...(model.value.measures ?? []), ...own] } };
    }),
    metrics: metrics.map((metric) => {
      const owners = aggregating.get(metric.key);
      if (owners === undefined) return metric;
      const { name, type_params, depends_on } = metric.value;
      const nodes = [...new Set([...(depends_on.nodes ?? []), ...owners])];
      const measured = { ...type_params, measure: { name, filter: null } };
      return { ...metric, value: { ...metric.value, type_params: measured, depends_on: { nodes } } };
    }),
  };
}
