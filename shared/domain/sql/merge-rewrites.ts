import type { SqlDialect } from './dialect.ts';
import { closingPlaces, replaced, type TextRewrite } from './replace-tokens.ts';
import { isSymbol, isWord, type Token } from './tokens.ts';

/**
 * Rewrites of what a MERGE writes without naming it. `INSERT VALUES (*)` stands for the columns of the target by name,
 * `INSERT VALUES (source.*)` for those of the source, whatever the target has; no dialect has these forms itself.
 */
export const mergeRewrites: readonly TextRewrite[] = [withMergedDelete, withWholeRows, withReplacedDuplicates];

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
