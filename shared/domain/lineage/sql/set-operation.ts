import { foldedName, type NameRules } from './name-rules.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { merge } from './provenance.ts';
import { column, columnNamed, isOpenRow, isSameShape, knownColumn, openRest, shapeOfPlaces, wholeOf } from './row.ts';
import { recordOrder } from './select-list.ts';
import { childOf, namesOf, type Syntax, type SyntaxFields, textOf } from './syntax.ts';
import type { Column, Rest, Row } from './types.ts';

/** The columns of UNION, INTERSECT and EXCEPT: by place, or by name where the statement says so. */
export function setOperationRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const row = isPlainUnion(node) ? unionRow(analysis, node, within) : pairRow(analysis, node, within);
  recordOrder(analysis, node.fields, row, within);
  return row;
}

function isPlainUnion({ kind, fields }: Syntax): boolean {
  return kind === 'union' && !isByName(fields);
}

function isByName(fields: SyntaxFields): boolean {
  return fields['by_name'] === true || fields['corresponding'] === true;
}

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
  const left = sideRow(analysis, fields, 'left', within);
  const right = sideRow(analysis, fields, 'right', within);
  if (kind !== 'union') for (const row of [left, right]) analysis.recordIndirect(wholeOf(row), 'FILTER');
  else if (fields['all'] !== true) for (const row of [left, right]) analysis.recordIndirect(wholeOf(row), 'GROUP_BY');
  // What is taken away decides which rows stay, not what is in them.
  if (kind === 'except') return left;
  return isByName(fields) ? byNames(analysis, fields, left, right) : byPlaces(left, right);
}

function sideRow(analysis: Analysis, fields: SyntaxFields, side: 'left' | 'right', within: NameScope): Row {
  const query = childOf(fields, side);
  return query === null ? [] : analysis.query(query, within);
}

function byPlaces(left: Row, right: Row): Row {
  if (left.length === right.length && left.every((item, place) => corresponds(item, right[place])))
    return left.map((item, place) => both(item, right[place]));
  if (!isOpenRow(left) && !isOpenRow(right)) return left.map((item, place) => both(item, right[place]));
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
