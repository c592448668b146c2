import { foldedName, type NameRules } from './name-rules.ts';
import { fromColumn, merge, type Provenance, unknown } from './provenance.ts';
import type { RelationName, SqlName } from './types.ts';

/** A column whose place in its row is known. */
export type Column = { readonly kind: 'column'; readonly name: SqlName | null; readonly value: Provenance };

/** A run of columns whose names and number are not known, such as `*` over a relation of which nothing is known. */
export type Rest = {
  readonly kind: 'rest';
  readonly reason: string;
  /** Equal in rests that hold the same columns in the same order; null where that cannot be said. */
  readonly shape: string | null;
  /** The column of that name if there is one; null where there cannot be. */
  readonly named: (name: SqlName) => Provenance | null;
  /** The names are those of fields of values, which a reader would rather look for among real columns. */
  readonly fields: boolean;
};

/** The columns of a query or relation, in order. */
export type Row = readonly (Column | Rest)[];

/** A column found by its name: `has` for certain, `may` where only unknown columns can hold it, `field` where only fields can. */
export type Match = { readonly value: Provenance; readonly certainty: 'has' | 'may' | 'field' };

export function column(name: SqlName | null, value: Provenance): Column {
  return { kind: 'column', name, value };
}

export function relationRow(relation: RelationName, columns: readonly string[] | null): Row {
  if (columns !== null) return columns.map((text) => column({ text, quoted: false }, fromColumn(relation, text)));
  const written = relation.map((part) => part.text);
  return [
    {
      kind: 'rest',
      reason: `the columns of ${written.join('.')} are not known`,
      shape: JSON.stringify(written),
      named: (name) => fromColumn(relation, name.text),
      fields: false,
    },
  ];
}

/** Columns of which nothing is known but what they come from. */
export function openRow(reason: string, value: Provenance, fields = false): Row {
  return [{ kind: 'rest', reason, shape: null, named: () => value, fields }];
}

export function isOpen(row: Row): boolean {
  return row.some((item) => item.kind === 'rest');
}

/** Null where the row has no such column. */
export function columnNamed(rules: NameRules, row: Row, name: SqlName): Match | null {
  const known = knownColumn(rules, row, name);
  if (known !== null) return { value: known.value, certainty: 'has' };
  const rests = row.filter((item) => item.kind === 'rest');
  const found = rests.flatMap((rest) => ({ rest, value: rest.named(name) })).filter(hasValue);
  const real = found.filter(({ rest }) => !rest.fields);
  const candidates = real.length > 0 ? real : found;
  const [first] = candidates;
  if (first === undefined) return null;
  const certainty = real.length > 0 ? 'may' : 'field';
  if (candidates.length === 1) return { value: first.value, certainty };
  return {
    value: unknown(`column ${name.text} is of one of ${candidates.length} relations with unknown columns`),
    certainty,
  };
}

/** Catalogs and quoting disagree on case, so a name that fits none exactly may fit one without its case. */
export function knownColumn(rules: NameRules, row: Row, name: SqlName): Column | null {
  const columns = row.filter((item) => item.kind === 'column');
  const folded = foldedName(rules, name);
  const lower = name.text.toLowerCase();
  return (
    columns.find((item) => item.name !== null && foldedName(rules, item.name) === folded) ??
    columns.find((item) => item.name !== null && item.name.text.toLowerCase() === lower) ??
    null
  );
}

export function withoutColumns(rules: NameRules, row: Row, names: readonly SqlName[]): Row {
  if (names.length === 0) return row;
  const folded = new Set(names.map((name) => foldedName(rules, name)));
  const excluded = (name: SqlName) => folded.has(foldedName(rules, name));
  return row.flatMap((item): Row => {
    if (item.kind === 'column') return item.name !== null && excluded(item.name) ? [] : [item];
    const shape = item.shape === null ? null : JSON.stringify([item.shape, 'without', [...folded].sort()]);
    return [{ ...item, shape, named: (name) => (excluded(name) ? null : item.named(name)) }];
  });
}

export function renamedColumns(rules: NameRules, row: Row, pairs: readonly (readonly [SqlName, SqlName])[]): Row {
  if (pairs.length === 0) return row;
  const newNames = new Map(pairs.map(([from, to]) => [foldedName(rules, from), to]));
  const oldNames = new Map(pairs.map(([from, to]) => [foldedName(rules, to), from]));
  return row.map((item) => {
    if (item.kind === 'column') {
      const renamed = item.name === null ? undefined : newNames.get(foldedName(rules, item.name));
      return renamed === undefined ? item : column(renamed, item.value);
    }
    const named = (name: SqlName) => {
      const old = oldNames.get(foldedName(rules, name));
      if (old !== undefined) return item.named(old);
      return newNames.has(foldedName(rules, name)) ? null : item.named(name);
    };
    return {
      ...item,
      shape: item.shape === null ? null : JSON.stringify([item.shape, 'renamed', [...newNames]]),
      named,
    };
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
  const merged = new Map<string | Row[number], Row[number]>();
  for (const item of rows.flat()) {
    const key = item.kind === 'column' && item.name !== null ? foldedName(rules, item.name) : item;
    const before = merged.get(key);
    const both =
      before?.kind === 'column' && item.kind === 'column'
        ? column(before.name, merge([before.value, item.value]))
        : item;
    merged.set(key, both);
  }
  return [...merged.values()];
}

/** All that a row holds, as one value: a whole-row reference, a scalar subquery. */
export function wholeOf(row: Row): Provenance {
  return merge(row.map((item) => (item.kind === 'column' ? item.value : unknown(item.reason))));
}

function hasValue<T extends { readonly value: Provenance | null }>(
  item: T,
): item is T & { readonly value: Provenance } {
  return item.value !== null;
}
