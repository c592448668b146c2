import type { ExposureFacts } from '../../../../contract/impact.ts';
import type { StatementKind } from '../../../../contract/vocabulary.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { exposureFacts, exposureWithoutColumns, ownerNames, ownersIn, toolOfAddress } from '../../graph/exposure.ts';
import type { Connector } from '../../names/connector.ts';
import { splitName } from '../../names/relation-ref.ts';
import { dialectNamed, type SqlDialect } from '../../sql/dialect.ts';
import type { DocumentItem } from '../declared/declared.ts';
import type {
  ExternalRelation,
  Model,
  ModelProject,
  ModelStatement,
  TypedColumn,
  UsedColumn,
} from '../models/model-project.ts';
import { dbtStatement } from '../producing-statement.ts';
import type { DbtCatalog } from './catalog.ts';
import { calledCode, codeConsumers, hooksOf } from './code.ts';
import type { DbtColumns } from './info-schema.ts';
import { type DbtExposure, type DbtManifest, type DbtModel, type DbtSource, ownerOf } from './manifest.ts';
import { dbtRelation } from './relation.ts';
import { semanticConsumers } from './semantics.ts';
import { inlinedNames, settingsOf } from './settings.ts';
import { timeSpinesOf } from './time-spine.ts';

/** What a manifest declares of the relations of a connector: C-DBT-1. */
export function dbtProject(
  connector: Connector,
  manifest: DbtManifest,
  { catalog, lineage }: DbtColumns,
): ModelProject {
  const { metadata, sources, exposures, between, semantics, code } = manifest;
  const models = manifest.models.filter(({ value }) => !isOfOther(value));
  const ofOthers = manifest.models.filter(({ value }) => isOfOther(value));
  const place = { connector, metadata, dialect: dialectOf(connector, metadata) };
  const consumers = [...semanticConsumers(place, semantics, timeSpinesOf(models)), ...codeConsumers(place, code)];
  const consumed = new Set(consumers.map(({ id }) => id));
  /** Exposures of metrics read the models themselves, and so do models that call functions. */
  const through = (id: string) => (consumed.has(id) ? `through:${id}` : id);
  const made = models.map((item) => ({
    ...modelOf(connector, manifest, catalog, item, through),
    reported: lineage.get(item.key) ?? [],
  }));
  return {
    root: '/manifest',
    namespace: metadata.project_name ?? metadata.project_id ?? 'dbt',
    name: metadata.project_name ?? null,
    connector,
    statementOf: dbtStatement,
    models: [
      ...made,
      ...exposures.map(
        ({ key, place, value }): Model => ({
          ...memberBetween(key, (value.depends_on.nodes ?? []).map(through)),
          node: { kind: 'exposure', connectorId: connector.id, name: key },
          statement: exposureStatement(value),
          exposure: factsOf(value),
          location: place,
        }),
      ),
      ...[...between].map(([id, dependsOn]) => memberBetween(through(id), dependsOn.map(through))),
      ...consumers,
    ],
    hooks: [
      ...made.flatMap((model) => hooksOf(model).map((hook) => ({ code: hook, of: model.node }))),
      ...code.map(({ value }) => ({ code: value.raw_code ?? '', of: null })),
    ],
    sources: [...sources, ...ofOthers].map(
      ({ key, value }): ExternalRelation => ({
        id: key,
        ...dbtRelation(connector, metadata, value),
        columns: catalog.get(key) ?? ('resource_type' in value ? promisedColumns(value) : null),
        documentedColumns: documentedColumns(value),
      }),
    ),
    modelCount: models.filter(({ value }) => value.resource_type === 'model').length,
    reasons: {
      readsOutside: 'compiled_sql_reads_outside_declared_dependencies',
      inlinedColumnUnknown: 'ephemeral_column_unknown',
      inlinedDependency: null,
    },
  };
}

function modelOf(
  connector: Connector,
  { metadata, groups, code }: DbtManifest,
  catalog: DbtCatalog,
  { key, place, value }: DocumentItem<DbtModel>,
  through: (id: string) => string,
): Model {
  const isInlined = value.config?.materialized === 'ephemeral';
  const { node, names } = dbtRelation(connector, metadata, value);
  const settings = settingsOf(value);
  const dependsOn = value.depends_on?.nodes ?? [];
  return {
    id: key,
    isModel: true,
    node: isInlined ? null : node,
    names: isInlined ? inlinedNames([value.alias, value.name]) : [...names, ...deferredNames(value)],
    dependsOn: dependsOn.map(through),
    statement: statementOf(connector, metadata, value),
    statementKind: statementKindOf(value),
    addedColumns: value.resource_type === 'snapshot' ? snapshotColumns(value) : [],
    columns: catalog.get(key) ?? promisedColumns(value),
    documentedColumns: documentedColumns(value),
    location: place,
    settings: { ...settings, values: { ...settings.values, ...calledCode(code, dependsOn) } },
    owners: ownersOfModel(value, groups),
  };
}

/** Who owns a model: in its metadata, else of its group. */
function ownersOfModel({ meta, group, config }: DbtModel, groups: DbtManifest['groups']): string[] {
  const own = ownersIn([config?.meta, meta]);
  return ownerNames(own.length > 0 ? own : [groups.get(config?.group ?? group ?? '') ?? []].flat());
}

/** A model of another project (dbt mesh), which that project makes. */
const isOfOther = ({ resource_type, original_file_path, path }: DbtModel): boolean =>
  resource_type === 'model' && original_file_path === '' && path === '';

/** The names of the relation that a statement reads in place of the model if it was compiled with `--defer`. */
function deferredNames({ defer_relation: deferred }: DbtModel): string[][] {
  if (!deferred) return [];
  const { database, schema, alias, relation_name: rendered } = deferred;
  const written = splitName(rendered ?? '')?.map(({ text }) => text) ?? [];
  const named = alias ? [database, schema, alias].filter((part) => typeof part === 'string') : [];
  return [written, named].filter((name) => name.length > 0);
}

const [emptyStart, emptyEnd] = ['(select * from ', ' where false limit 0)'];

/** What `--empty` writes in place of a relation; before an alias of the statement's own, dbt's is no SQL. */
function withoutEmptyFlag(text: string): string {
  const [first = '', ...rest] = text.split(emptyEnd);
  const parts = [first];
  for (const next of rest) {
    const before = parts.pop() ?? '';
    const start = before.lastIndexOf(emptyStart);
    if (start < 0) parts.push(before + emptyEnd, next);
    else parts.push(before.slice(0, start) + before.slice(start + emptyStart.length), next.replace(limitAlias, ''));
  }
  return parts.join('');
}

const limitAlias = /^ _dbt_limit_subq_\w+/;

const memberBetween = (id: string, dependsOn: readonly string[]): Model => ({
  id,
  isModel: false,
  node: null,
  names: [],
  dependsOn,
  statement: { kind: 'none', reason: null },
  statementKind: null,
  addedColumns: [],
  columns: null,
  location: '',
});

function statementOf(connector: Connector, metadata: DbtManifest['metadata'], model: DbtModel): ModelStatement {
  if (model.resource_type === 'seed') return { kind: 'none', reason: null };
  if ((model.language ?? 'sql') !== 'sql') return { kind: 'none', reason: 'non_sql_model' };
  const text = model.compiled_code ?? model.compiled_sql ?? '';
  if (text.trim() === '') return { kind: 'none', reason: 'compiled_code_unavailable' };
  return { kind: 'sql', text, plain: withoutEmptyFlag(text), dialects: [dialectOf(connector, metadata)] };
}

const dialectOf = (connector: Connector, metadata: DbtManifest['metadata']): SqlDialect =>
  dialectNamed(metadata.adapter_type ?? '') ?? dialectNamed(connector.kind) ?? 'ansi';

const kindOfMaterialization: ReadonlyMap<string, StatementKind> = new Map([
  ['view', 'create_view'],
  ['table', 'create_table_as'],
  ['materialized_view', 'create_materialized_view'],
  ['dynamic_table', 'create_materialized_view'],
  ['streaming_table', 'create_table_as'],
  ['snapshot', 'merge'],
]);

const kindOfStrategy: ReadonlyMap<string, StatementKind> = new Map([
  ['append', 'insert'],
  ['delete+insert', 'insert'],
  ['microbatch', 'insert'],
  ['merge', 'merge'],
  ['insert_overwrite', 'insert_overwrite'],
]);

function statementKindOf({ resource_type, config }: DbtModel): StatementKind | null {
  if (resource_type === 'seed') return null;
  if (resource_type === 'snapshot') return 'merge';
  const materialized = config?.materialized ?? null;
  if (materialized === null || materialized === 'ephemeral') return null;
  if (materialized !== 'incremental') return kindOfMaterialization.get(materialized) ?? 'other';
  const named = kindOfStrategy.get(config?.incremental_strategy ?? '');
  return named ?? (config?.unique_key?.length ? 'merge' : 'insert');
}

const snapshotColumnNames = ['dbt_scd_id', 'dbt_updated_at', 'dbt_valid_from', 'dbt_valid_to'] as const;

function snapshotColumns({ config }: DbtModel): string[] {
  const own = config?.snapshot_meta_column_names ?? {};
  const names =
    config?.hard_deletes === 'new_record' ? [...snapshotColumnNames, 'dbt_is_deleted'] : snapshotColumnNames;
  return names.map((name) => own[name] ?? name);
}

const documentedColumns = ({ columns }: DbtModel | DbtSource): TypedColumn[] =>
  Object.values(columns ?? {}).map(({ name, data_type }) => ({ name, type: data_type ?? null }));

/** Documented columns are the whole list only under an enforced contract. */
const promisedColumns = (model: DbtModel): readonly TypedColumn[] | null =>
  (model.config?.contract ?? model.contract)?.enforced && model.columns ? documentedColumns(model) : null;

/** Where `meta` is depends on the version of dbt. */
const metasOf = ({ meta, config }: DbtExposure) => [meta, config?.meta].filter(isJsonObject);

function factsOf(exposure: DbtExposure): ExposureFacts {
  const { label, name, owner, url, type } = exposure;
  const named = metasOf(exposure).find((meta) => typeof meta['tool'] === 'string')?.['tool'];
  const tool = typeof named === 'string' ? named : (toolOfAddress(url) ?? type);
  return exposureFacts({ title: label || name, tool, owners: [ownerOf(owner) ?? []].flat() });
}

/** The columns in the `meta` of an exposure: dbt has no field for them (C-DBT-8). */
function exposureStatement(exposure: DbtExposure): ModelStatement {
  const columns = metasOf(exposure).flatMap((meta) =>
    [meta['columns'], meta['referenced_columns']].flatMap(usedColumns),
  );
  return columns.length > 0
    ? { kind: 'columns', columns: columns.slice(0, mostColumns) }
    : { kind: 'none', reason: exposureWithoutColumns };
}

const mostColumns = 10_000;

/** A list of columns, or an object with such a list for each model. */
function usedColumns(value: unknown): UsedColumn[] {
  if (Array.isArray(value)) return value.flatMap((one) => usedColumn(one));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([model, columns]) =>
    Array.isArray(columns) ? columns.flatMap((one) => usedColumn(one, modelIn(model))) : [],
  );
}

/** `amount`, `orders.amount`, or an object as Elementary has it: `{ column_name: amount, node: ref('orders') }`. */
function usedColumn(value: unknown, of: string | null = null): UsedColumn[] {
  if (isJsonObject(value)) {
    const { node, column_name: column = value['name'] } = value;
    return usedColumn(column, typeof node === 'string' ? modelIn(node) : of);
  }
  if (typeof value !== 'string' || value === '') return [];
  const end = of === null ? value.lastIndexOf('.') : -1;
  return [end < 0 ? { of, column: value } : { of: modelIn(value.slice(0, end)), column: value.slice(end + 1) }];
}

/** The last name in `ref('package', 'orders')` or `source('shop', 'orders')`, which a manifest has as text. */
const modelIn = (text: string): string => /["']([^"']*)["'][)\s}]*$/.exec(text)?.[1] ?? text;
