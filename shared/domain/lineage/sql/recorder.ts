import type { Budget } from '../../base/budget.ts';
import { statementBudget } from './budget.ts';
import type { Effect } from './effect.ts';
import { expressionValue } from './expression.ts';
import { scopeWithSource } from './from.ts';
import { joinedScope } from './join.ts';
import { nameRulesOf } from './name-rules.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { pivotedRow } from './pivot.ts';
import { merge, reasonsThrough } from './provenance.ts';
import { column, openRow, pathOf } from './row.ts';
import { recordClauses, recordOrder, selectList } from './select-list.ts';
import { setOperationRow } from './set-operation.ts';
import { effectOf } from './statement.ts';
import { childOf, childrenOf, fieldsOf, listOf, recordsOf, type Syntax, type SyntaxFields } from './syntax.ts';
import { namedSource, withClause } from './table-source.ts';
import { withSetOperation } from './tokens.ts';
import type { IndirectSource, Reason, RelationName, Row, SqlOptions } from './types.ts';

export type ReadRecords = {
  readonly analysis: Analysis;
  readonly reads: readonly RelationName[];
  readonly indirect: ReadonlyMap<string, IndirectSource>;
  readonly indirectReasons: ReadonlyMap<string, Reason>;
  readonly visited: ReadonlySet<SyntaxFields>;
  readonly effects: readonly Effect[];
};

export function recorderFor(
  options: SqlOptions,
  budget: Budget,
  text: Pick<Analysis, 'expressionOf' | 'embedded'>,
): ReadRecords {
  const reads: RelationName[] = [];
  const indirect = new Map<string, IndirectSource>();
  const indirectReasons = new Map<string, Reason>();
  const visited = new Set<SyntaxFields>();
  const effects: Effect[] = [];
  const spend = statementBudget(options.budget ? [budget, options.budget] : [budget]);
  const recordIndirect: Analysis['recordIndirect'] = (value, subtype) => {
    spend(value.columns.size);
    for (const [key, { read }] of value.columns) indirect.set(`${subtype} ${key}`, { ...read, subtype });
    for (const [key, reason] of reasonsThrough(value, subtype)) indirectReasons.set(`${subtype} ${key}`, reason);
  };
  const analysis: Analysis = {
    dialect: options.dialect,
    rules: nameRulesOf(options.dialect),
    columnsOf: options.columnsOf,
    query: (node, scope) => queryRow(analysis, node, scope),
    expression: (node, scope) => expressionValue(analysis, node, scope),
    source: (node, scope) => scopeWithSource(analysis, node, scope),
    effect: (statement, scope) => effectOf(analysis, statement, scope),
    ...text,
    visit: (node) => visited.add(node),
    isVisited: (node) => visited.has(node),
    recordRead: (relation) => reads.push(relation),
    recordIndirect,
    recordEffect: (effect) => effects.push(effect),
    spend,
  };
  return { analysis, reads, indirect, indirectReasons, visited, effects };
}

/** The columns that a query gives. `scope` is what surrounds it: its CTEs, and outer columns it may refer to. */
function queryRow(analysis: Analysis, node: Syntax, scope: NameScope): Row {
  analysis.spend(1);
  const { kind, fields } = node;
  const within = withClause(analysis, fields['with'], scope);
  switch (kind) {
    case 'select':
      return selectOrSetRow(analysis, node, within);
    case 'union':
    case 'intersect':
    case 'except':
      return setOperationRow(analysis, node, within);
    case 'subquery':
    case 'paren':
    case 'cte':
    case 'with':
      return innerRow(analysis, fields, within);
    case 'values':
      return valuesRow(analysis, fields, within);
    case 'pivot':
    case 'unpivot':
      return pivotStatementRow(analysis, node, within);
    default:
      return notSupported(kind);
  }
}

function selectOrSetRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const normalized = withSetOperation(node);
  if (normalized === null) return selectRow(analysis, node, within);
  analysis.visit(node.fields);
  return setOperationRow(analysis, { ...normalized, fields: { ...normalized.fields, with: null } }, within);
}

function innerRow(analysis: Analysis, fields: SyntaxFields, within: NameScope): Row {
  const inner = childOf(fields, 'this');
  if (inner === null) return notSupported('an empty query');
  const row = queryRow(analysis, inner, within);
  recordOrder(analysis, fields, row, within);
  return row;
}

function valuesRow(analysis: Analysis, fields: SyntaxFields, within: NameScope): Row {
  const rows = recordsOf(fields, 'expressions').map((row) => listOf(row['expressions']));
  const [first] = rows;
  return (first ?? []).map((_, place) => {
    const cells = rows.map((row) => analysis.expression(row[place], within));
    return column({ text: valuesName(analysis, place), quoted: false }, merge(cells));
  });
}

/** How a dialect names the columns of VALUES. */
function valuesName({ dialect }: Analysis, place: number): string {
  if (dialect === 'duckdb') return `col${place}`;
  if (dialect === 'mysql') return `column_${place}`;
  return `${['spark', 'databricks', 'hive'].includes(dialect) ? 'col' : 'column'}${place + 1}`;
}

/** DuckDB's `PIVOT t ON …` as a statement; the parser gives the relation as a column. */
function pivotStatementRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const inner = childOf(node.fields, 'this');
  if (inner === null) return notSupported(node.kind);
  const path = pathOf(inner);
  const scope = { ...within, sources: [], merged: new Map() };
  const source = path ? namedSource(analysis, { path }, scope) : analysis.source(inner, scope).sources[0];
  return source === undefined ? notSupported(node.kind) : pivotedRow(analysis, node, source, within);
}

const notSupported = (kind: string): Row => openRow(`a query of the kind ${kind} is not supported`);

function selectRow(analysis: Analysis, { fields }: Syntax, outer: NameScope): Row {
  analysis.visit(fields);
  // FOR UPDATE OF names relations that FROM reads.
  for (const lock of recordsOf(fields, 'locks'))
    for (const relation of childrenOf(lock, 'expressions')) analysis.visit(relation.fields);
  const from = fromScope(analysis, fields, outer);
  const { row, aliases } = selectList(analysis, childrenOf(fields, 'expressions'), from);
  recordClauses(analysis, fields, row, { ...from, aliases });
  return row;
}

function fromScope(analysis: Analysis, fields: SyntaxFields, outer: NameScope): NameScope {
  const start: NameScope = {
    ...scopeWithin(outer, outer.ctes),
    // The depth of a row in a hierarchical query is named like a column.
    parameters: fieldsOf(fields['connect']) === null ? new Set() : new Set(['level', 'LEVEL']),
    aliasUse: analysis.rules.listAliases,
    windows: recordsOf(fields, 'windows'),
  };
  const items = childrenOf(fieldsOf(fields['from']) ?? {}, 'expressions');
  const listed = items.reduce((scope, item) => analysis.source(item, scope), start);
  const joined = joinedScope(analysis, recordsOf(fields, 'joins'), listed);
  const views = recordsOf(fields, 'lateral_views').map(lateralOf);
  return views.reduce((scope, view) => analysis.source(view, scope), joined);
}

/** Hive's LATERAL VIEW in the form of LATERAL. */
function lateralOf(view: SyntaxFields): Syntax {
  return { kind: 'lateral', fields: { ...view, alias: view['table_alias'] } };
}
