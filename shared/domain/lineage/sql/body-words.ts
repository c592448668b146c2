import type { SqlDialect } from './dialect.ts';
import { isName, isSymbol, isWord, type Token, tokensOf, without } from './tokens.ts';

/** A statement along a body. */
export type BodyStatement =
  | { readonly kind: 'sql'; readonly text: string }
  /** The query whose columns, by place, are the values of variables. */
  | { readonly kind: 'assign'; readonly names: readonly string[]; readonly query: string }
  /** The query whose rows a name represents one by one. */
  | { readonly kind: 'row'; readonly name: string; readonly query: string }
  | { readonly kind: 'declare'; readonly name: string }
  /** What is not known before it runs. */
  | { readonly kind: 'open'; readonly reason: string };

export const isTsql = (dialect: SqlDialect): boolean => dialect === 'tsql' || dialect === 'fabric';

export const verbs =
  'select insert update delete merge with create drop alter truncate copy replace upsert grant revoke call values unload load export cache analyze vacuum declare exec execute comment use refresh'.split(
    ' ',
  );
export const skipped =
  'commit rollback return raise exit continue leave iterate null print throw goto perform close open signal resignal break waitfor savepoint raiserror deallocate get go pragma assert lock'.split(
    ' ',
  );

export function unquotedText(text: string): string {
  if (!text.startsWith('$'))
    return text
      .replace(/^[rRnN]?/, '')
      .slice(1, -1)
      .replaceAll("''", "'");
  const tag = text.slice(0, text.indexOf('$', 1) + 1);
  return text.slice(tag.length, -tag.length);
}

/** `SET x = …`, which sets a variable in all dialects but those where it sets an option. */
export function isAssignment(tokens: readonly Token[], at: number, dialect: SqlDialect): boolean {
  const isSigned = tokens[at + 1]?.text === '@';
  const equals = isSigned ? at + 3 : at + 2;
  if (!isSymbol(tokens[equals], '=', ':=')) return isSymbol(tokens[at + 1], '(') && dialect === 'bigquery';
  return isSigned || ['bigquery', 'snowflake', 'mysql', 'tsql', 'fabric', 'databricks', 'spark'].includes(dialect);
}

/** The literal that `EXECUTE IMMEDIATE`, `EXECUTE` or `sp_executesql` runs; an empty text for a computed one; null for other calls. */
export function computed(tokens: readonly Token[], at: number): string | null {
  const literal = (place: number): string => {
    const token = isWord(tokens[place], 'n') ? tokens[place + 1] : tokens[place];
    const end = tokens[isWord(tokens[place], 'n') ? place + 2 : place + 1];
    const isWhole =
      token?.kind === 'string' &&
      (end === undefined || isSymbol(end, ';', ')', ',') || isWord(end, 'using', 'into', 'end'));
    return isWhole ? unquotedText(token.text) : '';
  };
  const next = tokens[at + 1];
  if (isWord(next, 'immediate')) return literal(isSymbol(tokens[at + 2], '(') ? at + 3 : at + 2);
  if (isWord(next, 'sp_executesql')) return literal(at + 2);
  if (isSymbol(next, '(')) return literal(at + 2);
  if (isWord(tokens[at], 'execute') && (next?.kind === 'string' || isWord(next, 'format'))) return literal(at + 1);
  return null;
}

/** Whether a control word ends the statement before it. */
export function endsStatement(tokens: readonly Token[], at: number, dialect: SqlDialect): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (isSymbol(before, '.', ',', '=') || isWord(before, 'as')) return false;
  if (isWord(token, 'end', 'else', 'elsif', 'elseif')) return true;
  if (!isTsql(dialect)) return false;
  if (isWord(token, 'if'))
    return (
      !isWord(next, 'exists') ||
      !isWord(before, 'table', 'view', 'procedure', 'proc', 'index', 'schema', 'column', 'constraint')
    );
  if (isWord(token, 'set'))
    return (
      next?.text === '@' ||
      isWord(next, 'nocount', 'xact_abort', 'ansi_nulls', 'quoted_identifier', 'identity_insert', 'transaction')
    );
  if (isWord(token, 'exec', 'execute')) return !isSymbol(before, ')') && !isWord(tokens[0], 'insert');
  return isWord(
    token,
    'begin',
    'while',
    'declare',
    'return',
    'print',
    'throw',
    'commit',
    'rollback',
    'fetch',
    'open',
    'close',
    'deallocate',
    'raiserror',
    'drop',
    'truncate',
  );
}

/** The first word of the statement behind SQL Server's IF or WHILE, which no word divides from its condition. */
export function nextVerb(tokens: readonly Token[], from: number): number {
  const depth = tokens[from]?.depth ?? 0;
  for (let at = from; at < tokens.length; at++)
    if (
      tokens[at]?.depth === depth &&
      isWord(
        tokens[at],
        'begin',
        'set',
        'print',
        'return',
        'break',
        'continue',
        'throw',
        'raiserror',
        'fetch',
        'if',
        ...verbs,
      )
    )
      return at;
  return tokens.length;
}

/** Oracle's procedure has its declarations between IS and BEGIN. */
export const startsWithDeclaration = (tokens: readonly Token[], dialect: SqlDialect): boolean =>
  dialect === 'oracle' &&
  isName(tokens[0]) &&
  !isWord(tokens[0], ...verbs, 'if', 'for', 'while', 'loop', 'set', 'execute');

/** SQL Server's `SELECT @a = x, @b = y FROM t` as variables and a query; null for any other statement. */
export function variablesSelected(
  text: string,
  dialect: SqlDialect,
): { readonly names: readonly string[]; readonly query: string } | null {
  const tokens = tokensOf(text, dialect);
  if (!isWord(tokens[0], 'select') || tokens[1]?.text !== '@') return null;
  const names: string[] = [];
  const dropped = new Set<Token>();
  for (const [at, token] of tokens.entries()) {
    const isFirst = at === 1 || (token.depth === 0 && isSymbol(tokens[at - 1], ','));
    const [name, equals] = [tokens[at + 1], tokens[at + 2]];
    if (!isFirst || token.text !== '@' || name === undefined || equals === undefined || !isSymbol(equals, '='))
      continue;
    names.push(`@${name.text}`);
    dropped.add(token).add(name).add(equals);
  }
  return names.length === 0 ? null : { names, query: without(text, tokens, dropped) };
}
