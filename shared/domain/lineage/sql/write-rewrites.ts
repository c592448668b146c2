import type { SqlDialect } from './dialect.ts';
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

/** `INSERT VALUES (*)` means the target's columns by name, `INSERT VALUES (source.*)` those of the source. */
const mergeRewrites: readonly TextRewrite[] = [withMergedDelete, withWholeRows, withReplacedDuplicates];

/** Oracle's `UPDATE SET … WHERE a DELETE WHERE b` of a MERGE: both decide which rows there are. */
function withMergedDelete(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'oracle') return text;
  const dropped = new Set<Token>();
  let where = false;
  return replaced(text, tokens, (token, place) => {
    if (token.depth > 0) return null;
    if (isWord(token, 'when')) where = false;
    const isDelete =
      isWord(token, 'delete') && isWord(tokens[place + 1], 'where') && !isWord(tokens[place - 1], 'then');
    const [, next] = isDelete ? [token, tokens[place + 1]] : [];
    if (next !== undefined) dropped.add(next);
    if (isDelete) return where ? 'AND' : 'WHERE';
    if (dropped.has(token)) return ' ';
    where ||= isWord(token, 'where');
    return null;
  });
}

/** `WITH SCHEMA EVOLUTION`, `UPDATE SET * EXCEPT (a)`, DuckDB's `UPDATE BY NAME`, Snowflake's `INSERT ALL BY NAME`. */
function withWholeRows(text: string, tokens: readonly Token[]): string {
  const merge = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'merge'));
  if (merge < 0) return text;
  const evolves = areWords(tokens, merge + 1, ['with', 'schema', 'evolution']);
  const dropped = new Set(evolves ? tokens.slice(merge + 1, merge + 4) : []);
  const rows = new Map<Token, string>();
  const closes = closingPlaces(tokens);
  for (const [place, token] of tokens.entries()) {
    if (!isWord(tokens[place - 1], 'then') || !isWord(token, 'insert', 'update')) continue;
    const star = starRow(text, tokens, closes, place);
    const row = star ?? namedRow(tokens, place);
    // The parser reads a star without more.
    if (row === null || (star?.list === '*' && !evolves)) continue;
    rows.set(token, `INSERT VALUES (${star !== null && evolves ? 'source.' : ''}${row.list})`);
    for (const one of tokens.slice(place + 1, row.end)) dropped.add(one);
  }
  return replaced(text, tokens, (token) => rows.get(token) ?? (dropped.has(token) ? ' ' : null));
}

/** The columns that a verb writes, and the place behind its words. */
type WrittenRow = { readonly list: string; readonly end: number };

/** `SET *` or `INSERT *` with its EXCEPT. */
function starRow(
  text: string,
  tokens: readonly Token[],
  closes: ReadonlyMap<number, number>,
  verb: number,
): WrittenRow | null {
  const place = isWord(tokens[verb + 1], 'set') ? verb + 2 : verb + 1;
  if (!isSymbol(tokens[place], '*')) return null;
  const last = isWord(tokens[place + 1], 'except') ? (closes.get(place + 2) ?? place) : place;
  return { list: text.slice(tokens[place]?.start, tokens[last]?.end), end: last + 1 };
}

function namedRow(tokens: readonly Token[], verb: number): WrittenRow | null {
  const by = isWord(tokens[verb + 1], 'all') ? verb + 2 : verb + 1;
  if (!areWords(tokens, by, ['by', 'name'])) return null;
  return { list: '*', end: isSymbol(tokens[by + 2], '*') ? by + 3 : by + 2 };
}

/** Redshift's `MERGE … REMOVE DUPLICATES` updates and inserts the whole row, column by column. */
function withReplacedDuplicates(text: string, tokens: readonly Token[]): string {
  if (!tokens.some((token) => token.depth === 0 && isWord(token, 'merge'))) return text;
  return replaced(text, tokens, (token, place) => {
    if (isWord(token, 'duplicates') && isWord(tokens[place - 1], 'remove')) return 'NOT MATCHED THEN INSERT *';
    return isWord(token, 'remove') && isWord(tokens[place + 1], 'duplicates') ? 'WHEN' : null;
  });
}

const areWords = (tokens: readonly Token[], from: number, words: readonly string[]): boolean =>
  words.every((word, at) => isWord(tokens[from + at], word));

/** Rewrites of DML clauses that the parser does not accept. */
export const writeRewrites: readonly TextRewrite[] = [
  withoutModifiers,
  withInsertInto,
  ...mergeRewrites,
  withoutPosition,
  withoutReturnedVariables,
  withCreatedAs,
  withPlainDirectory,
  withMergedChanges,
  withExceptedColumns,
  withAppendedRows,
];

/** MySQL's `INSERT LOW_PRIORITY IGNORE …` and `CHAR CHARACTER SET utf8mb4`: neither changes what is read. */
function withoutModifiers(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'mysql') return text;
  const dropped = new Set<Token>();
  for (const [place, token] of tokens.entries()) {
    const before = tokens[place - 1];
    const isModifier = isWord(before, 'insert', 'replace', 'update', 'delete') || (before && dropped.has(before));
    if (token.depth === 0 && isModifier && isWord(token, ...modifiers)) dropped.add(token);
    if (token.depth > 0 && areWords(tokens, place, ['character', 'set']))
      for (const one of tokens.slice(place, place + 3)) dropped.add(one);
  }
  return without(text, tokens, dropped);
}

const modifiers = ['low_priority', 'high_priority', 'delayed', 'quick', 'ignore'];

/** SQL Server's, BigQuery's and MySQL's `INSERT t …`, and `INSERT TOP (10) INTO t …`. */
function withInsertInto(text: string, tokens: readonly Token[]): string {
  const closes = closingPlaces(tokens);
  const dropped = new Set<Token>();
  const into = new Set<Token>();
  for (const [place, token] of tokens.entries()) {
    if (token.depth > 0 || !isWord(token, 'insert') || isWord(tokens[place - 1], 'then')) continue;
    const name = isWord(tokens[place + 1], 'top') ? (closes.get(place + 2) ?? place + 2) + 1 : place + 1;
    for (const one of tokens.slice(place + 1, name)) dropped.add(one);
    const next = tokens[name];
    const isName =
      next?.kind === 'quoted' || isSymbol(next, '#', '@') || (next?.kind === 'word' && !isWord(next, ...afterInsert));
    if (isName) into.add(token);
  }
  return replaced(text, tokens, (token) => (into.has(token) ? 'INSERT INTO' : dropped.has(token) ? ' ' : null));
}

const afterInsert = 'into overwrite all first or values default row'.split(' ');

/** DuckDB's `INSERT INTO t BY POSITION …`, and `UPDATE BY POSITION` of a MERGE, do what they do without. */
function withoutPosition(text: string, tokens: readonly Token[]): string {
  const into = tokens.findIndex((token) => isWord(token, 'into'));
  const list = tokens.findIndex((token, at) => at > into && isWord(token, 'by', 'select', 'values', 'from', 'with'));
  const dropped = tokens.flatMap((token, at) => {
    const isChoice = at === list || isWord(tokens[at - 1], 'insert', 'update');
    return isChoice && isWord(token, 'by') && isWord(tokens[at + 1], 'position') ? tokens.slice(at, at + 2) : [];
  });
  return isWord(tokens[0], 'insert', 'merge', 'with') ? without(text, tokens, new Set(dropped)) : text;
}

/** Oracle's `RETURNING a INTO :x` at the end. */
function withoutReturnedVariables(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'oracle' || !isWord(tokens[0], 'insert', 'update', 'delete', 'merge')) return text;
  const returning = tokens.find((token) => token.depth === 0 && isWord(token, 'returning', 'return'));
  return returning === undefined ? text : text.slice(0, returning.start);
}

/** Spark's and MySQL's `CREATE TABLE t SELECT …`. */
function withCreatedAs(text: string, tokens: readonly Token[]): string {
  if (!isWord(tokens[0], 'create')) return text;
  const query = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'select', 'with', 'as'));
  const isTable = tokens.slice(0, query).some((token) => isWord(token, 'table'));
  const found = tokens[query];
  if (!isTable || !isWord(found, 'select')) return text;
  return replaced(text, tokens, (token) => (token === found ? `AS ${token.text}` : null));
}

/** Spark's `INSERT OVERWRITE DIRECTORY 'path' USING format OPTIONS (…) SELECT …`. */
function withPlainDirectory(text: string, tokens: readonly Token[]): string {
  const place = tokens.findIndex((token, at) => isWord(token, 'directory') && isOverwritten(tokens, at));
  const [directory, path] = [tokens[place], tokens[place + 1]];
  const query = tokens.find((token, at) => at > place && token.depth === 0 && isWord(token, 'select', 'with'));
  if (directory === undefined || query === undefined) return text;
  const written = path?.kind === 'string' ? path.text : "''";
  return `${text.slice(0, directory.end)} ${written} ${text.slice(query.start)}`;
}

const isOverwritten = (tokens: readonly Token[], at: number): boolean =>
  isWord(tokens[at - 1], 'overwrite') || (isWord(tokens[at - 1], 'local') && isWord(tokens[at - 2], 'overwrite'));

/** Databricks' `APPLY CHANGES INTO t FROM s KEYS (k) SEQUENCE BY a`, and `CREATE FLOW f AS AUTO CDC INTO t …`, as a MERGE. */
function withMergedChanges(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const words = ['into', 'from', 'keys', 'sequence', 'columns', 'stored'];
  const find = (word: string) => tokens.findIndex((token) => token.depth === 0 && isWord(token, word));
  const verb = tokens.findIndex((token, at) => isWord(token, 'changes', 'cdc') && isWord(tokens[at + 1], 'into'));
  if (dialect !== 'databricks' || !isWord(tokens[verb - 1], 'apply', 'auto')) return text;
  /** The text from some tokens behind a place to the next clause. */
  const behind = (at: number, skipped: number): string => {
    const end = tokens.findIndex((one, place) => {
      const begins = isWord(one, ...words, 'track') || (isWord(one, 'apply') && isWord(tokens[place + 1], 'as'));
      return place > at && one.depth === 0 && (begins || isSymbol(one, ';'));
    });
    return at < 0 ? '' : text.slice(tokens[at + skipped]?.start, tokens[end < 0 ? tokens.length : end]?.start);
  };
  const [target, source, keys] = ['into', 'from', 'keys'].map((word) => behind(find(word), 1));
  const list = find('columns') < 0 ? '*' : behind(find('columns'), 1);
  const when = tokens.flatMap((token, at) =>
    isWord(token, 'when') && isWord(tokens[at - 1], 'delete', 'truncate') ? [behind(at, 1)] : [],
  );
  const conditions = [behind(find('sequence'), 2), ...when].map((one) => `(${one}) IS NOT NULL`).join(' AND ');
  return `MERGE INTO ${target} USING (SELECT ${list} FROM ${source} WHERE ${conditions}) AS changes ON ${keys} = ${keys}
    WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *`;
}

/** ClickHouse's `INSERT INTO t (* EXCEPT (b))`: a column is left out as that of a partition is. */
function withExceptedColumns(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const star = tokens.findIndex((token, at) => isSymbol(token, '*') && isWord(tokens[at + 1], 'except'));
  if (dialect !== 'clickhouse' || !isWord(tokens[0], 'insert') || tokens[star]?.depth !== 1) return text;
  const [open, close] = [tokens[star - 1], tokens.find((one, at) => at > star && one.depth === 0)];
  const names = tokens.filter((one, at) => at > star + 1 && one.end <= (close?.start ?? 0) && isName(one));
  if (!isSymbol(open, '(') || open === undefined || close === undefined) return text;
  const pairs = names.map((name) => `${name.text} = 1`).join(', ');
  return `${text.slice(0, open.start)}PARTITION (${pairs})${text.slice(close.end)}`;
}

/** Redshift's `ALTER TABLE t APPEND FROM s`, whose columns have the same names. */
function withAppendedRows(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const append = lastOfPath(tokens, 2) + 1;
  const last = lastOfPath(tokens, append + 2);
  if (dialect !== 'redshift' || !isWord(tokens[0], 'alter') || !isWord(tokens[append], 'append')) return text;
  const [target, source] = [text.slice(tokens[2]?.start, tokens[append]?.start), tokens[append + 2]];
  return `INSERT INTO ${target} BY NAME SELECT * FROM ${text.slice(source?.start, tokens[last]?.end)}`;
}
