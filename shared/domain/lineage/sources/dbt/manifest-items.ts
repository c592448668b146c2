import * as v from 'valibot';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { type ItemSchemas, rules, string, strings, text } from '../declared/declared.ts';

/** The dbt settings, besides the statement, that determine a relation's rows. */
const rowSettings = [
  'strategy',
  'check_cols',
  'updated_at',
  'invalidate_hard_deletes',
  'dbt_valid_to_current',
  'incremental_predicates',
  'merge_update_columns',
  'merge_exclude_columns',
  'partition_by',
  'event_time',
  'batch_size',
  'lookback',
  'begin',
  'full_refresh',
  'column_types',
  'delimiter',
  'sql_header',
  'pre-hook',
  'post-hook',
] as const;

const lenient = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema), null);
const optionalText = v.nullish(string);
const quoting = lenient(
  v.object({ database: lenient(v.boolean()), schema: lenient(v.boolean()), identifier: lenient(v.boolean()) }),
);
/** Documented columns, in their order. */
const columns = lenient(v.record(v.string(), v.object({ name: v.string(), data_type: lenient(v.string()) })));
const dependsOn = v.object({ nodes: v.nullish(strings) }, rules.object);

/** What names a relation; each field is one that a wrong value of would lose it. */
const named = {
  database: optionalText,
  schema: optionalText,
  alias: optionalText,
  identifier: optionalText,
  name: optionalText,
  relation_name: lenient(v.string()),
};

type Named = { readonly [key in 'alias' | 'identifier' | 'name']?: string | null | undefined };
const hasName = ({ alias, identifier, name }: Named): boolean => Boolean(alias || identifier || name);
const nameRule = 'must have an alias, an identifier or a name';

const seed = {
  ...named,
  columns,
  config: v.nullish(
    v.object(
      {
        materialized: optionalText,
        incremental_strategy: lenient(v.string()),
        unique_key: lenient(v.union([v.string(), v.array(v.string())])),
        contract: lenient(v.object({ enforced: lenient(v.boolean()) })),
        quoting,
        snapshot_meta_column_names: lenient(v.record(v.string(), v.string())),
        hard_deletes: lenient(v.string()),
        ...Object.fromEntries(rowSettings.map((name) => [name, v.optional(v.unknown())])),
      },
      rules.object,
    ),
  ),
  language: lenient(v.string()),
  /** Of the file; of a large seed only its path. */
  checksum: lenient(v.object({ name: lenient(v.string()), checksum: lenient(v.string()) })),
  raw_code: lenient(v.string()),
  /** The field's name before dbt 1.3. */
  raw_sql: lenient(v.string()),
  compiled_code: optionalText,
  /** The field's name before dbt 1.3. */
  compiled_sql: optionalText,
};

const Seed = v.pipe(
  v.object({ ...seed, resource_type: v.literal('seed'), depends_on: v.nullish(dependsOn) }),
  v.check((item) => hasName(item), nameRule),
);
const Model = v.pipe(
  v.object({ ...seed, resource_type: v.picklist(['model', 'snapshot']), depends_on: dependsOn }),
  v.check((item) => hasName(item), nameRule),
);
/** Tests, analyses, operations: no relations, and nothing reads them. */
const Other = v.object({ resource_type: text }, rules.object);

export const Node = v.lazy((value) => {
  const type = isJsonObject(value) ? value['resource_type'] : undefined;
  if (type === 'seed') return Seed;
  return type === 'model' || type === 'snapshot' ? Model : Other;
});
export const ExternalRelation = v.pipe(
  v.object({ ...named, columns, quoting }, rules.object),
  v.check((item) => hasName(item), nameRule),
);
export const Exposure = v.object({ depends_on: dependsOn }, rules.object);
/** What an exposure or a model may depend on without it being a relation: metrics, semantic models, saved queries, functions. */
export const Between = v.object({ depends_on: dependsOn });

export const Metadata = v.object({
  project_name: lenient(v.string()),
  project_id: lenient(v.string()),
  adapter_type: lenient(v.string()),
  quoting,
});

export type DbtModel = v.InferOutput<typeof Model> | v.InferOutput<typeof Seed>;
export type DbtSource = v.InferOutput<typeof ExternalRelation>;
export type DbtQuoting = v.InferOutput<typeof quoting>;

/** What an item of a member of a manifest is read by: the others are not read at all. */
export const dbtItems: ItemSchemas = {
  metadata: v.unknown(),
  nodes: Node,
  sources: ExternalRelation,
  exposures: Exposure,
  metrics: Between,
  semantic_models: Between,
  saved_queries: Between,
  functions: Between,
};
