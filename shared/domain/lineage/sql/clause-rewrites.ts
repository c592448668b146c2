import { isTsql, type SqlDialect } from './dialect.ts';
import { closingPlaces, isName, isSymbol, isWord, replaced, type TextRewrite, type Token, without } from './tokens.ts';

/** Rewrites of words that say nothing of columns, or that the parser wants said more fully. */
export const clauseRewrites: readonly TextRewrite[] = [
  withoutTrailingCommas,
  withoutOptions,
  withoutOuterMarks,
  withoutStrictOuter,
  withoutPathCasts,
  withLateralAs,
  withoutFileOfRows,
  withChosenColumns,
];

/** `SELECT a, b, FROM t` and `IN (1, 2,)`. */
function withoutTrailingCommas(text: string, tokens: readonly Token[]): string {
  const isLast = (next: Token | undefined) =>
    next === undefined || isSymbol(next, ')', ']') || isWord(next, 'from', 'where', 'having', 'order', 'limit');
  return without(text, tokens, new Set(tokens.filter((token, at) => isSymbol(token, ',') && isLast(tokens[at + 1]))));
}

/** Words of a clause in lower case: `?` is optional, `()` is a bracket with its content. */
type Option = readonly string[];

const options: readonly Option[] = [
  ['with', 'no?', 'data'],
  ['with', 'cascaded?', 'local?', 'check', 'option'],
  ['with', 'no', 'schema', 'binding'],
  ['force', 'index', 'for', 'join', '()'],
  ['ignore', 'index', 'for', 'join', '()'],
  ['use', 'index', 'for', 'join', '()'],
  ['replace', 'using', '()'],
  ['on', 'commit', 'drop'],
  ['on', 'commit', 'delete', 'rows'],
  ['on', 'commit', 'preserve', 'rows'],
  ['overriding', 'system', 'value'],
  ['overriding', 'user', 'value'],
];

/** Clauses that say nothing of columns, if they end a query or a relation. */
function withoutOptions(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const dropped = new Set<Token>();
  const closes = closingPlaces(tokens);
  const drop = (from: number, option: Option): void => {
    for (const token of tokens.slice(from, endOf(tokens, closes, from, option) ?? from)) dropped.add(token);
  };
  for (const [place, token] of tokens.entries()) {
    for (const option of options) drop(place, option);
    if (isWord(token, 'partition')) drop((closes.get(place + 1) ?? place) + 1, ['if', 'not', 'exists']);
    if (isWord(token, 'create')) drop(place + 1, ['or', 'alter']);
    if (isWord(token, 'create')) drop(place + 1, ['snapshot']);
    if (isWord(token, 'into')) drop(place + (isWord(tokens[place + 1], 'temp', 'temporary') ? 2 : 1), ['table']);
    if (dialect === 'snowflake' && isWord(tokens[place + 1], 'join')) drop(place, ['directed']);
    if (dialect === 'redshift' && tokens[place + 1]?.kind === 'word') drop(place, ['approximate']);
    if (isTsql(dialect)) drop(place, ['option', '()']);
    if (dialect === 'oracle' && isName(tokens[place - 1])) drop(place, ['partition', '()']);
    if (dialect === 'oracle' && isName(tokens[place - 1])) drop(place, ['subpartition', '()']);
  }
  return without(text, tokens, dropped);
}

/** The place behind an option that begins at a place; null where another text is there. */
function endOf(
  tokens: readonly Token[],
  closes: ReadonlyMap<number, number>,
  from: number,
  option: Option,
): number | null {
  let at = from;
  for (const part of option) {
    const word = part.replace('?', '');
    if (part === '()' && isSymbol(tokens[at], '(')) at = (closes.get(at) ?? at) + 1;
    else if (isWord(tokens[at], word)) at++;
    else if (!part.endsWith('?')) return null;
  }
  return at;
}

/** Oracle's mark of an outer join behind a column without its relation. */
function withoutOuterMarks(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'oracle') return text;
  const marks = tokens.flatMap((token, at) => {
    const mark = [token, tokens[at + 1], tokens[at + 2]].flatMap((part) => part ?? []);
    return isSymbol(mark[0], '(') && isSymbol(mark[1], '+') && isSymbol(mark[2], ')') ? mark : [];
  });
  return without(text, tokens, new Set(marks));
}

/** ClickHouse's `LEFT ANY OUTER JOIN`. */
function withoutStrictOuter(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'clickhouse') return text;
  const isStrict = (at: number) =>
    isWord(tokens[at - 1], 'any', 'all', 'asof', 'semi', 'anti') && isWord(tokens[at + 1], 'join');
  return without(text, tokens, new Set(tokens.filter((token, at) => isWord(token, 'outer') && isStrict(at))));
}

/** Snowflake's cast in the midst of a path, `payload::variant:name` and `tags::array[0]`: the path is the same without. */
function withoutPathCasts(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'snowflake' && dialect !== 'databricks') return text;
  const casts = tokens.flatMap((token, at) => {
    const [type, next] = [tokens[at + 1], tokens[at + 2]];
    return isSymbol(token, '::') && type !== undefined && isSymbol(next, '[', ':') ? [token, type] : [];
  });
  return without(text, tokens, new Set(casts));
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
