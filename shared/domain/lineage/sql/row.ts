import { composedStar, type Star } from '../graph/schema.ts';
import { foldedName, type NameRules } from './name-rules.ts';
import type { Analysis } from './name-scope.ts';
import { columnsFrom, merge, oneOf, unknown } from './provenance.ts';
import { childOf, nameOf, type Syntax } from './syntax.ts';
import type { Column, Provenance, RelationName, Rest, Row, Shape, ShapeChange, SqlName } from './types.ts';

/** A column found by its name: `has` for certain, `may` where only unknown columns can hold it, `field` where only fields can. */
export type Match = { readonly value: Provenance; readonly certainty: 'has' | 'may' | 'field' };

export const column = (name: SqlName | null, value: Provenance): Column => ({ kind: 'column', name, value });

const unknownColumns = 'star_over_unknown_columns';
const incompleteColumns = 'star_over_incomplete_columns';

export function relationRow({ columnsOf }: Pick<Analysis, 'columnsOf'>, relation: RelationName): Row {
  const columns = columnsOf(relation);
  const read = columnsFrom(relation);
  const known = (columns?.names ?? []).map((text) => column({ text, quoted: false }, read(text)));
  if (columns?.complete === true) return known;
  const reason = columns === null ? unknownColumns : incompleteColumns;
  return [{ ...openRest(reason), shape: shapeOf(relation), known, named: (name) => read(name.text) }];
}

/** Columns with unknown names, and unknown sources too unless `value` has them. */
export function openRest(reason: string, value = unknown(reason), fields = false): Rest {
  return { kind: 'rest', reason, shape: null, known: [], named: () => value, fields };
}

export const openRow = (...rest: Parameters<typeof openRest>): Row => [openRest(...rest)];

export const isOpenRow = (row: Row): boolean => row.some((item) => item.kind === 'rest');

/** The column at a place of a row, which counts from one. */
export function columnAt(row: Row, place: number): Match {
  const before = row.slice(0, place);
  const item = before.at(-1);
  if (item?.kind === 'column' && before.length === place && !isOpenRow(before))
    return { value: item.value, certainty: 'has' };
  return { value: unknown('a column is named by its place among unknown columns'), certainty: 'may' };
}

/** Null where the row has no such column. */
export function columnNamed(rules: NameRules, row: Row, name: SqlName): Match | null {
  const known = knownColumn(rules, row, name);
  if (known !== null) return { value: known.value, certainty: 'has' };
  const { rests } = indexOf(rules, row);
  if (rests.length === 0) return null;
  const found = rests.flatMap((rest) => {
    const value = rest.named(name);
    return value === null ? [] : [{ rest, value }];
  });
  const real = found.filter(({ rest }) => !rest.fields);
  if (found.length === 0) return null;
  return real.length > 0
    ? { value: oneOfRelations(name, real), certainty: 'may' }
    : { value: oneOfRelations(name, found), certainty: 'field' };
}

/** A column that the only relation, or one of several, may have. */
export function oneOfRelations({ text }: SqlName, found: readonly { readonly value: Provenance }[]): Provenance {
  const values = found.map(({ value }) => value);
  return oneOf(`column ${text} is of one of ${found.length} relations with unknown columns`, values);
}

/** Catalogs and quoting disagree on case, so a name that fits none exactly may fit one without its case. */
export function knownColumn(rules: NameRules, row: Row, name: SqlName): Column | null {
  const { folded, lower } = indexOf(rules, row);
  return folded.get(foldedName(rules, name)) ?? lower.get(name.text.toLowerCase()) ?? null;
}

type RowIndex = {
  readonly folded: ReadonlyMap<string, Column>;
  readonly lower: ReadonlyMap<string, Column>;
  readonly rests: readonly Rest[];
};

/** Rows are made anew by each analysis, which has one set of rules. */
const indexes = new WeakMap<Row, RowIndex>();

function indexOf(rules: NameRules, row: Row): RowIndex {
  const known = indexes.get(row);
  if (known !== undefined) return known;
  const folded = new Map<string, Column>();
  const lower = new Map<string, Column>();
  for (const item of columnsNamed(row)) {
    if (item.name === null) continue;
    setFirst(folded, foldedName(rules, item.name), item);
    setFirst(lower, item.name.text.toLowerCase(), item);
  }
  const index = { folded, lower, rests: row.filter((item) => item.kind === 'rest') };
  indexes.set(row, index);
  return index;
}

/** The columns of a row and those that its runs hold for certain. */
export function columnsNamed(row: Row): readonly Column[] {
  return row.flatMap((item) => (item.kind === 'column' ? [item] : item.known));
}

function setFirst(map: Map<string, Column>, key: string, item: Column): void {
  if (!map.has(key)) map.set(key, item);
}

/** All that a row holds, as one value: a whole-row reference, a scalar subquery. */
export function wholeOf(row: Row): Provenance {
  const values = row.flatMap((item) =>
    item.kind === 'column' ? [item.value] : [...item.known.map(({ value }) => value), unknown(item.reason)],
  );
  return merge(values);
}

/** The parts of a dotted name; null where something else than names is dotted. */
export function pathOf({ kind, fields }: Syntax): readonly SqlName[] | null {
  if (kind === 'identifier') return namePath([fields]);
  if (kind === 'column') return namePath([fields['table'], fields['name']].filter((part) => part !== null));
  if (kind !== 'dot') return null;
  const left = childOf(fields, 'this');
  const before = left === null ? null : pathOf(left);
  const field = nameOf(fields['field']);
  return before === null || field === null ? null : [...before, field];
}

function namePath(parts: readonly unknown[]): readonly SqlName[] | null {
  const names = parts.map(nameOf);
  return names.every((name) => name !== null) ? names : null;
}

function shapeOf(relation: RelationName): Shape {
  return { base: null, change: { kind: 'relation', relation }, key: JSON.stringify(relation.map(({ text }) => text)) };
}

/** The columns of several rows by their places. */
export const shapeOfPlaces = (rows: readonly Row[]): Shape => ({
  base: null,
  change: { kind: 'places', rows },
  key: 'places',
});

/** The same run after a change, distinguished from others by the names as the dialect folds them. */
function changedShape(base: Shape | null, change: ShapeChange, folded: unknown): Shape | null {
  return base === null ? null : { base, change, key: JSON.stringify([change.kind, folded]) };
}

export function isSameShape(a: Shape | null, b: Shape | null): boolean {
  let [left, right] = [a, b];
  while (left !== null && right !== null) {
    if (left === right) return true;
    // Rows are the same by nothing but being the same.
    if (left.key !== right.key || left.change.kind === 'places') return false;
    [left, right] = [left.base, right.base];
  }
  return a !== null && left === right;
}

/** The columns as those of one relation; null if it cannot be said. */
export function starOf(shape: Shape | null): (Star & { readonly relation: RelationName }) | null {
  if (shape === null) return null;
  const { base, change } = shape;
  if (change.kind === 'relation') return { relation: change.relation, except: [], renamed: [] };
  if (change.kind === 'places') return null;
  const inner = starOf(base);
  if (inner === null) return null;
  const outer =
    change.kind === 'without' ? { except: change.names, renamed: [] } : { except: [], renamed: change.pairs };
  return { relation: inner.relation, ...composedStar(inner, outer) };
}

/** The same columns, each made of something else. */
export function mappedRow(row: Row, map: (value: Provenance) => Provenance): Row {
  const mapped = (item: Column) => column(item.name, map(item.value));
  return row.map((item) => {
    if (item.kind === 'column') return mapped(item);
    const named = (name: SqlName) => {
      const value = item.named(name);
      return value === null ? null : map(value);
    };
    return { ...item, shape: null, known: item.known.map(mapped), named };
  });
}

export function withoutColumns(rules: NameRules, row: Row, names: readonly SqlName[]): Row {
  if (names.length === 0) return row;
  const folded = new Set(names.map((name) => foldedName(rules, name)));
  const excluded = (name: SqlName | null) => name !== null && folded.has(foldedName(rules, name));
  const change = { kind: 'without', names: names.map(({ text }) => text) } as const;
  return row.flatMap((item): Row => {
    if (item.kind === 'column') return excluded(item.name) ? [] : [item];
    const shape = changedShape(item.shape, change, [...folded].sort());
    const known = item.known.filter(({ name }) => !excluded(name));
    return [{ ...item, shape, known, named: (name) => (excluded(name) ? null : item.named(name)) }];
  });
}

export function renamedColumns(rules: NameRules, row: Row, pairs: readonly (readonly [SqlName, SqlName])[]): Row {
  if (pairs.length === 0) return row;
  const newNames = new Map(pairs.map(([from, to]) => [foldedName(rules, from), to]));
  const oldNames = new Map(pairs.map(([from, to]) => [foldedName(rules, to), from]));
  const change = { kind: 'renamed', pairs: pairs.map(([from, to]) => [from.text, to.text] as const) } as const;
  const renamed = (item: Column): Column => {
    const name = item.name === null ? undefined : newNames.get(foldedName(rules, item.name));
    return name === undefined ? item : column(name, item.value);
  };
  return row.map((item) => {
    if (item.kind === 'column') return renamed(item);
    const shape = changedShape(item.shape, change, [...newNames]);
    const named = (name: SqlName) => {
      const folded = foldedName(rules, name);
      const old = oldNames.get(folded);
      return old === undefined && newNames.has(folded) ? null : item.named(old ?? name);
    };
    return { ...item, shape, known: item.known.map(renamed), named };
  });
}

/** Gives columns new names by their place, as in `t(a, b)`; behind unknown columns no place is known. */
export function relabelled(row: Row, names: readonly SqlName[]): Row {
  if (names.length === 0) return row;
  const open = row.findIndex((item) => item.kind === 'rest');
  const known = open < 0 ? row.length : open;
  const labelled = names.map((name, place): Column => {
    const item = place < known ? row[place] : undefined;
    if (item?.kind === 'column') return column(name, item.value);
    const rest = open < 0 ? undefined : row[open];
    return column(name, rest?.kind === 'rest' ? unknown(rest.reason) : unknown('there are more names than columns'));
  });
  return names.length < known ? [...labelled, ...row.slice(names.length)] : labelled;
}

/** Columns of the same name in several rows as one, made of all of them. */
export function mergedByName(rules: NameRules, rows: readonly Row[]): Row {
  const groups = Map.groupBy(rows.flat(), (item) =>
    item.kind === 'column' && item.name !== null ? foldedName(rules, item.name) : item,
  );
  return [...groups.values()]
    .map((items) => {
      const [first] = items;
      const columns = items.filter((item) => item.kind === 'column');
      return first?.kind === 'column' ? column(first.name, merge(columns.map(({ value }) => value))) : first;
    })
    .filter((item) => item !== undefined);
}
