import type { SqlDialect } from './dialect.ts';
import { derivedSource, type FromSource } from './effect.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { merge, through, unknown } from './provenance.ts';
import { column, isOpenRow, openRest, openRow, relabelled, wholeOf, withoutColumns } from './row.ts';
import { starRow } from './star.ts';
import {
  childOf,
  childrenOf,
  columnSyntax,
  fieldsOf,
  listOf,
  nameOf,
  namesOf,
  nodesIn,
  type Syntax,
  type SyntaxFields,
  textOf,
  unquoted,
  withoutParens,
} from './syntax.ts';
import type { Column, Provenance, Row, SqlName } from './types.ts';

export function pivotedSource(analysis: Analysis, pivot: Syntax, source: FromSource, scope: NameScope): FromSource {
  const { fields } = pivot;
  const row = relabelled(pivotedRow(analysis, pivot, source, scope), namesOf(fields, 'alias_columns'));
  return derivedSource(nameOf(fields['alias']) ?? source.alias, row);
}

export function pivotedRow(analysis: Analysis, pivot: Syntax, source: FromSource, scope: NameScope): Row {
  const within = { ...scopeWithin(scope, scope.ctes), sources: [source] };
  if (pivot.kind === 'unpivot') return unpivotRow(analysis, pivot.fields, source.row, within);
  if (pivot.fields['unpivot'] === true)
    return unpivotRow(analysis, simplifiedUnpivot(pivot.fields), source.row, within);
  return pivotRow(analysis, pivot.fields, source.row, within);
}

/** One column a value and aggregate, in addition to the columns that neither uses. */
function pivotRow(analysis: Analysis, fields: SyntaxFields, row: Row, within: NameScope): Row {
  const simplified = listOf(fields['using']).length > 0 || listOf(fields['fields']).length === 0;
  const aggregates = childrenOf(fields, simplified ? 'using' : 'expressions').map((node) =>
    aggregateOf(analysis, node, within),
  );
  const isBare = aggregates.every(({ alias }) => alias === null);
  const keys = childrenOf(fields, simplified ? 'expressions' : 'fields').map((key) =>
    keyOf(analysis.dialect, key, isBare),
  );
  for (const key of keys) analysis.recordIndirect(analysis.expression(key.by, within), 'GROUP_BY');
  const used = columnsUsed([aggregates.map((aggregate) => aggregate.node), keys.map((key) => key.by)]);
  const passed = groupedRow(analysis, fields, within) ?? withoutColumns(analysis.rules, row, used);
  // The columns that are passed on are what PIVOT groups by.
  analysis.recordIndirect(wholeOf(passed), 'GROUP_BY');
  const named = keys.every((key) => key.values !== null) ? pivotColumns(analysis, keys, aggregates) : null;
  return [...passed, ...(named ?? unnamedColumns(aggregates))];
}

type Aggregate = { readonly node: unknown; readonly alias: SqlName | null; readonly value: Provenance };
/** What is pivoted by, and the labels of its values; null if the data decides them. */
type Key = { readonly by: unknown; readonly values: readonly (string | null)[] | null };

function aggregateOf(analysis: Analysis, { kind, fields }: Syntax, within: NameScope): Aggregate {
  const node = { [kind]: fields };
  const value = analysis.expression(node, within);
  return { node, alias: kind === 'alias' ? nameOf(fields['alias']) : null, value };
}

function keyOf(dialect: SqlDialect, { kind, fields }: Syntax, isBare: boolean): Key {
  if (kind !== 'in') return { by: { [kind]: fields }, values: null };
  const listed = childrenOf(fields, 'expressions');
  const open =
    listed.length === 0 || listed.some((value) => ['any', 'select', 'subquery', 'pivot_any'].includes(value.kind));
  return { by: fields['this'], values: open ? null : listed.map((value) => labelOf(dialect, value, isBare)) };
}

/**
 * The name that a pivoted value gives to its column; null where it is not spelled out. Snowflake's keeps the quotes,
 * BigQuery's begins with `_` if it is a number or a date that no alias is before (`isBare`).
 */
function labelOf(dialect: SqlDialect, value: Syntax, isBare: boolean): string | null {
  const { kind, fields } = value;
  if (kind === 'alias' || kind === 'pivot_alias') {
    const alias = fieldsOf(fields['alias']);
    const literal = fieldsOf(alias?.['literal']);
    return literal === null ? (nameOf(alias)?.text ?? null) : textOf(literal, 'value');
  }
  if (dialect === 'bigquery' && kind === 'neg') {
    const inner = childOf(fields, 'this');
    return inner?.kind === 'literal' ? `minus_${labelOf(dialect, inner, false)}` : null;
  }
  if (kind === 'literal') {
    const text = textOf(fields, 'value');
    if (dialect === 'bigquery' && fields['literal_type'] !== 'string')
      return `${isBare ? '_' : ''}${text}`.replace('.', '_point_').replaceAll('-', '_');
    return dialect === 'snowflake' && fields['literal_type'] === 'string' ? `'${text}'` : text;
  }
  return nameOf({ [kind]: fields })?.text ?? null;
}

function pivotColumns(analysis: Analysis, keys: readonly Key[], aggregates: readonly Aggregate[]): Row {
  const { dialect } = analysis;
  analysis.spend(keys.reduce((count, key) => count * (key.values?.length ?? 1), aggregates.length));
  const labels = keys.reduce(
    (sofar: readonly (readonly (string | null)[])[], key) =>
      sofar.flatMap((label) => (key.values ?? []).map((value) => [...label, value])),
    [[]],
  );
  return labels.flatMap((label) =>
    aggregates.map(({ alias, value }): Column => {
      if (label.includes(null) || (alias === null && aggregates.length > 1)) return column(null, value);
      const parts = dialect === 'bigquery' ? [alias?.text, ...label] : [...label, suffixOf(alias, aggregates, dialect)];
      const text = parts.filter((part) => part !== undefined && part !== null).join('_');
      return column(text === '' ? null : unquoted(text), value);
    }),
  );
}

/** Spark leaves the alias of a single aggregate out. */
function suffixOf(alias: SqlName | null, aggregates: readonly Aggregate[], dialect: SqlDialect): string | undefined {
  const single = aggregates.length === 1 && (dialect === 'spark' || dialect === 'databricks');
  return single ? undefined : alias?.text;
}

/** Columns whose names come from the data: whatever is not passed through is one of them. */
function unnamedColumns(aggregates: readonly Aggregate[]): Row {
  const value = merge(aggregates.map((aggregate) => aggregate.value));
  return openRow('the names of pivoted columns come from the data', value);
}

/** DuckDB's `PIVOT … GROUP BY` keeps only the grouping columns. */
function groupedRow(analysis: Analysis, fields: SyntaxFields, within: NameScope): Row | null {
  const group = fieldsOf(fieldsOf(fields['group'])?.['group']) ?? fieldsOf(fields['group']);
  if (group === null) return null;
  return childrenOf(group, 'expressions').map((node) =>
    column(nameOf({ [node.kind]: node.fields }), analysis.expression({ [node.kind]: node.fields }, within)),
  );
}

/** One column for the names and one or more for the values of the columns that are turned into rows. */
function unpivotRow(analysis: Analysis, fields: SyntaxFields, row: Row, within: NameScope): Row {
  const turned = childrenOf(fields, 'columns').flatMap(
    (node) => starColumns(analysis, node, within) ?? [turnedColumns(node)],
  );
  const valueNames = [fields['value_column'], ...listOf(fields['extra_value_columns'])].map(nameOf);
  const operand = (item: unknown) => analysis.expression(item, within);
  const values = valueNames.map((name, place) =>
    column(name, through(merge(turned.map((items) => operand(items[place] ?? items[0]))), 'TRANSFORMATION')),
  );
  // Rows are left out where the value is NULL.
  if (fields['include_nulls'] !== true)
    for (const items of turned) analysis.recordIndirect(merge(items.map(operand)), 'FILTER');
  const names = column(nameOf(fields['name_column']), through(merge(turned.map(operand)), 'CONDITIONAL'));
  const dynamic = turned
    .flat()
    .some((item) => nodesIn(item).some((node) => node.kind === 'function' || node.kind === 'star'));
  const passed = withoutColumns(analysis.rules, row, columnsUsed(turned));
  if (!dynamic) return analysis.dialect === 'bigquery' ? [...passed, ...values, names] : [...passed, names, ...values];
  const reason = unknown('UNPIVOT of columns that are chosen by a pattern');
  // Which columns are left is not known either.
  return [
    openRest('UNPIVOT of columns that are chosen by a pattern'),
    names,
    ...values.map((item) => column(item.name, merge([item.value, reason]))),
  ];
}

/** The columns of DuckDB's `UNPIVOT t ON COLUMNS(* EXCLUDE a)`, if all are known; null for any other item. */
function starColumns(
  analysis: Analysis,
  { kind, fields }: Syntax,
  within: NameScope,
): readonly (readonly unknown[])[] | null {
  const [argument] = kind === 'function' ? childrenOf(fields, 'args') : [];
  const star = kind === 'star' ? { kind, fields } : argument;
  if (star?.kind !== 'star') return null;
  const row = starRow(analysis, star.fields, within);
  if (isOpenRow(row)) return null;
  return row.flatMap((item) => {
    const name = item.kind === 'column' ? item.name : null;
    return name === null ? [] : [[columnSyntax(name)]];
  });
}

function turnedColumns(node: Syntax): readonly unknown[] {
  const inner = node.kind === 'pivot_alias' || node.kind === 'alias' ? childOf(node.fields, 'this') : node;
  const bare = withoutParens(inner ?? node);
  return bare.kind === 'tuple' ? listOf(bare.fields['expressions']) : [{ [bare.kind]: bare.fields }];
}

/** DuckDB's `UNPIVOT t ON a, b INTO NAME n VALUE v` in the words of the standard form. */
function simplifiedUnpivot(fields: SyntaxFields): SyntaxFields {
  const into = childOf(fields, 'into')?.fields ?? {};
  const [value, ...extra] = listOf(into['expressions']);
  return {
    name_column: into['this'] ?? 'name',
    value_column: value ?? 'value',
    extra_value_columns: extra,
    columns: fields['expressions'],
  };
}

function columnsUsed(value: unknown): readonly SqlName[] {
  return nodesIn(value)
    .filter((node) => node.kind === 'column')
    .flatMap((node) => nameOf(node.fields['name']) ?? []);
}
