import { isTsql, type SqlDialect } from '../dialect.ts';
import { isName, isSymbol, isWord, type Token, tokensOf, without } from '../tokens.ts';

const words = (text: string): readonly string[] => text.split(/\s+/);

/** The first words of statements that the parser may know. */
export const verbs = words(
  `alter analyze analyse cache cluster comment copy create delete drop explain export from get grant insert list load
  merge optimize put refresh reindex rename replace revoke select table truncate unload update upsert use vacuum values
  with`,
);

/** First words of statements that no row passes through. */
export const withoutRows = words(
  `assert await close deallocate get go lock null open pragma print purge release resume suspend waitfor wait reset discard listen notify kill dbcc checkpoint reconfigure use cancel`,
);

/** What ends a part of a body early. */
export const leavingRoutine = words('goto raise raiserror resignal return signal throw');
export const leavingLoop = words('break continue exit iterate leave');

/** `SET x = …`, which sets a variable in all dialects but those where it sets an option. */
export function isAssignment(tokens: readonly Token[], at: number, dialect: SqlDialect): boolean {
  if (tokens[at + 1]?.text === '@') return true;
  const takesNames = ['bigquery', 'snowflake', 'mysql', 'databricks', 'spark'].includes(dialect);
  if (isSymbol(tokens[at + 1], '(')) return takesNames;
  const equals = isWord(tokens[at + 1], 'var', 'variable') ? at + 3 : at + 2;
  return takesNames && isSymbol(tokens[equals], '=', ':=');
}

export const isTransaction = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1] === undefined ||
  isSymbol(tokens[at + 1], ';') ||
  isWord(tokens[at + 1], 'tran', 'transaction', 'work', 'distributed', 'name');

/** Whether a control word ends the statement before it. */
export function endsStatement(tokens: readonly Token[], at: number, dialect: SqlDialect): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (isSymbol(before, '.', ',', '=', '@') || isWord(before, 'as')) return false;
  if (isWord(token, 'end', 'else', 'elsif', 'elseif')) return true;
  if (!isTsql(dialect)) return false;
  if (isWord(token, 'if')) return !isWord(next, 'exists') || !isWord(before, ...named);
  if (isWord(token, 'set'))
    return (
      next?.text === '@' ||
      isWord(next, 'nocount', 'xact_abort', 'ansi_nulls', 'quoted_identifier', 'identity_insert', 'transaction')
    );
  if (isWord(token, 'fetch')) return isWord(next, 'next', 'prior', 'first', 'last', 'absolute', 'relative', 'from');
  if (isWord(token, 'exec', 'execute')) return !isWord(before, 'with') && !isSymbol(before, ')') && !isName(before);
  if (isWord(token, 'open', 'close', 'save')) return isName(next) || next?.text === '@';
  return isWord(token, ...tsqlStarts) || (isName(token) && isSymbol(next, ':') && isSymbol(before, ';'));
}

const named = words('table view procedure proc function index schema column constraint trigger type user role');
const tsqlStarts = words(
  `begin while declare return print throw commit rollback deallocate raiserror drop truncate break goto waitfor`,
);

/** The place behind what tells how many rows the last statement had, such as `@@ROWCOUNT` and `c%NOTFOUND`. */
export function statusName(tokens: readonly Token[], at: number): number | null {
  const [token, next, last] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (isWord(token, 'sqlfound', 'sqlnotfound', 'sqlrowcount')) return at + 1;
  if (isSymbol(token, '@') && isSymbol(next, '@') && isWord(last, 'rowcount', 'fetch_status', 'row_count'))
    return at + 3;
  const isAttribute = isName(token) && isSymbol(next, '%') && isWord(last, 'found', 'notfound', 'rowcount', 'isopen');
  return isAttribute ? at + 3 : null;
}

/** SQL Server's `SELECT @a = x, @b = y FROM t` as variables and a query; null for any other statement. */
export function variablesSelected(
  text: string,
  dialect: SqlDialect,
): { readonly names: readonly string[]; readonly query: string } | null {
  const tokens = tokensOf(text, dialect);
  if (!isWord(tokens[0], 'select')) return null;
  const names: string[] = [];
  const dropped = new Set<Token>();
  for (const [at, token] of tokens.entries()) {
    if (isWord(token, 'from') && token.depth === 0) break;
    const before = tokens[at - 1];
    const begins = isWord(before, 'select', 'distinct') || isSymbol(before, ',', ')') || before?.kind === 'number';
    const [name, equals] = [tokens[at + 1], tokens[at + 2]];
    if (!begins || token.depth > 0 || token.text !== '@' || name === undefined || equals === undefined) continue;
    const isCompound = isSymbol(equals, '+', '-', '*', '/') && isSymbol(tokens[at + 3], '=');
    if (!isSymbol(equals, '=') && !isCompound) continue;
    names.push(`@${name.text}`);
    // `@a += x` gives the variable `@a + x`.
    const last = tokens[at + 3];
    if (!isCompound) dropped.add(token).add(name).add(equals);
    else if (last !== undefined) dropped.add(last);
  }
  return names.length === 0 ? null : { names, query: without(text, tokens, dropped) };
}
