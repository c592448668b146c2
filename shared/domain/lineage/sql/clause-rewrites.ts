import type { SqlDialect } from './dialect.ts';
import { closingPlaces, isName, isSymbol, isWord, replaced, type TextRewrite, type Token, without } from './tokens.ts';

/** Rewrites of words that say nothing of columns, or that the parser wants said more fully. */
export const clauseRewrites: readonly TextRewrite[] = [
  withoutTrailingCommas,
  withoutOptions,
  withLateralAs,
  withoutFileOfRows,
  withChosenColumns,
  withPartitionArguments,
];

/** `SELECT a, b, FROM t` and `IN (1, 2,)`. */
function withoutTrailingCommas(text: string, tokens: readonly Token[]): string {
  const isLast = (next: Token | undefined) =>
    next === undefined || isSymbol(next, ')', ']') || isWord(next, 'from', 'where', 'having', 'order', 'limit');
  return without(text, tokens, new Set(tokens.filter((token, at) => isSymbol(token, ',') && isLast(tokens[at + 1]))));
}

/** Words that say nothing of columns, with those around them, and the dialects that have them; null: all. */
type Option = { readonly parts: readonly Part[]; readonly dialects: readonly SqlDialect[] | null };

type Part = { readonly words: readonly string[]; readonly isOptional: boolean };

/**
 * Words and signs, with `|` between alternatives and `?` behind what is optional. Braces enclose what is left out, `()` is a
 * bracket with its content, WORD, NAME and TOKEN are any of these.
 */
const option = (pattern: string, dialects: readonly SqlDialect[] | null = null): Option => ({
  parts: pattern
    .split(' ')
    .map((part) => ({ words: part.replace('?', '').split('|'), isOptional: part.endsWith('?') })),
  dialects,
});

const options: readonly Option[] = [
  option('{ with no? data }'),
  option('{ with cascaded? local? check option }'),
  option('{ with no schema binding }'),
  option('{ with read only }', ['oracle']),
  option('option|only { constraint NAME }', ['oracle']),
  option('{ force|ignore|use index for join () }'),
  option('{ replace using () }'),
  option('{ on commit drop }'),
  option('{ on commit delete|preserve rows }'),
  option('{ overriding system|user value }'),
  option('partition ()? { if not exists }'),
  option('create { or alter }'),
  option('create { snapshot }'),
  option('into temp|temporary? { table }'),
  // SQL Server's `UPDATE TOP (10) t …`, `DELETE TOP (10) FROM t …` and `MERGE TOP (10) PERCENT t …`.
  option('update|delete|merge { top () percent? }'),
  option('{ option () }', ['fabric', 'tsql']),
  // A call in FROM is lateral without the word, behind which the parser takes no types of columns.
  option('{ lateral } NAME (', ['postgres']),
  option('{ default TOKEN on empty|error }'),
  option('{ tablesample TOKEN % }', ['duckdb']),
  option(':: bit|varbit { varying? () }', ['postgres', 'redshift']),
  // Greenplum's.
  option('{ distributed randomly|replicated }', ['postgres']),
  option('{ distributed by () }', ['postgres']),
  option('{ directed } join', ['snowflake']),
  option('{ after match skip to next row }'),
  option('{ subset NAME = () }', ['oracle', 'snowflake', 'trino']),
  // Teradata's heading of a column.
  option('{ ( title|format TOKEN ) }', ['ansi']),
  option('{ approximate } WORD', ['redshift']),
  option('NAME { partition|subpartition () }', ['oracle']),
  // The mark of an outer join behind a column without its relation.
  option('{ ( + ) }', ['oracle']),
  option('any|all|asof|semi|anti { outer } join', ['clickhouse']),
  // A cast in the midst of a path, `payload::variant:name` and `tags::array[0]`: the path is the same without.
  option('{ :: TOKEN } [|:', ['databricks', 'snowflake']),
];

function withoutOptions(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const dropped = new Set<Token>();
  const closes = closingPlaces(tokens);
  const known = options.filter(({ dialects }) => dialects?.includes(dialect) ?? true);
  for (const place of tokens.keys())
    for (const { parts } of known) for (const token of optionAt(tokens, closes, place, parts)) dropped.add(token);
  return without(text, tokens, dropped);
}

/** What is left out of an option that begins at a place; nothing if another text is there. */
function optionAt(
  tokens: readonly Token[],
  closes: ReadonlyMap<number, number>,
  from: number,
  parts: readonly Part[],
): readonly Token[] {
  let at = from;
  let [first, behind] = [from, from];
  for (const { words, isOptional } of parts) {
    if (words.includes('{')) first = at;
    else if (words.includes('}')) behind = at;
    else if (words.includes('()') && isSymbol(tokens[at], '(')) at = (closes.get(at) ?? at) + 1;
    else if (isPart(tokens[at], words)) at++;
    else if (!isOptional) return [];
  }
  return tokens.slice(first, behind);
}

function isPart(token: Token | undefined, words: readonly string[]): boolean {
  if (words.includes('TOKEN')) return token !== undefined;
  if (words.includes('NAME')) return isName(token);
  return words.includes('WORD') ? token?.kind === 'word' : isWord(token, ...words) || isSymbol(token, ...words);
}

/** Hive's `LATERAL VIEW f(x) t a, b`. */
function withLateralAs(text: string, tokens: readonly Token[]): string {
  const closes = closingPlaces(tokens);
  const names = new Set<Token>();
  for (const [place, token] of tokens.entries()) {
    if (!isWord(token, 'lateral') || !isWord(tokens[place + 1], 'view')) continue;
    const open = isWord(tokens[place + 2], 'outer') ? place + 4 : place + 3;
    const relation = (closes.get(open) ?? tokens.length) + 1;
    const first = tokens[relation + 1];
    if (first && isName(first) && !isWord(first, ...afterLateral)) names.add(first);
  }
  return replaced(text, tokens, (token) => (names.has(token) ? `AS ${token.text}` : null));
}

const afterLateral = `as lateral where group having order sort cluster distribute limit window qualify union intersect
  except join left right inner cross full semi anti select insert pivot unpivot tablesample on`.split(/\s+/);

/** MySQL's `INTO OUTFILE 'path' FIELDS …` before FROM or at the end. */
function withoutFileOfRows(text: string, tokens: readonly Token[]): string {
  const into = tokens.findIndex(
    (token, at) => token.depth === 0 && isWord(token, 'into') && isWord(tokens[at + 1], 'outfile', 'dumpfile'),
  );
  if (into < 0) return text;
  const from = tokens.findIndex((token, at) => at > into && token.depth === 0 && isWord(token, 'from'));
  return without(text, tokens, new Set(tokens.slice(into, from < 0 ? tokens.length : from)));
}

/** Snowflake's and DuckDB's `* ILIKE 'pattern'` in the form of DuckDB's COLUMNS. */
function withChosenColumns(text: string, tokens: readonly Token[]): string {
  const words = new Set<Token>();
  const stars = tokens.filter((token, at) => {
    const operator = isWord(tokens[at + 1], 'not') ? at + 2 : at + 1;
    const pattern = isWord(tokens[operator + 1], 'to') ? operator + 2 : operator + 1;
    const isChoice = isWord(tokens[operator], 'like', 'ilike', 'glob', 'similar') && tokens[pattern]?.kind === 'string';
    const isStar =
      isSymbol(token, '*') &&
      isChoice &&
      (at === 0 || isWord(tokens[at - 1], 'select') || isSymbol(tokens[at - 1], ','));
    if (isStar) for (const word of tokens.slice(at + 1, pattern + 1)) words.add(word);
    return isStar;
  });
  const replacement = (token: Token) => (stars.includes(token) ? "COLUMNS('.*')" : words.has(token) ? ' ' : null);
  return replaced(text, tokens, replacement);
}

/** Snowflake's `TABLE(f(a) OVER (PARTITION BY b))` as `TABLE(f(a, b))`: what divides the rows decides what the function gives. */
function withPartitionArguments(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'snowflake') return text;
  const texts = new Map<Token | undefined, string>();
  for (const [open, close] of closingPlaces(tokens)) {
    const over = tokens.findIndex((one, at) => at > open && at < close && isWord(one, 'over'));
    if (!isWord(tokens[open - 1], 'table') || tokens[over]?.depth !== (tokens[open]?.depth ?? 0) + 1) continue;
    const hasArguments = !isSymbol(tokens[over - 2], '(') && isWord(tokens[over + 2], 'partition', 'order');
    for (const one of [over - 1, over, over + 1]) texts.set(tokens[one], '');
    if (hasArguments) texts.set(tokens[over], ',');
    for (const [at, one] of tokens.slice(over + 2, close).entries())
      if (isWord(one, ...windowWords)) texts.set(one, at > 0 && isWord(one, 'order') ? ',' : ' ');
  }
  return replaced(text, tokens, (token) => texts.get(token) ?? null);
}

const windowWords = ['partition', 'order', 'by', 'asc', 'desc'];
