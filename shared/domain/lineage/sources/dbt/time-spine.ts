// Models that list days or hours: MetricFlow joins them where a metric needs a row for each (C-DBT-9).
import * as v from 'valibot';
import type { DocumentItem } from '../declared/declared.ts';
import type { UsedColumn } from '../models/model-project.ts';
import { type DbtSemantics, lenient, text } from './semantic-layer.ts';

export const TimeSpineProperties = lenient(
  v.object({
    standard_granularity_column: v.string(),
    custom_granularities: lenient(v.array(v.object({ name: v.string(), column_name: text }))),
  }),
);

type Spine = {
  readonly name?: string | null | undefined;
  readonly relation_name?: string | null | undefined;
  readonly time_spine?: v.InferOutput<typeof TimeSpineProperties>;
};

/** A model of days or hours, under the name that its statements have for it. */
export type TimeSpine = { readonly id: string; readonly relation: string; readonly columns: readonly UsedColumn[] };

export const timeSpinesOf = (models: readonly DocumentItem<Spine>[]): TimeSpine[] =>
  models.flatMap(({ key: id, value: { name, relation_name, time_spine } }) => {
    // Before dbt 1.9 only the name said so.
    const own = time_spine?.standard_granularity_column ?? (name === 'metricflow_time_spine' ? 'date_day' : null);
    if (own === null || !relation_name) return [];
    const custom = (time_spine?.custom_granularities ?? []).map((one) => one.column_name ?? one.name);
    return [{ id, relation: relation_name, columns: [own, ...custom].map((column) => ({ of: id, column })) }];
  });

const ofTimeSpine: ReadonlySet<string> = new Set([
  'join_to_timespine',
  'fill_nulls_with',
  'offset_window',
  'offset_to_grain',
]);

/** Whether a metric, or an input of it, has a row for each day or hour, or compares one with another. */
export function joinsTimeSpine({ type, type_params }: DbtSemantics['metrics'][number]['value']): boolean {
  let joins = type === 'cumulative';
  JSON.stringify(type_params, (key, one) => {
    joins ||= ofTimeSpine.has(key) && one !== null && one !== false;
    return one;
  });
  return joins;
}
