import { once } from '../../base/caching.ts';
import { isTsql } from './dialect.ts';
import { isAggregate, isRowGenerator } from './functions.ts';
import { callColumns, listedRow } from './generator.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { itemName } from './output-name.ts';
import { computedBy, nothing, through } from './provenance.ts';
import { column, isOpenRow, openRest, relabelled, wholeOf } from './row.ts';
import { starRow, structRow } from './star.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  functionName,
  holds,
  listOf,
  nameOf,
  namesOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  textOf,
  wordSet,
} from './syntax.ts';
import type { IndirectSubtype, Provenance, Row, SqlName } from './types.ts';

type SelectList = { readonly row: Row; readonly aliases: ReadonlyMap<string, Provenance> };

/** An item sees the aliases of those before it, if the dialect allows. */
export function selectList(analysis: Analysis, items: readonly Syntax[], scope: NameScope): SelectList {
  const aliases = new Map<string, Provenance>();
  const row: Row[number][] = [];
  for (const item of items) {
    const columns = itemRow(analysis, item, { ...scope, aliases }, row.length);
    analysis.spend(columns.length);
    row.push(...columns);
    if (item.kind !== 'star') for (const one of columns) if (one.kind === 'column') analysis.recordNamed(one.value);
    for (const { name, value } of item.kind === 'alias' ? columns.filter((one) => one.kind === 'column') : [])
      if (name !== null) aliases.set(foldedName(analysis.rules, name), value);
  }
  return { row, aliases };
}

function itemRow(analysis: Analysis, item: Syntax, scope: NameScope, place: number): Row {
  const { kind, fields } = item;
  const node = { [kind]: fields };
  if (kind === 'star') return starRow(analysis, fields, scope);
  if (kind === 'dot' && nameOf(fields['field'])?.text === '*')
    return structRow(analysis.expression(fields['this'], scope));
  const [argument] = isColumnsCall(item) ? childrenOf(fields, 'args') : [];
  if (argument?.kind === 'star') return starRow(analysis, argument.fields, scope);
  // DuckDB repeats the expression that holds COLUMNS for each of them.
  const isChosen = analysis.dialect === 'duckdb' ? holds(node, isColumnsCall) : isColumnsCall(item);
  if (isChosen) return chosenRow(analysis, node, scope);
  if (kind === 'apply') return chosenRow(analysis, fields['this'], scope);
  const assigned = kind === 'eq' && isTsql(analysis.dialect) ? assignedAlias(fields) : null;
  if (assigned !== null) return [column(assigned, analysis.expression(fields['right'], scope))];
  if (kind === 'query_transform') return transformedRow(analysis, fields, scope);
  const inner = childOf(fields, 'this');
  const names = namesOf(fields, kind === 'aliases' ? 'aliases' : 'column_aliases');
  if (inner?.kind === 'star' && names.length > 0) return relabelled(starRow(analysis, inner.fields, scope), names);
  if (inner !== null && names.length > 0) return labelledRow(analysis, inner, names, scope);
  const listed = listedRow(analysis, kind === 'alias' && inner !== null ? inner : item, kind === 'alias', scope);
  if (listed !== null) return listed;
  const value = analysis.expression(node, scope);
  const computed = isBareColumn(item) ? value : computedBy(value, analysis.expressionOf(item));
  return [column(itemName(analysis, item, scope, place), computed)];
}

const isColumnsCall = ({ kind, fields }: Syntax): boolean =>
  kind === 'function' && textOf(fields, 'name')?.toLowerCase() === 'columns';

function isBareColumn({ kind, fields }: Syntax): boolean {
  const inner = kind === 'alias' || kind === 'paren' ? childOf(fields, 'this') : null;
  const isName = kind === 'column' || kind === 'identifier' || fields['no_parens'] === true;
  return inner === null ? isName : isBareColumn(inner);
}

/** SQL Server's `alias = expression`. */
function assignedAlias(fields: SyntaxFields): SqlName | null {
  const left = childOf(fields, 'left');
  return left?.kind === 'column' && left.fields['table'] === null ? nameOf(left.fields['name']) : null;
}

/** `f(x) AS (a, b)`: one call that gives several columns. */
function labelledRow(analysis: Analysis, call: Syntax, names: readonly SqlName[], scope: NameScope): Row {
  const all = analysis.expression({ [call.kind]: call.fields }, scope);
  const parts = callColumns(analysis, call, names.length, scope);
  return names.map((name, place) => column(name, parts[place] ?? all));
}

/** Hive's `TRANSFORM (a, b) USING 'script' AS (x, y)`: each column may come from every operand. */
function transformedRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Row {
  const value = through(analysis.expression(fields['expressions'], scope), 'TRANSFORMATION');
  const schema = childOf(fields, 'schema');
  const labels = schema === null ? [] : childrenOf(schema.fields, 'expressions');
  const names = labels.length > 0 ? labels.flatMap((label) => nameOf(label.fields['name']) ?? []) : keyAndValue;
  return names.map((name) => column(name, value));
}

/** What TRANSFORM gives without labels. */
const keyAndValue: readonly SqlName[] = ['key', 'value'].map((text) => ({ text, quoted: false }));

/** Columns that a pattern or a function over `*` chooses: not even their number is known. */
function chosenRow(analysis: Analysis, node: unknown, scope: NameScope): Row {
  const value = analysis.expression(node, scope);
  return [{ ...openRest('columns are chosen by a pattern'), of: [column(null, value)] }];
}

/** Records what the clauses of a SELECT read: it decides which rows there are, not the value of one column. */
export function recordClauses(analysis: Analysis, fields: SyntaxFields, row: Row, scope: NameScope): void {
  // BigQuery prefers an alias to a column in every clause that is read after the list.
  const isFirst = scope.aliasUse === 'first' || analysis.dialect === 'bigquery';
  const aliases = once(() => aliasesOf(analysis, row, scope));
  const after = (use: NameScope['aliasUse']): NameScope => ({ ...scope, aliases: aliases(), aliasUse: use });
  const afterList = () => after(isFirst ? 'first' : 'last');
  const inHaving = aliasesInHaving.has(analysis.dialect) ? 'outsideAggregates' : isFirst ? 'first' : 'last';
  for (const key of ['where_clause', 'prewhere', 'connect']) recordClause(analysis, fields[key], 'FILTER', () => scope);
  recordClause(analysis, fields['having'], 'FILTER', () => after(inHaving));
  recordClause(analysis, fields['qualify'], 'FILTER', afterList);
  recordClause(analysis, fields['limit_by'], 'GROUP_BY', afterList);
  for (const item of listOf(fields['distinct_on']))
    analysis.recordIndirect(placedValue(analysis, item, row, afterList()), 'GROUP_BY');
  recordGroups(analysis, fields, row, afterList);
  recordGenerators(analysis, fields, scope);
  const isDistinct = fields['distinct'] === true && listOf(fields['distinct_on']).length === 0;
  if (isDistinct) analysis.recordIndirect(wholeOf(row), 'GROUP_BY');
  recordOrder(analysis, fields, row, scope);
}

/** Where HAVING prefers an alias to a column, except in the arguments of an aggregate. */
const aliasesInHaving = wordSet('databricks duckdb mysql spark');

/** Most queries have few of the clauses, and for those that they do not have no scope is made. */
function recordClause(analysis: Analysis, clause: unknown, subtype: IndirectSubtype, scope: () => NameScope): void {
  if (typeof clause !== 'object' || clause === null) return;
  analysis.recordIndirect(analysis.expression(clause, scope()), subtype);
}

/** Records ORDER BY, which names the columns of the result before those of the sources, and LIMIT. */
export function recordOrder(analysis: Analysis, fields: SyntaxFields, row: Row, scope: NameScope): void {
  for (const key of ['limit', 'offset', 'fetch', 'top'])
    if (!isWordAll([fieldsOf(fields[key])?.['this']])) recordClause(analysis, fields[key], 'FILTER', () => scope);
  const clauses = ['order_by', 'sort_by', 'distribute_by', 'cluster_by'].map((key) =>
    listOf(fieldsOf(fields[key])?.['expressions']),
  );
  if (clauses.every((items) => items.length === 0)) return;
  const within: NameScope = { ...scope, aliases: aliasesOf(analysis, row, scope), aliasUse: 'first' };
  const isOpen = scope.sources.some((source) => isOpenRow(source.row));
  const scopeOf = scopeOfItem(within, columnsInOrder.has(analysis.dialect) && !isOpen);
  for (const items of clauses.map((clause) => clause.map((item) => fieldsOf(item)?.['this'] ?? item)))
    if (isWordAll(items)) analysis.recordIndirect(wholeOf(row), 'SORT');
    else for (const item of items) analysis.recordIndirect(placedValue(analysis, item, row, scopeOf(item)), 'SORT');
}

/** The scope of an item, which differs if an expression prefers columns to aliases (`prefersColumns`), and a name does not. */
function scopeOfItem(within: NameScope, prefersColumns: boolean): (item: unknown) => NameScope {
  const ofExpressions: NameScope = prefersColumns ? { ...within, aliasUse: 'last' } : within;
  return (item) => (nameOf(syntaxOf(item)?.fields['name']) === null ? ofExpressions : within);
}

/** Where an expression in ORDER BY means a column rather than an alias. An item that is only a name means the alias. */
const columnsInOrder = wordSet('duckdb fabric mysql postgres redshift sqlite tsql');

/** GROUP BY cannot mean the alias of an aggregate or a window function: the name is then that of a column. */
function recordGroups(analysis: Analysis, fields: SyntaxFields, row: Row, afterList: () => NameScope): void {
  const clause = fieldsOf(fields['group_by']);
  if (clause === null) return;
  const scope = afterList();
  const items = childrenOf(fields, 'expressions');
  const computed = items
    .filter((item) => item.kind === 'alias' && holds(item.fields, isAggregateCall))
    .map((item) => nameOf(item.fields['alias']));
  const aliases = new Map(scope.aliases);
  for (const name of computed) if (name !== null) aliases.delete(foldedName(analysis.rules, name));
  const within = { ...scope, aliases };
  const scopeOf = scopeOfItem(within, analysis.rules.groupsByAlias);
  const listed = listOf(clause['expressions']);
  const isAll = clause['all'] === true || isWordAll(listed);
  for (const item of isAll ? [] : listed)
    analysis.recordIndirect(placedValue(analysis, item, row, scopeOf(item)), 'GROUP_BY');
  const grouped = isAll ? items.flatMap(outsideAggregates) : [];
  for (const part of grouped) analysis.recordIndirect(analysis.expression(part, scope), 'GROUP_BY');
}

/** The parser gives ALL as a column in some places. */
function isWordAll([only, ...more]: readonly unknown[]): boolean {
  const name = nameOf(only);
  return more.length === 0 && name !== null && !name.quoted && name.text.toLowerCase() === 'all';
}

const isAggregateCall = ({ kind, fields }: Syntax): boolean =>
  kind === 'window_function' || isAggregate(kind) || isAggregate(functionName(kind, fields));

/** The columns of an expression that no aggregate encloses: GROUP BY ALL groups by their items. */
function outsideAggregates(node: Syntax): readonly unknown[] {
  const tree = { [node.kind]: node.fields };
  if (!holds(tree, isAggregateCall)) return [tree];
  if (isAggregateCall(node)) return [];
  return Object.values(node.fields).flatMap((part) => nodesBelow(part).flatMap(outsideAggregates));
}

function nodesBelow(value: unknown): readonly Syntax[] {
  const node = syntaxOf(value);
  if (node !== null) return [node];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(nodesBelow) : [];
}

/** A function of the select list that makes rows decides how many there are. */
function recordGenerators(analysis: Analysis, fields: SyntaxFields, scope: NameScope): void {
  for (const item of listOf(fields['expressions']))
    if (holds(item, isRowGenerator)) analysis.recordIndirect(analysis.expression(item, scope), 'JOIN');
}

/** A number represents the column at that place of the result. */
function placedValue(analysis: Analysis, item: unknown, row: Row, scope: NameScope): Provenance {
  const literal = fieldsOf(fieldsOf(item)?.['literal']);
  if (literal?.['literal_type'] !== 'number') return analysis.expression(item, scope);
  const column = row[Number(literal['value']) - 1];
  return column?.kind === 'column' ? column.value : nothing;
}

function aliasesOf({ rules }: Analysis, row: Row, scope: NameScope): ReadonlyMap<string, Provenance> {
  const named = row.flatMap((item) =>
    item.kind === 'column' && item.name !== null ? [[foldedName(rules, item.name), item.value] as const] : [],
  );
  return new Map([...named, ...scope.aliases]);
}
