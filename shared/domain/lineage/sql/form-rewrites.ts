import { isTsql, type SqlDialect } from './dialect.ts';
import {
  closingPlaces,
  isName,
  isSymbol,
  isWord,
  lastOfPath,
  replaced,
  type TextRewrite,
  type Token,
  unquotedText,
  without,
} from './tokens.ts';

/** Rewrites of dialect-specific forms into equivalent ones that the parser accepts. */
export const formRewrites: readonly TextRewrite[] = [
  withWordNot,
  withWholeWords,
  withBracketedConnect,
  withBracketedGroup,
  withFieldsByIndex,
  withListedFiles,
  withStarOfField,
  withQueriedPivot,
  withConstantLimit,
  withCalledStream,
  withPlainParse,
  withUntypedParameters,
  withNamedCluster,
  withShortFunctionNames,
  withPlainLiterals,
];

/** Teradata's `SEL`, `INS`, `UPD` and `DEL`. */
function withWholeWords(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'ansi') return text;
  return replaced(text, tokens, (token, at) => {
    const word = token.kind === 'word' ? shortWords.get(token.text.toLowerCase()) : undefined;
    if (at === 0) return word ?? null;
    const before = tokens[at - 1];
    const begins = isSymbol(before, '(', ')') || isWord(before, ...beforeQueries);
    const isVerb = begins && !isSymbol(tokens[at + 1], ',', ')', '.') && !isWord(tokens[at + 1], 'from', 'as');
    return word === 'SELECT' && isVerb ? word : null;
  });
}

const shortWords: ReadonlyMap<string, string> = new Map([
  ['sel', 'SELECT'],
  ['ins', 'INSERT'],
  ['upd', 'UPDATE'],
  ['del', 'DELETE'],
]);
const beforeQueries = ['as', 'union', 'all', 'intersect', 'except', 'minus'];

/**
 * `CONNECT BY PRIOR a = b + 1` as `CONNECT BY (PRIOR(a) = b + 1)`: without brackets the parser reads no operators behind the
 * first comparison, and within them it takes PRIOR for a name. Elsewhere it does not always read PRIOR.
 */
function withBracketedConnect(text: string, tokens: readonly Token[]): string {
  const clauses = connectClauses(tokens);
  if (clauses.length === 0) return text;
  const texts = new Map<Token | undefined, string>();
  const wrap = (first: Token | undefined, last: Token | undefined) => {
    texts.set(first, `(${texts.get(first) ?? first?.text}`);
    texts.set(last, `${texts.get(last) ?? last?.text})`);
  };
  for (const [at, token] of tokens.entries()) {
    const end = isWord(token, 'prior') && isName(tokens[at + 1]) ? lastOfPath(tokens, at + 1) : at;
    if (end === at) continue;
    if (!clauses.some(([first, last]) => at >= first && at <= last)) texts.set(token, ' ');
    else if (!isSymbol(tokens[end + 1], '(')) wrap(tokens[at + 1], tokens[end]);
  }
  for (const [first, last] of clauses) wrap(tokens[first], tokens[last]);
  return replaced(text, tokens, (token) => texts.get(token) ?? null);
}

/** The places of the first and the last token of each condition of CONNECT BY. */
function connectClauses(tokens: readonly Token[]): readonly (readonly [first: number, last: number])[] {
  return tokens.flatMap((token, at) => {
    if (!isWord(token, 'connect') || !isWord(tokens[at + 1], 'by')) return [];
    const first = isWord(tokens[at + 2], 'nocycle') ? at + 3 : at + 2;
    const isBehind = (one: Token) =>
      one.depth < token.depth || (one.depth === token.depth && (isWord(one, ...behindConnect) || isSymbol(one, ';')));
    const end = tokens.findIndex((one, place) => place > first && isBehind(one));
    return [[first, (end < 0 ? tokens.length : end) - 1] as const];
  });
}

const behindConnect =
  'start group having order union intersect except minus qualify limit offset fetch window for'.split(' ');

/** Snowflake's `ARRAY_AGG(a) WITHIN GROUP (ORDER BY b)[0]` with the call in brackets. */
function withBracketedGroup(text: string, tokens: readonly Token[]): string {
  const closes = closingPlaces(tokens);
  const opens = new Map([...closes].map(([open, close]) => [close, open]));
  const [begins, ends] = [new Set<Token | undefined>(), new Set<Token | undefined>()];
  for (const [at, token] of tokens.entries()) {
    const [open, close] = [opens.get(at - 1), closes.get(at + 2)];
    if (!isWord(token, 'within') || open === undefined || close === undefined) continue;
    if (!isSymbol(tokens[close + 1], '[', ':')) continue;
    begins.add(tokens[open - 1]);
    ends.add(tokens[close]);
  }
  return replaced(text, tokens, (token) =>
    begins.has(token) ? `(${token.text}` : ends.has(token) ? `${token.text})` : null,
  );
}

/** Snowflake's and Databricks' `a[0]:b.c` as `a[0]['b']['c']`: the parser reads such a path behind a name only. */
function withFieldsByIndex(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'snowflake' && dialect !== 'databricks') return text;
  const fields = new Map<Token | undefined, string>();
  for (const at of tokens.keys()) {
    let place = isSymbol(tokens[at - 1], ']', ')') && isSymbol(tokens[at], ':') ? at : tokens.length;
    while (isSymbol(tokens[place], ':', '.') && isName(tokens[place + 1])) {
      const { kind = 'word', text: name = '' } = tokens[place + 1] ?? {};
      const field = kind === 'quoted' ? unquotedText(name) : name;
      fields.set(tokens[place], '').set(tokens[place + 1], `['${field.replaceAll("'", "''")}']`);
      place += 2;
      while (isSymbol(tokens[place], '[')) place = closeOf(tokens, place) + 1;
    }
  }
  return replaced(text, tokens, (token) => fields.get(token) ?? null);
}

const closeOf = (tokens: readonly Token[], open: number): number =>
  tokens.findIndex((one, place) => place > open && one.depth === tokens[open]?.depth);

/** Synapse's `OPENROWSET(BULK 'path', FORMAT = 'CSV') WITH (a INT 1)`, whose options are no columns, by a call that the parser reads. */
function withListedFiles(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (!isTsql(dialect)) return text;
  const closes = closingPlaces(tokens);
  const changes = new Map<Token | undefined, string>();
  for (const [at, token] of tokens.entries()) {
    const close = isWord(token, 'openrowset') && isWord(tokens[at + 2], 'bulk') ? closes.get(at + 1) : undefined;
    if (close === undefined) continue;
    for (const one of tokens.slice(at + 2, close)) if (one.kind === 'word') changes.set(one, `'${one.text}'`);
    changes.set(tokens[at + 2], '');
    const list = isWord(tokens[close + 1], 'with') ? closes.get(close + 2) : undefined;
    if (list === undefined) continue;
    changes
      .set(token, 'OPENJSON')
      .set(tokens[at + 2], '(')
      .set(tokens[close], '))');
    for (const [place, one] of tokens.slice(close + 3, list).entries()) {
      const isPlace = one.kind === 'number' && one.depth === token.depth + 1;
      if (isPlace) changes.set(one, '');
      if (isWord(one, 'collate')) changes.set(one, '').set(tokens[close + 4 + place], '');
    }
  }
  return replaced(text, tokens, (token) => changes.get(token) ?? null);
}

/** BigQuery's `rows[0].* EXCEPT (a)`: the elements have the fields that the array has. */
function withStarOfField(text: string, tokens: readonly Token[]): string {
  const dropped = new Set<Token>();
  for (const [at, token] of tokens.entries()) {
    const isStar = isSymbol(token, ']') && isSymbol(tokens[at + 1], '.') && isSymbol(tokens[at + 2], '*');
    if (!isStar || !isWord(tokens[at + 3], 'except', 'replace')) continue;
    let open = at - 1;
    while (open > 0 && !(isSymbol(tokens[open], '[') && tokens[open]?.depth === token.depth)) open--;
    for (const one of tokens.slice(open, at + 1)) dropped.add(one);
  }
  return without(text, tokens, dropped);
}

/** DuckDB's `CREATE TABLE t AS PIVOT …`. */
function withQueriedPivot(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'duckdb' || !isWord(tokens[0], 'create')) return text;
  const pivot = tokens.find(
    (token, at) => token.depth === 0 && isWord(token, 'pivot', 'unpivot') && isWord(tokens[at - 1], 'as'),
  );
  const end = tokens.at(-1)?.end;
  if (pivot === undefined) return text;
  return `${text.slice(0, pivot.start)}SELECT * FROM (${text.slice(pivot.start, end)})`;
}

/** Spark's `! a` for `NOT a`. */
function withWordNot(text: string, tokens: readonly Token[]): string {
  return replaced(text, tokens, (token, at) =>
    isSymbol(token, '!') && !isSymbol(tokens[at + 1], '=', '!', '~') ? ' NOT ' : null,
  );
}

/** Databricks' `LIMIT :rows`. */
function withConstantLimit(text: string, tokens: readonly Token[]): string {
  const isParameter = (at: number) => isSymbol(tokens[at], ':') && isWord(tokens[at - 1], 'limit', 'offset');
  const named = new Set(tokens.filter((_token, at) => isParameter(at - 1)));
  return replaced(text, tokens, (token, at) => (isParameter(at) ? '1' : named.has(token) ? ' ' : null));
}

/** Databricks' `FROM STREAM t` as `FROM STREAM(t)`. */
function withCalledStream(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'databricks' || definesStream(tokens)) return text;
  const ends = new Set<Token>();
  const isStream = (token: Token, at: number) => {
    const name = tokens[at + 1];
    const isItem = isWord(tokens[at - 1], 'from', 'join') || isSymbol(tokens[at - 1], ',');
    if (!isItem || !isWord(token, 'stream') || !isName(name) || isWord(name, 'as')) return false;
    const end = tokens[lastOfPath(tokens, at + 1)];
    if (end !== undefined) ends.add(end);
    return true;
  };
  return replaced(text, tokens, (token, at) => {
    if (ends.has(token)) return `${token.text})`;
    return isStream(token, at) ? `${token.text}(` : null;
  });
}

/** Whether a common table is called `stream`. */
export const definesStream = (tokens: readonly Token[]): boolean =>
  tokens.some((token, at) => isWord(token, 'stream') && isWord(tokens[at + 1], 'as') && isSymbol(tokens[at + 2], '('));

/** SQL Server's `PARSE(a AS type USING 'culture')` is a cast. */
function withPlainParse(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (!isTsql(dialect)) return text;
  const closes = closingPlaces(tokens);
  const dropped = new Set<Token>();
  return replaced(text, tokens, (token, at) => {
    if (dropped.has(token)) return ' ';
    if (!isWord(token, 'parse', 'try_parse') || !isSymbol(tokens[at + 1], '(')) return null;
    const within = tokens.slice(at + 2, closes.get(at + 1));
    const using = within.findIndex((one) => one.depth === within[0]?.depth && isWord(one, 'using'));
    if (using >= 0) for (const one of within.slice(using)) dropped.add(one);
    return 'CAST';
  });
}

/** Snowflake's `x INT -> …` and `(x INT, y INT) -> …`. */
function withUntypedParameters(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'snowflake') return text;
  const types = new Set<Token>();
  const addType = (at: number) => {
    const type = tokens[at];
    if (type?.kind === 'word' && tokens[at - 1]?.kind === 'word') types.add(type);
  };
  for (const [open, close] of closingPlaces(tokens))
    if (isSymbol(tokens[close + 1], '->')) for (let at = open + 1; at < close; at++) addType(at);
  for (const [at, token] of tokens.entries()) if (isSymbol(token, '->')) addType(at - 1);
  return without(text, tokens, types);
}

/** ClickHouse's `FROM t, cluster('c', s.u)`: behind a comma the parser takes `cluster` for a clause. */
function withNamedCluster(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'clickhouse') return text;
  return replaced(text, tokens, (_token, at) => (isListedCluster(tokens, at) ? 'clusterAllReplicas' : null));
}

/** `"db"."schema"."f"(a)`: the parser takes no quoted function of a database. dbt's `function()` writes such a name. */
function withShortFunctionNames(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const dropped = new Set<Token>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'quoted' || !isSymbol(tokens[at + 1], '(')) continue;
    let first = at;
    while (isSymbol(tokens[first - 1], '.') && isName(tokens[first - 2])) first -= 2;
    if (at - first < 4 || isWord(tokens[first - 1], ...beforeRelations)) continue;
    // DuckDB calls a function with the column before the dot.
    for (const one of tokens.slice(first, dialect === 'duckdb' ? at : at - 2)) dropped.add(one);
  }
  return without(text, tokens, dropped);
}

/** PostgreSQL's and Trino's `BIGINT '0'`: the parser reads a type before a literal of few types only. */
function withPlainLiterals(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const isType = (token: Token, at: number) =>
    isWord(token, ...literalTypes) && tokens[at + 1]?.kind === 'string' && !isWord(tokens[at - 1], 'as');
  return typedLiterals.has(dialect) ? replaced(text, tokens, (token, at) => (isType(token, at) ? ' ' : null)) : text;
}

const typedLiterals: ReadonlySet<SqlDialect> = new Set(['athena', 'postgres', 'presto', 'redshift', 'trino']);
const literalTypes = 'bigint boolean char double int integer ipaddress real smallint tinyint varbinary varchar'.split(
  ' ',
);

/** Behind these a name with brackets is a relation with its columns, or a function that the parser takes. */
const beforeRelations =
  'from join lateral into overwrite table view using update exists references call function procedure'.split(' ');

export const isListedCluster = (tokens: readonly Token[], at: number): boolean =>
  isWord(tokens[at], 'cluster') && isSymbol(tokens[at - 1], ',') && isSymbol(tokens[at + 1], '(');
