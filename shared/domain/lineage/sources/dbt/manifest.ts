import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import {
  type DocumentItem,
  type ItemSchemas,
  type ParsedDocument,
  readItems,
  rules,
  string,
  strings,
  text,
  unstorableErrors,
} from '../declared/declared.ts';
import { Code, type DbtCode } from './code.ts';
import { type DbtSemantics, lenient, Metric, SavedQuery, SemanticModel } from './semantic-layer.ts';
import { TimeSpineProperties } from './time-spine.ts';

/** The parts of a manifest that lineage consists of; dbt 1.3 to 1.12. */
export type DbtManifest = {
  readonly metadata: v.InferOutput<typeof Metadata>;
  readonly models: readonly DocumentItem<DbtModel>[];
  readonly sources: readonly DocumentItem<DbtSource>[];
  readonly exposures: readonly DocumentItem<DbtExposure>[];
  readonly between: ReadonlyMap<string, readonly string[]>;
  readonly code: readonly DocumentItem<DbtCode>[];
  readonly semantics: DbtSemantics;
  /** The owner of each group, by the group's name. */
  readonly groups: ReadonlyMap<string, string>;
};

const root = '/manifest';
const maps = ['nodes', 'sources', 'exposures'] as const;
const betweenMaps = ['metrics', 'semantic_models', 'saved_queries', 'functions'] as const;

/** What breaks the shape of the document itself; the request is then refused whole. */
export const dbtFieldErrors = (manifest: Readonly<Record<string, unknown>>): FieldError[] => [
  ...maps
    .filter((key) => manifest[key] !== undefined && manifest[key] !== null && !isJsonObject(manifest[key]))
    .map((key) => ({ path: root + jsonPointer(key), message: rules.object })),
  ...unstorableErrors({ metadata: metadataOf(manifest) }, root),
];

/** Ignores what differs between dbt versions, and checks what retraction needs. Run `dbtFieldErrors` before. */
export function readDbtManifest(manifest: Readonly<Record<string, unknown>>): ParsedDocument<DbtManifest> {
  const items = itemsOf(manifest);
  const nodes = readItems(Node, 'invalid_node', items.nodes);
  const sources = readItems(ExternalRelation, 'invalid_source', items.sources);
  const exposures = readItems(Exposure, 'invalid_exposure', items.exposures);
  const invalidItems = [...nodes.invalid, ...sources.invalid, ...exposures.invalid];
  const models = nodes.items.filter(isModel);
  const missing = ['nodes', 'sources']
    .filter((map) => !isJsonObject(manifest[map]))
    .map((map) => ({ path: root + jsonPointer(map), message: rules.required }));
  return {
    document: {
      metadata: metadataOf(manifest),
      models,
      sources: sources.items,
      exposures: exposures.items,
      between: betweenOf(manifest),
      code: [...nodes.items.filter(isOperation), ...readItems(Code, '', items.functions).items],
      semantics: {
        // What only reads models refuses no snapshot.
        models: readItems(SemanticModel, '', items.semantic_models).items,
        metrics: readItems(Metric, '', items.metrics).items,
        queries: readItems(SavedQuery, '', items.saved_queries).items,
      },
      groups: groupsOf(manifest),
    },
    itemCount: items.nodes.length + items.sources.length + items.exposures.length,
    invalidItems,
    shapeErrors: [
      ...missing,
      ...invalidItems.flatMap(({ errors }) => errors),
      ...danglingDependencies(manifest, models),
    ],
  };
}

const missingDependency = 'must name a node or a source that the manifest has';

/** Dependencies on what the document lacks: what a part of a manifest leaves out would be retracted. */
function danglingDependencies(
  manifest: Readonly<Record<string, unknown>>,
  models: readonly DocumentItem<DbtModel>[],
): FieldError[] {
  const known = new Set([...maps, ...betweenMaps].flatMap((key) => Object.keys(recordAt(manifest, key))));
  return models.flatMap(({ place, value }) =>
    (value.depends_on?.nodes ?? []).flatMap((id, i) =>
      known.has(id) ? [] : [{ path: place + jsonPointer('depends_on', 'nodes', i), message: missingDependency }],
    ),
  );
}

function itemsOf(manifest: Readonly<Record<string, unknown>>) {
  let index = 0;
  const of = (map: string): DocumentItem<unknown>[] =>
    Object.entries(recordAt(manifest, map)).map(([key, value]) => ({
      key,
      value,
      index: index++,
      place: root + jsonPointer(map, key),
    }));
  const [nodes, sources, exposures] = [of('nodes'), of('sources'), of('exposures')];
  const [semantic_models, metrics, saved_queries] = [of('semantic_models'), of('metrics'), of('saved_queries')];
  return { nodes, sources, exposures, semantic_models, metrics, saved_queries, functions: of('functions') };
}

function recordAt(manifest: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const found = manifest[key];
  return isJsonObject(found) ? found : {};
}

const isModel = (item: DocumentItem<v.InferOutput<typeof Node>>): item is DocumentItem<DbtModel> =>
  ['model', 'snapshot', 'seed'].includes(item.value.resource_type);

const isOperation = (item: DocumentItem<v.InferOutput<typeof Node>>): item is DocumentItem<DbtCode> =>
  item.value.resource_type === 'operation';

function metadataOf(manifest: Readonly<Record<string, unknown>>): DbtManifest['metadata'] {
  const read = v.safeParse(Metadata, recordAt(manifest, 'metadata'));
  return read.success ? read.output : {};
}

function betweenOf(manifest: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const found = betweenMaps.flatMap((key) => Object.entries(recordAt(manifest, key)));
  return new Map(
    found.flatMap(([id, value]) => {
      const read = v.safeParse(Between, value);
      return read.success ? [[id, read.output.depends_on.nodes ?? []] as const] : [];
    }),
  );
}

function groupsOf(manifest: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.values(recordAt(manifest, 'groups')).flatMap((value) => {
      const read = v.safeParse(Group, value);
      const owner = read.success ? ownerOf(read.output.owner) : null;
      return read.success && owner !== null ? [[read.output.name, owner] as const] : [];
    }),
  );
}

/** How to reach an owner: an address says more than a name. */
export const ownerOf = (owner: v.InferOutput<typeof Owner>): string | null =>
  [owner?.email ?? []].flat()[0] ?? owner?.name ?? null;

/** The dbt settings, besides the statement, that determine a relation's rows. */
export const rowSettings = [
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
  'quote_columns',
  'sql_header',
  'pre-hook',
  'post-hook',
] as const;

const optionalText = v.nullish(string);
const anyText = lenient(v.string());
const quoting = lenient(
  v.object({ database: lenient(v.boolean()), schema: lenient(v.boolean()), identifier: lenient(v.boolean()) }),
);
const contract = lenient(v.object({ enforced: lenient(v.boolean()) }));
/** Documented columns, in their order. */
const columns = lenient(v.record(v.string(), v.object({ name: v.string(), data_type: lenient(v.string()) })));
/** Of free metadata only who owns it. */
const meta = lenient(v.object({ owner: v.optional(v.unknown()), owners: v.optional(v.unknown()) }));
const Owner = lenient(v.object({ name: anyText, email: lenient(v.union([v.string(), v.array(v.string())])) }));
const Group = v.object({ name: v.string(), owner: Owner });
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
        ...{ alias: anyText, schema: anyText, database: anyText },
        ...{ meta, group: anyText },
        ...{ incremental_strategy: anyText, on_schema_change: anyText },
        unique_key: lenient(v.union([v.string(), v.array(v.string())])),
        contract,
        quoting,
        snapshot_meta_column_names: lenient(v.record(v.string(), v.string())),
        hard_deletes: lenient(v.string()),
        ...Object.fromEntries(rowSettings.map((name) => [name, v.optional(v.unknown())])),
      },
      rules.object,
    ),
  ),
  contract,
  ...{ meta, group: anyText },
  time_spine: TimeSpineProperties,
  /** Where production has it: statements that were compiled with `--defer` read it there. */
  defer_relation: lenient(v.object({ database: anyText, schema: anyText, alias: anyText, relation_name: anyText })),
  /** Both empty: a model of another project (dbt mesh), which has no file here. */
  ...{ original_file_path: anyText, path: anyText },
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
/** Tests, analyses: no relations, and nothing reads them. */
const Other = v.object({ resource_type: text }, rules.object);

const Node = v.lazy((value) => {
  const type = isJsonObject(value) ? value['resource_type'] : undefined;
  if (type === 'seed') return Seed;
  if (type === 'operation') return Code;
  return type === 'model' || type === 'snapshot' ? Model : Other;
});
const ExternalRelation = v.pipe(
  v.object({ ...named, columns, quoting }, rules.object),
  v.check((item) => hasName(item), nameRule),
);
const Exposure = v.object(
  {
    depends_on: dependsOn,
    ...{ label: anyText, name: anyText, type: anyText, url: anyText },
    owner: Owner,
    meta: v.optional(v.unknown()),
    config: lenient(v.object({ meta: v.optional(v.unknown()) })),
  },
  rules.object,
);
export type DbtExposure = v.InferOutput<typeof Exposure>;
/** What an exposure or a model may depend on without it being a relation: metrics, semantic models, saved queries, functions. */
const Between = v.object({ depends_on: dependsOn });

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
  groups: Group,
  metrics: Metric,
  semantic_models: SemanticModel,
  saved_queries: SavedQuery,
  functions: Code,
};
