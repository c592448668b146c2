import type { StatementKind } from '../../../../contract/vocabulary.ts';
import type { Connector } from '../../names/connector.ts';
import { declaredRelation, splitName } from '../../names/relation-ref.ts';
import { dialectNamed, type SqlDialect } from '../../sql/dialect.ts';
import type { DocumentItem } from '../declared/declared.ts';
import type { ExternalRelation, Model, ModelProject, ModelStatement, ReadableNames } from '../models/model-project.ts';
import { sqlmeshStatement } from '../producing-statement.ts';
import type { SqlmeshExport, SqlmeshModel } from './export.ts';

/** What a SQLMesh export declares of the relations of a connector: C-SQLMESH-1. */
export function sqlmeshProject(connector: Connector, document: SqlmeshExport): ModelProject {
  const created = document.models.filter(({ value }) => value.kind?.name !== 'EXTERNAL');
  const externals = new Map(document.externals.map(({ value }) => [value.fqn, columnsOf(value.columns)]));
  const models = created.map((item) => modelOf(connector, document, item));
  const described = new Set(models.map(({ id }) => id));
  const read = [...externals.keys(), ...models.flatMap(({ dependsOn }) => dependsOn)];
  return {
    root: '/project',
    namespace: document.name ?? 'sqlmesh',
    name: document.name ?? null,
    connector,
    statementOf: sqlmeshStatement,
    models,
    // A dependency that the export does not describe is named by its fqn all the same.
    sources: [...new Set(read)]
      .filter((fqn) => !described.has(fqn))
      .map((fqn) => sourceOf(connector, fqn, externals.get(fqn) ?? null)),
    modelCount: created.length,
    reasons: {
      readsOutside: 'rendered_sql_reads_outside_declared_dependencies',
      inlinedColumnUnknown: 'embedded_column_unknown',
      inlinedDependency: 'embedded_dependency_has_no_relation',
    },
  };
}

const columnsOf = (columns: Readonly<Record<string, string | null>> | null | undefined): ExternalRelation['columns'] =>
  columns ? Object.entries(columns).map(([name, type]) => ({ name, type })) : null;

/** The columns that a model declares or that SQLMesh infers, with those that its kind adds; an empty map tells none. */
function columnsOfModel({ columns, columns_to_types }: SqlmeshModel, added: readonly string[]): Model['columns'] {
  const listed = columnsOf(columns ?? columns_to_types) ?? [];
  if (listed.length === 0) return null;
  const missing = added.filter((name) => !listed.some((one) => one.name.toLowerCase() === name.toLowerCase()));
  return [...listed, ...missing.map((name) => ({ name, type: null }))];
}

/** The validity columns of an SCD_TYPE_2 model: as its kind names them, else as its column list does. */
function validityColumns({ kind, columns, columns_to_types }: SqlmeshModel): string[] {
  if (!kind?.name.startsWith('SCD_TYPE_2')) return [];
  const listed = Object.keys(columns ?? columns_to_types ?? {});
  const addedAs = (name: string, own: string | null | undefined) =>
    splitName(own ?? '')?.[0]?.text ??
    listed.find((one) => one.toLowerCase() === name) ??
    listed.find((one) => one.toLowerCase().includes(name)) ??
    name;
  return [addedAs('valid_from', kind.valid_from_name), addedAs('valid_to', kind.valid_to_name)];
}

const sourceOf = (connector: Connector, fqn: string, columns: ExternalRelation['columns']): ExternalRelation => ({
  id: fqn,
  node: declaredRelation(connector, splitName(fqn) ?? []),
  names: namesOf(fqn),
  columns,
});

function modelOf(connector: Connector, document: SqlmeshExport, { place, value }: DocumentItem<SqlmeshModel>): Model {
  const { fqn, kind, depends_on, physical_table } = value;
  const addedColumns = validityColumns(value);
  return {
    id: fqn,
    isModel: true,
    node: kind?.name === 'EMBEDDED' ? null : declaredRelation(connector, splitName(fqn) ?? []),
    names: [...namesOf(fqn), ...physicalNames(physical_table)],
    dependsOn: depends_on,
    statement: statementOf(connector, document, value),
    statementKind: kindOfModel.get(kind?.name ?? '') ?? null,
    addedColumns,
    ownColumns: value.own_columns ?? [],
    columns: columnsOfModel(value, addedColumns),
    location: place,
    settings: {
      values: { kind: JSON.stringify(rebuilt.has(kind?.name ?? '') ? 'rebuilt' : (kind?.name ?? null)) },
      content: value.data_hash ?? null,
      template: null,
    },
  };
}

/** A table and a view of one query have the same rows. */
const rebuilt: ReadonlySet<string> = new Set(['VIEW', 'FULL']);

const namesOf = (name: string): ReadableNames => [(splitName(name) ?? []).map(({ text }) => text)];

/** Rendered SQL names physical tables once a plan was made; those of a development-only snapshot end in `__dev`. */
function physicalNames(table: string | null | undefined): ReadableNames {
  const parts = table ? splitName(table)?.map(({ text }) => text) : null;
  return parts ? [parts, [...parts.slice(0, -1), `${parts.at(-1)}__dev`]] : [];
}

function statementOf(connector: Connector, { dialect }: SqlmeshExport, model: SqlmeshModel): ModelStatement {
  if (model.kind?.name === 'SEED' || model.language === 'seed') return { kind: 'none', reason: null };
  if ((model.language ?? 'sql') !== 'sql') return { kind: 'none', reason: 'non_sql_model' };
  const text = model.rendered_sql ?? '';
  if (text.trim() === '') return { kind: 'none', reason: 'rendered_sql_unavailable' };
  const named =
    [model.dialect, dialect, connector.kind].flatMap((one) => dialectNamed(plainDialect(one)) ?? [])[0] ?? 'ansi';
  return { kind: 'sql', text, dialects: [...new Set([named, ...otherDialects(text)])] };
}

/** SQLMesh writes settings behind a dialect's name: `snowflake, normalization_strategy = case_sensitive`. */
export const plainDialect = (dialect: string | null | undefined): string => dialect?.split(',')[0]?.trim() ?? '';

/** A model may be in another dialect than its project, which the export does not tell: backticks do. */
const otherDialects = (text: string): SqlDialect[] => (text.includes('`') ? ['spark', 'bigquery'] : []);

const kindOfModel: ReadonlyMap<string, StatementKind> = new Map([
  ['VIEW', 'create_view'],
  ['FULL', 'create_table_as'],
  ['INCREMENTAL_BY_TIME_RANGE', 'insert_overwrite'],
  ['INCREMENTAL_BY_PARTITION', 'insert_overwrite'],
  ['INCREMENTAL_UNMANAGED', 'insert'],
  ['INCREMENTAL_BY_UNIQUE_KEY', 'merge'],
  ['SCD_TYPE_2', 'merge'],
  ['SCD_TYPE_2_BY_TIME', 'merge'],
  ['SCD_TYPE_2_BY_COLUMN', 'merge'],
  ['MANAGED', 'create_materialized_view'],
  ['CUSTOM', 'other'],
]);
