import type { Budget } from '../../base/budget.ts';
import { statementBudget } from './budget.ts';
import type { Effect } from './effect.ts';
import { expressionValue } from './expression.ts';
import { scopeWithSource } from './from.ts';
import { fromScope } from './join.ts';
import { foldedName, type NameRules, nameRulesOf } from './name-rules.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { pivotedRow } from './pivot.ts';
import { merge, nothing, reasonsThrough, through } from './provenance.ts';
import {
  column,
  columnNamed,
  isOpenRow,
  isSameShape,
  knownColumn,
  openRest,
  openRow,
  pathOf,
  shapeOfPlaces,
  wholeOf,
} from './row.ts';
import { recordClauses, recordOrder, selectList } from './select-list.ts';
import { withSetOperation } from './set-operations.ts';
import { effectOf } from './statement.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  listOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  textOf,
} from './syntax.ts';
import { namedSource, withClause } from './table-source.ts';
import type { Column, IndirectSource, Provenance, Reason, RelationName, Rest, Row, SqlOptions } from './types.ts';
import { valuesRow } from './values.ts';

export type ReadRecords = {
  readonly analysis: Analysis;
  readonly reads: readonly RelationName[];
  readonly indirect: ReadonlyMap<string, IndirectSource>;
  readonly indirectReasons: ReadonlyMap<string, Reason>;
  readonly named: readonly Provenance[];
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
  const named: Provenance[] = [];
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
    recordNamed: (value) => named.push(value),
    recordEffect: (effect) => effects.push(effect),
    spend,
  };
  return { analysis, reads, indirect, indirectReasons, named, visited, effects };
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
  const from = sourcesScope(analysis, fields, outer);
  const { row, aliases } = selectList(analysis, childrenOf(fields, 'expressions'), from);
  recordClauses(analysis, fields, row, { ...from, aliases });
  return resultRow(fields, row);
}

function resultRow(fields: SyntaxFields, row: Row): Row {
  const [only] = row;
  // BigQuery's SELECT AS VALUE gives the fields of a struct.
  if (fields['kind'] === 'VALUE' && row.length === 1 && only?.kind === 'column') return only.value.fields ?? row;
  // SQL Server makes one text of the whole result.
  const isText = ['for_json', 'for_xml'].some((key) => listOf(fields[key]).length > 0);
  return isText ? [column(null, through(wholeOf(row), 'TRANSFORMATION'))] : row;
}

function sourcesScope(analysis: Analysis, fields: SyntaxFields, outer: NameScope): NameScope {
  const start: NameScope = {
    ...scopeWithin(outer, outer.ctes),
    // The depth of a row in a hierarchical query is named like a column.
    parameters: new Map(fieldsOf(fields['connect']) === null ? [] : ['level', 'LEVEL'].map((name) => [name, nothing])),
    aliasUse: analysis.rules.listAliases,
    windows: recordsOf(fields, 'windows'),
    ownValues: outer.values,
  };
  const joined = fromScope(analysis, fields, start);
  // Hive's LATERAL VIEW in the form of LATERAL.
  const views = recordsOf(fields, 'lateral_views').map((view) => ({ ...view, alias: view['table_alias'] }));
  return views.reduce((scope, view) => analysis.source({ kind: 'lateral', fields: view }, scope), joined);
}

/** The columns of UNION, INTERSECT and EXCEPT: by place, or by name where the statement says so. */
function setOperationRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const row = isPlainUnion(node) ? unionRow(analysis, node, within) : pairRow(analysis, node, within);
  recordOrder(analysis, node.fields, row, within);
  return row;
}

const isPlainUnion = ({ kind, fields }: Syntax): boolean => kind === 'union' && !isByName(fields);

const isByName = (fields: SyntaxFields): boolean => fields['by_name'] === true || fields['corresponding'] === true;

type Branch = {
  readonly query: Syntax | null;
  /** Duplicates among this branch and those before it are left out. */
  readonly distinct: boolean;
};

/** The branches of a chain of unions are merged at once, so that a chain costs what it is long. */
function unionRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const branches = branchesOf(node);
  const rows = branches.map(({ query }) => (query === null ? [] : analysis.query(query, within)));
  const distinct = branches.findLastIndex((branch) => branch.distinct);
  for (const row of rows.slice(0, distinct + 1)) analysis.recordIndirect(wholeOf(row), 'GROUP_BY');
  const [first = [], ...more] = rows;
  if (rows.some(isOpenRow)) return withPlaces(more.reduce(byPlaces, first), rows);
  return first.map((item, place) => {
    if (item.kind === 'rest') return item;
    const values = rows.map((row) => row[place]).filter((one) => one?.kind === 'column');
    return column(item.name, merge(values.map(({ value }) => value)));
  });
}

/** A union whose places are not known keeps its branches: the columns of their relations would tell. */
function withPlaces(row: Row, branches: readonly Row[]): Row {
  if (row.at(-1) !== unplaced) return row;
  const known = row.length - 1;
  return [...row.slice(0, known), { ...unplaced, shape: shapeOfPlaces(branches.map((branch) => branch.slice(known))) }];
}

function branchesOf(node: Syntax): readonly Branch[] {
  const branches: Branch[] = [];
  let at: Syntax | null = node;
  while (at !== null && at.kind === 'union' && (at === node || isInnerUnion(at))) {
    branches.push({ query: childOf(at.fields, 'right'), distinct: at.fields['all'] !== true });
    at = childOf(at.fields, 'left');
  }
  return [...branches, { query: at, distinct: false }].reverse();
}

/** Whether a union is nothing but the first branches of the one around it. */
function isInnerUnion({ kind, fields }: Syntax): boolean {
  const clauses = ['with', 'order_by', 'limit', 'offset', 'fetch'];
  return isPlainUnion({ kind, fields }) && clauses.every((key) => (fields[key] ?? null) === null);
}

function pairRow(analysis: Analysis, { kind, fields }: Syntax, within: NameScope): Row {
  const [left = [], right = []] = ['left', 'right'].map((side) => {
    const query = childOf(fields, side);
    return query === null ? [] : analysis.query(query, within);
  });
  if (kind !== 'union') for (const row of [left, right]) analysis.recordIndirect(wholeOf(row), 'FILTER');
  else if (fields['all'] !== true) for (const row of [left, right]) analysis.recordIndirect(wholeOf(row), 'GROUP_BY');
  // What is taken away decides which rows stay, not what is in them.
  if (kind === 'except') return left;
  return isByName(fields) ? byNames(analysis, fields, left, right) : byPlaces(left, right);
}

function byPlaces(left: Row, right: Row): Row {
  const isAlike = left.length === right.length && left.every((item, place) => corresponds(item, right[place]));
  if (isAlike || !(isOpenRow(left) || isOpenRow(right))) return left.map((item, place) => both(item, right[place]));
  const known = Math.min(firstRest(left), firstRest(right));
  return [...left.slice(0, known).map((item, place) => both(item, right[place])), unplaced];
}

function firstRest(row: Row): number {
  const place = row.findIndex((item) => item.kind === 'rest');
  return place < 0 ? row.length : place;
}

/** Whether two items represent the same columns in the same order. */
function corresponds(a: Column | Rest, b: Column | Rest | undefined): boolean {
  if (a.kind === 'column' || b === undefined || b.kind === 'column') return a.kind === b?.kind;
  return isSameShape(a.shape, b.shape);
}

function both(a: Column | Rest, b: Column | Rest | undefined): Column | Rest {
  if (b === undefined) return a;
  if (a.kind === 'column' && b.kind === 'column') return column(a.name, merge([a.value, b.value]));
  return a;
}

/** Columns behind places that are not known: those of the right side need not have the names of those of the left. */
const unplaced = openRest('a set operation by place of relations with unknown columns');

function byNames({ rules }: Analysis, fields: SyntaxFields, left: Row, right: Row): Row {
  const listed = new Set(namesOf(fields, 'on_columns').map((name) => foldedName(rules, name)));
  const all = unionByName(rules, fields, left, right);
  if (listed.size === 0) return all;
  return all.filter((item) => item.kind === 'rest' || (item.name !== null && listed.has(foldedName(rules, item.name))));
}

function unionByName(rules: NameRules, fields: SyntaxFields, left: Row, right: Row): Row {
  const side = textOf(fields, 'side')?.toUpperCase();
  const inner = textOf(fields, 'kind')?.toUpperCase() === 'INNER';
  const shared = left.flatMap((item): Row => {
    if (item.kind === 'rest' || item.name === null) return [item];
    const match = columnNamed(rules, right, item.name);
    if (match === null) return inner ? [] : [item];
    return [column(item.name, merge([item.value, match.value]))];
  });
  if (inner || side === 'LEFT') return shared;
  const isOfRight = (item: Row[number]) =>
    item.kind === 'rest' || item.name === null || knownColumn(rules, left, item.name) === null;
  return [...shared, ...right.filter(isOfRight)];
}
