// What the files of a seed say about its rows.
import { findOrAdd } from '../../../base/collections.ts';
import type { Model } from '../../sources/models/model-project.ts';
import type { BothContents } from '../../sql/compare/compare-contents.ts';
import type { Contents, Key } from '../../sql/compare/prints.ts';
import { distinctForms } from '../../sql/compare/proof/evaluate.ts';
import type { Constants } from '../../sql/compare/proof/terms.ts';
import { foldedName, type NameRules } from '../../sql/name-rules.ts';

/** The text of a seed's file that has this SHA-256, as dbt takes it; null if no such file is found. */
export type SeedText = (digest: string, file: string) => string | null;

/** The columns of a seed by their folded names, in the order of its file, each with the texts of its rows. */
export type Seed = { readonly columns: ReadonlyMap<string, readonly string[]>; readonly rows: number };

/** Null if the rows of the relation are not those of the file, or the file is not found. */
export function readSeed(seedText: SeedText, rules: NameRules, { settings }: Model): Seed | null {
  const { content, seedFile, values = {} } = settings ?? {};
  // Hooks, chosen types and other delimiters may make other rows of the file.
  const isPlain = Object.entries(plainValues).every(([name, json]) => [undefined, json].includes(values[name]));
  const text = content && seedFile && isPlain ? seedText(content, seedFile) : null;
  const [names, ...rows] = (text === null ? null : recordsOf(text)) ?? [];
  const isWhole = (row: readonly string[]) => row.length === names?.length && row.join('') !== '';
  if (!names?.every((one) => /^[a-z_][a-z0-9_]{0,60}$/.test(one)) || !rows.every(isWhole)) return null;
  const quoted = values['quote_columns'] === 'true';
  const columns = new Map(
    names.map((name, place) => [foldedName(rules, { text: name, quoted }), rows.map((row) => row[place] ?? '')]),
  );
  return columns.size === names.length ? { columns, rows: rows.length } : null;
}

const plainValues = { 'pre-hook': undefined, 'post-hook': undefined, column_types: '{}', delimiter: '","' };

/** The records of a CSV file; null if it is not well-formed. */
function recordsOf(text: string): readonly (readonly string[])[] | null {
  const records: string[][] = [[]];
  const lines = text.replaceAll('\r\n', '\n');
  const last = lines.endsWith('\n') ? lines.length - 1 : lines.length;
  for (let at = 0; at <= last; ) {
    const end = endOfValue(lines, at, last);
    const written = lines.slice(at, end);
    const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
    const parts = (isQuoted ? written.slice(1, -1) : written).split('""');
    if (written.includes('\r') || parts.some((one) => one.includes('"')) || (!isQuoted && parts.length > 1))
      return null;
    records.at(-1)?.push(parts.join('"'));
    if (lines[end] === '\n' && end < last) records.push([]);
    at = end + 1;
  }
  return records;
}

/** The place of the next comma or line end outside of quotes. */
function endOfValue(text: string, start: number, last: number): number {
  let isQuoted = false;
  for (let at = start; at < last; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (text[at] === ',' || text[at] === '\n')) return at;
  }
  return last;
}

export const seedContents = (seed: Seed): Contents => ({
  rows: 'same',
  columns: [...seed.columns.keys()].map((name) => ({ name, label: name })),
  key: keyOf([seed]),
});

/** The rows of a small seed that has a key, in the order of that key. */
export function seedConstants({ columns, rows }: Seed): Constants | null {
  const key = rows * columns.size <= mostConstants ? keyOf([{ columns, rows }])() : null;
  if (!key) return null;
  const keyAt = (row: number) => JSON.stringify(key.map((name) => columns.get(name)?.[row]));
  const order = Array.from({ length: rows }, (_, row) => row).sort((a, b) => (keyAt(a) < keyAt(b) ? -1 : 1));
  const sorted = [...columns].map(([name, texts]) => [name, order.map((row) => texts[row] ?? '')] as const);
  return { columns: new Map(sorted), key, rows };
}

const mostConstants = 1000;

/** Null if both hold the same: then the types that dbt finds for the columns are the same, too. */
export function bothSeedContents(before: Seed, after: Seed): BothContents | null {
  const same = new Set(before.rows === after.rows ? alikeColumns(before, after) : []);
  const [was, is] = [before, after].map(({ columns }) => [...columns.keys()]);
  if (!was || !is || (was.join() === is.join() && same.size === is.length)) return null;
  const key = keyOf([before, after]);
  const columns = is.map((name) => ({ name, label: same.has(name) ? name : `${name}\nafter` }));
  return {
    before: { rows: 'before', columns: was.map((name) => ({ name, label: name })), key },
    after: { rows: before.rows === after.rows ? 'before' : 'after', columns, key },
  };
}

/** Columns that allow to pair all rows of both: the same tuples are there equally often. */
function alikeColumns(before: Seed, after: Seed): readonly string[] {
  let [was, is] = [before, after].map(({ rows }) => Array.from({ length: rows }, () => 0));
  return [...before.columns].flatMap(([name, old]) => {
    const now = after.columns.get(name);
    if (!now) return [];
    const tuples = new Map<string, number>();
    const next = [[was, old] as const, [is, now] as const].map(([tupleOf, values]) =>
      values.map((value, row) => findOrAdd(tuples, `${tupleOf?.[row]} ${value}`, () => tuples.size)),
    );
    const [first, second] = next.map((all) => all.toSorted((a, b) => a - b).join());
    if (first !== second) return [];
    [was, is] = next;
    return [name];
  });
}

/** The first column, or the first two, that tell all rows of each version apart, whatever their type is. */
function keyOf(seeds: readonly Seed[]): Key {
  const names = [...(seeds[0]?.columns.keys() ?? [])].slice(0, mostInKey);
  const isKey = (key: readonly string[]) =>
    seeds.every(({ columns, rows }) => {
      const values = key.map((name) => distinctForms(columns.get(name) ?? []));
      const tuples = Array.from({ length: rows }, (_, row) => values.map((one) => one?.[row]).join());
      return values.every((one) => one !== null) && new Set(tuples).size === rows;
    });
  const pairs = names.flatMap((name, place) => names.slice(place + 1).map((other) => [name, other]));
  const found = [...names.map((name) => [name]), ...pairs].find(isKey) ?? null;
  return (among) => (among === undefined ? found : null);
}

/** A key is usually among the first columns. */
const mostInKey = 6;
