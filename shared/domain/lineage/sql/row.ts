import { foldedName, type NameRules } from './name-rules.ts';
import { columnsFrom, merge, oneOf, unknown } from './provenance.ts';
import { shapeOf } from './shape.ts';
import { childOf, nameOf, type Syntax } from './syntax.ts';
import type { KnownColumns, RelationName, SqlName } from './types.ts';
import type { Column, Provenance, Rest, Row } from './values.ts';

/** A column found by its name: `has` for certain, `may` where only unknown columns can hold it, `field` where only fields can. */
export type Match = { readonly value: Provenance; readonly certainty: 'has' | 'may' | 'field' };

export function column(name: SqlName | null, value: Provenance): Column {
  return { kind: 'column', name, value };
}

const unknownColumns = 'star_over_unknown_columns';
const incompleteColumns = 'star_over_incomplete_columns';

export function relationRow(relation: RelationName, columns: KnownColumns | null): Row {
  const read = columnsFrom(relation);
  const known = (columns?.names ?? []).map((text) => column({ text, quoted: false }, read(text)));
  if (columns?.complete === true) return known;
  return [
    {
      kind: 'rest',
      reason: columns === null ? unknownColumns : incompleteColumns,
      shape: shapeOf(relation),
      known,
      named: (name) => read(name.text),
      fields: false,
    },
  ];
}

/** Columns of which nothing is known but what they come from. */
export function openRow(reason: string, value: Provenance, fields = false): Row {
  return [{ kind: 'rest', reason, shape: null, known: [], named: () => value, fields }];
}

export function isOpenRow(row: Row): boolean {
  return row.some((item) => item.kind === 'rest');
}

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
  const found = rests.flatMap((rest) => ({ rest, value: rest.named(name) })).filter(hasValue);
  const real = found.filter(({ rest }) => !rest.fields);
  const candidates = real.length > 0 ? real : found;
  const [first] = candidates;
  if (first === undefined) return null;
  const certainty = real.length > 0 ? 'may' : 'field';
  if (candidates.length === 1) return { value: first.value, certainty };
  return {
    value: oneOf(
      `column ${name.text} is of one of ${candidates.length} relations with unknown columns`,
      candidates.map(({ value }) => value),
    ),
    certainty,
  };
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
  return merge(row.flatMap((item) => (item.kind === 'column' ? [item.value] : restValues(item))));
}

function restValues({ known, reason }: Rest): readonly Provenance[] {
  return [...known.map(({ value }) => value), unknown(reason)];
}

function hasValue<T extends { readonly value: Provenance | null }>(
  item: T,
): item is T & { readonly value: Provenance } {
  return item.value !== null;
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
