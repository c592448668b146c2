import type { SqlDialect } from './dialect.ts';
import { closingPlaces, replaced, type TextRewrite, without } from './replace-tokens.ts';
import { isSymbol, isWord, type Token } from './tokens.ts';

/** Rewrites of what statements that write say in words that the parser does not take. */
export const writeRewrites: readonly TextRewrite[] = [
  withInsertInto,
  withMergedDelete,
  withEvolvedColumns,
  withCreatedAs,
  withCreatedInto,
  withPlainDirectory,
];

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
    const isName = next?.kind === 'quoted' || (next?.kind === 'word' && !isWord(next, ...afterInsert));
    if (isName) into.add(token);
  }
  return replaced(text, tokens, (token) => (into.has(token) ? 'INSERT INTO' : dropped.has(token) ? ' ' : null));
}

const afterInsert = `into overwrite all first or ignore low_priority high_priority delayed values default row`.split(
  ' ',
);

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

/** Delta Lake's `MERGE WITH SCHEMA EVOLUTION`: its `*` is the whole source row, as a verb without columns is. */
function withEvolvedColumns(text: string, tokens: readonly Token[]): string {
  const evolves = tokens.findIndex(
    (token, at) =>
      isWord(token, 'merge') && ['with', 'schema', 'evolution'].every((w, n) => isWord(tokens[at + n + 1], w)),
  );
  if (evolves < 0) return text;
  const stars = tokens.flatMap((token, at) => {
    const isOfUpdate = isWord(tokens[at - 1], 'set') && isWord(tokens[at - 2], 'update');
    if (!isSymbol(token, '*') || !(isOfUpdate || isWord(tokens[at - 1], 'insert'))) return [];
    return isOfUpdate ? tokens.slice(at - 1, at + 1) : [token];
  });
  const clause = tokens.slice(evolves + 1, evolves + 4);
  return without(text, tokens, new Set([...clause, ...stars]));
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

/** `SELECT … INTO TEMP TABLE t FROM …` as a CREATE. */
function withCreatedInto(text: string, tokens: readonly Token[]): string {
  if (!isWord(tokens[0], 'select', 'with')) return text;
  const into = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'into'));
  const kinds = tokens.slice(into + 1, into + 3).filter((token) => isWord(token, 'temp', 'temporary', 'table'));
  const from = tokens.findIndex((token, at) => at > into && token.depth === 0 && isWord(token, 'from'));
  const [name, start] = [tokens[into + 1 + kinds.length], tokens[into]];
  const behind = tokens[from];
  if (into < 0 || kinds.length === 0 || name === undefined || start === undefined || behind === undefined) return text;
  const kind = isWord(kinds[0], 'table') ? 'TABLE' : 'TEMPORARY TABLE';
  return `CREATE ${kind} ${text.slice(name.start, behind.start)} AS ${text.slice(0, start.start)}${text.slice(behind.start)}`;
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
