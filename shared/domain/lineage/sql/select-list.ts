import type { SqlDialect } from './dialect.ts';
import { callColumns } from './function-source.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { computedBy, through, unknown } from './provenance.ts';
import { column, openRow } from './row.ts';
import { relabelled } from './row-change.ts';
import { fieldsRow, starRow } from './star.ts';
import { childOf, childrenOf, nameOf, namesOf, type Syntax, type SyntaxFields, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Provenance, Row } from './values.ts';

/** The columns that a list such as that of SELECT or RETURNING gives. */
export function listedRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Row {
  return selectList(analysis, childrenOf(fields, 'expressions'), scope).row;
}

type SelectList = { readonly row: Row; readonly aliases: ReadonlyMap<string, Provenance> };

/** An item sees the aliases of those before it, where the dialect allows. */
export function selectList(analysis: Analysis, items: readonly Syntax[], scope: NameScope): SelectList {
  const aliases = new Map<string, Provenance>();
  const row: Row[number][] = [];
  for (const item of items) {
    const columns = itemRow(analysis, item, { ...scope, aliases }, row.length);
    analysis.spend(columns.length);
    row.push(...columns);
    for (const { name, value } of item.kind === 'alias' ? columns.filter((one) => one.kind === 'column') : [])
      if (name !== null) aliases.set(foldedName(analysis.rules, name), value);
  }
  return { row, aliases };
}

function itemRow(analysis: Analysis, item: Syntax, scope: NameScope, place: number): Row {
  const { kind, fields } = item;
  const node = { [kind]: fields };
  if (kind === 'star') return starRow(analysis, fields, scope);
  if (kind === 'dot' && nameOf(fields['field'])?.text === '*') return fieldsRow(analysis, fields['this'], scope);
  if (kind === 'function' && textOf(fields, 'name')?.toLowerCase() === 'columns')
    return chosenRow(analysis, node, scope);
  if (kind === 'apply') return chosenRow(analysis, fields['this'], scope);
  const assigned = kind === 'eq' && assigning.has(analysis.dialect) ? assignedAlias(fields) : null;
  if (assigned !== null) return [column(assigned, analysis.expression(analysis, fields['right'], scope))];
  if (kind === 'query_transform') return transformedRow(analysis, fields, scope);
  const inner = childOf(fields, 'this');
  const names = namesOf(fields, kind === 'aliases' ? 'aliases' : 'column_aliases');
  if (inner?.kind === 'star' && names.length > 0) return relabelled(starRow(analysis, inner.fields, scope), names);
  if (inner !== null && names.length > 0) return labelledRow(analysis, inner, names, scope);
  const value = analysis.expression(analysis, node, scope);
  return [
    column(
      outputName(analysis.dialect, item, place),
      isBareColumn(item) ? value : computedBy(value, analysis.expressionOf(item)),
    ),
  ];
}

/** Whether an item passes a column on as it is. */
function isBareColumn({ kind, fields }: Syntax): boolean {
  const inner = kind === 'alias' || kind === 'paren' ? childOf(fields, 'this') : null;
  const isName = kind === 'column' || kind === 'identifier' || fields['no_parens'] === true;
  return inner === null ? isName : isBareColumn(inner);
}

const assigning: ReadonlySet<string> = new Set(['tsql', 'fabric']);

/** SQL Server's `alias = expression`. */
function assignedAlias(fields: SyntaxFields): SqlName | null {
  const left = childOf(fields, 'left');
  return left?.kind === 'column' && left.fields['table'] === null ? nameOf(left.fields['name']) : null;
}

/** `f(x) AS (a, b)`: one call that gives several columns. */
function labelledRow(analysis: Analysis, call: Syntax, names: readonly SqlName[], scope: NameScope): Row {
  const all = analysis.expression(analysis, { [call.kind]: call.fields }, scope);
  const parts = callColumns(analysis, call, names.length, scope);
  return names.map((name, place) => column(name, parts[place] ?? all));
}

/** Hive's `TRANSFORM (a, b) USING 'script' AS (x, y)`: each column may come from every operand. */
function transformedRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Row {
  const value = through(analysis.expression(analysis, fields['expressions'], scope), 'TRANSFORMATION');
  const schema = childOf(fields, 'schema');
  const labels = schema === null ? [] : childrenOf(schema.fields, 'expressions');
  const names = labels.length > 0 ? labels.flatMap((label) => nameOf(label.fields['name']) ?? []) : keyAndValue;
  return names.map((name) => column(name, value));
}

/** What TRANSFORM gives without labels. */
const keyAndValue: readonly SqlName[] = ['key', 'value'].map((text) => ({ text, quoted: false }));

/** Columns that a pattern or a function over `*` chooses: not even their number is known. */
function chosenRow(analysis: Analysis, node: unknown, scope: NameScope): Row {
  analysis.expression(analysis, node, scope);
  const reason = 'columns are chosen by a pattern';
  return openRow(reason, unknown(reason));
}

/** The name that an item of the select list gives its column; null where the dialect's own choice is not known. */
function outputName(dialect: SqlDialect, { kind, fields }: Syntax, place: number): SqlName | null {
  if (kind === 'alias') return nameOf(fields['alias']);
  if (kind === 'column' || kind === 'identifier') return nameOf(fields['name']);
  if (kind === 'function' && fields['no_parens'] === true) return nameOf(fields['name']);
  if (kind === 'dot') return nameOf(fields['field']);
  if (kind === 'cast' || kind === 'try_cast' || kind === 'safe_cast') return castName(dialect, fields);
  if (kind === 'paren' || kind === 'window_function') {
    const inner = childOf(fields, 'this');
    return inner === null ? null : outputName(dialect, inner, place);
  }
  return defaultName(dialect, kind, fields, place);
}

function castName(dialect: SqlDialect, fields: SyntaxFields): SqlName | null {
  const inner = childOf(fields, 'this');
  const keeps = inner !== null && keepsNameOfCast.has(dialect) && ['column', 'dot', 'cast'].includes(inner.kind);
  return keeps ? outputName(dialect, inner, 0) : null;
}

const keepsNameOfCast: ReadonlySet<string> = new Set([
  'ansi',
  'postgres',
  'redshift',
  'spark',
  'databricks',
  'clickhouse',
]);

/** PostgreSQL names a column after its function, BigQuery and Trino after its place. */
function defaultName(dialect: SqlDialect, kind: string, fields: SyntaxFields, place: number): SqlName | null {
  if (dialect === 'trino' || dialect === 'athena' || dialect === 'presto')
    return { text: `_col${place}`, quoted: false };
  if (dialect !== 'postgres' && dialect !== 'redshift') return null;
  const name = textOf(fields, 'name') ?? (namedAfterKind.has(kind) ? kind : null);
  return name === null ? null : { text: name.toLowerCase(), quoted: false };
}

const namedAfterKind: ReadonlySet<string> = new Set([
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'case',
  'coalesce',
  'array_agg',
  'string_agg',
]);
