import { type Token, tokensOf } from '../../shared/domain/lineage/sql/tokens.ts';

export type Mutant = { readonly text: string; readonly what: string };

/** Words and signs that mean something else in each other's place. */
const others: Readonly<Record<string, readonly string[]>> = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
  '=': ['<>'],
  '<>': ['='],
  '+': ['-'],
  '-': ['+'],
  '*': ['+'],
  and: ['or'],
  or: ['and'],
  left: ['', 'right', 'full'],
  inner: ['left'],
  distinct: [''],
  all: [''],
  desc: ['', 'asc'],
  min: ['max'],
  max: ['min', 'sum'],
  sum: ['max', 'count'],
  count: ['sum', 'max'],
  row_number: ['rank'],
  rank: ['dense_rank'],
  dense_rank: ['row_number'],
  last: ['first'],
  preceding: ['following'],
  not: [''],
  lower: ['upper'],
  trim: ['ltrim'],
  coalesce: ['nullif'],
  lag: ['lead'],
  is: ['is not'],
  rows: ['range'],
  union: ['except', 'intersect'],
  true: ['false'],
  false: ['true'],
  where: ['where not'],
  using: [''],
  month: ['week'],
  date: ['timestamp'],
  integer: ['bigint', 'varchar'],
  else: ['else null --'],
};

/**
 * Versions of a statement with one word changed, in the order of the words: some mean the same, some fail. If there are
 * more than `most`, every nth.
 */
export function mutantsOf(sql: string, most = Number.POSITIVE_INFINITY): readonly Mutant[] {
  const tokens = tokensOf(sql, 'duckdb');
  const names = [...new Set(tokens.filter(isName).map(({ text }) => text))];
  const all = tokens.flatMap((token, place) =>
    replacements(token, place, names).map((put) => ({
      text: `${sql.slice(0, token.start)}${put}${sql.slice(token.end)}`,
      what: `${line(sql, token.start)}: ${token.text} -> ${put}`,
    })),
  );
  const step = Math.max(1, all.length / most);
  return all.filter((_, place) => Math.floor((place + 1) / step) > Math.floor(place / step));
}

const isName = ({ kind, text }: Token): boolean => kind === 'word' && !keywords.has(text.toLowerCase());

const keywords: ReadonlySet<string> = new Set(
  `${Object.keys(others).join(' ')} select from as on by group order over partition case when then end with in between
  join having limit qualify null unbounded row current exists interval cast filter extract within decimal`.split(/\s+/),
);

function replacements(token: Token, place: number, names: readonly string[]): readonly string[] {
  const { kind, text } = token;
  if (kind === 'number') return [`${Number(text) + 1}`, `${text}0`];
  if (kind === 'string') return [`'${text.slice(1, -1)}x'`, "''"];
  const known = Object.hasOwn(others, text.toLowerCase()) ? others[text.toLowerCase()] : undefined;
  if (known) return known;
  if (!isName(token) || names.length < 2) return [];
  // Each name takes the place of another, so that all statements together try many pairs.
  const other = names[(names.indexOf(text) + 1 + (place % (names.length - 1))) % names.length] ?? text;
  return [other, text.toUpperCase()];
}

const line = (sql: string, at: number): string =>
  sql.slice(sql.lastIndexOf('\n', at) + 1, Math.max(at, sql.indexOf('\n', at))).trim();
