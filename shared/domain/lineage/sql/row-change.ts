import { foldedName, type NameRules } from './name-rules.ts';
import { merge, unknown } from './provenance.ts';
import { column } from './row.ts';
import { changedShape } from './shape.ts';
import type { SqlName } from './types.ts';
import type { Column, Provenance, Rest, Row } from './values.ts';

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

type Renaming = { readonly newNames: ReadonlyMap<string, SqlName>; readonly oldNames: ReadonlyMap<string, SqlName> };

export function renamedColumns(rules: NameRules, row: Row, pairs: readonly (readonly [SqlName, SqlName])[]): Row {
  if (pairs.length === 0) return row;
  const renaming = {
    newNames: new Map(pairs.map(([from, to]) => [foldedName(rules, from), to])),
    oldNames: new Map(pairs.map(([from, to]) => [foldedName(rules, to), from])),
  };
  const change = { kind: 'renamed', pairs: pairs.map(([from, to]) => [from.text, to.text] as const) } as const;
  const renamed = (item: Column) => renamedColumn(rules, item, renaming);
  return row.map((item) => {
    if (item.kind === 'column') return renamed(item);
    const shape = changedShape(item.shape, change, [...renaming.newNames]);
    return { ...item, shape, known: item.known.map(renamed), named: renamedLookup(rules, item, renaming) };
  });
}

function renamedColumn(rules: NameRules, item: Column, { newNames }: Renaming): Column {
  const name = item.name === null ? undefined : newNames.get(foldedName(rules, item.name));
  return name === undefined ? item : column(name, item.value);
}

function renamedLookup(rules: NameRules, item: Rest, { newNames, oldNames }: Renaming): Rest['named'] {
  return (name) => {
    const folded = foldedName(rules, name);
    const old = oldNames.get(folded);
    if (old !== undefined) return item.named(old);
    return newNames.has(folded) ? null : item.named(name);
  };
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
