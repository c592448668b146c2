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
  without,
} from './tokens.ts';

/** Rewrites of dialect-specific forms into equivalent ones that the parser accepts. */
export const formRewrites: readonly TextRewrite[] = [
  withWordNot,
  withWholeWords,
  withoutPrior,
  withStarOfField,
  withQueriedPivot,
  withConstantLimit,
  withCalledStream,
  withPlainParse,
  withUntypedParameters,
  withNamedCluster,
  withShortFunctionNames,
  withNamedRecord,
  withPlainXml,
  withCastStrings,
  withoutJoinAlias,
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

/** PRIOR in the list of a hierarchical query: the parser reads it in CONNECT BY only. */
function withoutPrior(text: string, tokens: readonly Token[]): string {
  if (!tokens.some((token) => isWord(token, 'connect'))) return text;
  return replaced(text, tokens, (token, at) => (isWord(token, 'prior') && isName(tokens[at + 1]) ? ' ' : null));
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

/** Behind these a name with brackets is a relation with its columns, or a function that the parser takes. */
const beforeRelations =
  'from join lateral into overwrite table view using update exists references call function procedure'.split(' ');

export const isListedCluster = (tokens: readonly Token[], at: number): boolean =>
  isWord(tokens[at], 'cluster') && isSymbol(tokens[at - 1], ',') && isSymbol(tokens[at + 1], '(');

/** PostgreSQL's `json_to_record(a) AS (b int)`: the parser wants a name before types of columns. */
function withNamedRecord(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const names = new Map([...closingPlaces(tokens)].map(([open, close]) => [tokens[close + 1], tokens[open - 1]?.text]));
  return replaced(text, tokens, (token, at) => {
    const [open, column, type] = tokens.slice(at + 1, at + 4);
    const isList = isWord(token, 'as') && isSymbol(open, '(') && isName(column) && isName(type);
    return isList && !isWord(column, ...queryWords) && names.has(token) ? `AS ${names.get(token)}` : null;
  });
}

const queryWords = ['select', 'with', 'values', 'table', 'insert', 'update', 'delete', 'merge'];

/** SQL/XML without words that name no column: `xmlserialize(CONTENT a AS text)`, `xmlforest(a AS b)`, `xmlroot(a, VERSION '1')`. */
function withPlainXml(text: string, tokens: readonly Token[]): string {
  const dropped = new Set<Token>();
  for (const [open, close] of closingPlaces(tokens)) {
    const call = tokens[open - 1];
    if (!isWord(call, 'xmlforest', 'xmlparse', 'xmlroot', 'xmlserialize')) continue;
    const inner = tokens.slice(open + 1, close);
    let isDropped = false;
    for (const [at, token] of inner.entries()) {
      const isOuter = token.depth === inner[0]?.depth;
      const isLabel = at === 0 && isWord(token, 'content', 'document');
      if (isOuter && isSymbol(token, ',')) isDropped = isWord(call, 'xmlroot');
      else if (isOuter && isWord(token, 'as')) isDropped = true;
      if (isDropped || isLabel) dropped.add(token);
    }
  }
  return replaced(text, tokens, (token, at) => {
    const isKeyword =
      isWord(tokens[at - 1], 'name') && isSymbol(tokens[at - 2], '(') && isWord(tokens[at - 3], 'xmlelement');
    if (isKeyword && token.kind === 'word') return `"${token.text}"`;
    return dropped.has(token) ? ' ' : null;
  });
}

/** PostgreSQL's `jsonb '{}'` and `bool 't'`. */
function withCastStrings(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const isType = (at: number) => isWord(tokens[at], ...typesOfStrings) && tokens[at + 1]?.kind === 'string';
  return replaced(text, tokens, (token, at) => {
    if (isType(at)) return ' ';
    return isType(at - 1) ? `cast(${token.text} as ${tokens[at - 1]?.text})` : null;
  });
}

const typesOfStrings = 'bool boolean float4 float8 inet int2 int4 int8 json jsonb numeric text uuid xml'.split(' ');

/** PostgreSQL's `JOIN u USING (a) AS x`: `x.a` is the column that the join has made one. */
function withoutJoinAlias(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const closes = closingPlaces(tokens);
  const ends = tokens.flatMap((token, at) => (isWord(token, 'using') ? (closes.get(at + 1) ?? []) : []));
  const aliases = new Set(ends.filter((at) => isWord(tokens[at + 1], 'as')).map((at) => tokens[at + 2]));
  const names = new Set([...aliases].map((alias) => alias?.text));
  return replaced(text, tokens, (token, at) => {
    const isQualifier = names.has(token.text) && isSymbol(tokens[at + 1], '.') && isName(tokens[at + 2]);
    const isDot = isSymbol(token, '.') && names.has(tokens[at - 1]?.text ?? '') && isName(tokens[at + 1]);
    return isQualifier || isDot || aliases.has(token) || aliases.has(tokens[at + 1]) ? ' ' : null;
  });
}
