import { isTsql, type SqlDialect } from './dialect.ts';
import { backslashEscapes, type Token, tokensOf } from './tokens.ts';

/**
 * SQL with `?` for its texts and numbers, on one line and without its comments, which may hold what literals do. A lone
 * `?` if it is unclear where a literal ends.
 */
export function maskedLiterals(text: string, dialect: SqlDialect): string {
  const tokens = tokensOf(text, dialect);
  if (hidesQuotes(text, dialect) || isOpen(tokens.at(-1)) || spacesOf(text, tokens).some(isUnclearSpace)) return '?';
  return tokens
    .map(({ kind, text, start }, place) => {
      const space = place === 0 || tokens[place - 1]?.end === start ? '' : ' ';
      return space + (kind === 'string' || kind === 'number' ? '?' : text);
    })
    .join('');
}

/** Whether a quote may mean something else: by a setting of the session, a prefix or a bracket around it. */
function hidesQuotes(text: string, dialect: SqlDialect): boolean {
  if (dialect === 'ansi' && /["#\\]|\/\//.test(text)) return true;
  if (dialect === 'oracle' && /\bn?q'/i.test(text)) return true;
  if ((isTsql(dialect) || dialect === 'sqlite') && /\[[^[\]]*['"]/.test(text)) return true;
  return backslashEscapes.has(dialect) ? text.includes('\\') && /r[b]?['"]/i.test(text) : /\\['"]/.test(text);
}

/** Whether a text ends within a literal that was not cut: then it may have begun within one. */
function isOpen(last: Token | undefined): boolean {
  if (last?.kind !== 'string' || last.text.endsWith('…')) return false;
  const isClosed = last.text.length > 1 && last.text.endsWith(last.text.charAt(0));
  return !isClosed;
}

const spacesOf = (text: string, tokens: readonly Token[]): readonly string[] =>
  [...tokens, { start: text.length }].map(({ start }, place) => text.slice(tokens[place - 1]?.end ?? 0, start));

/** Databases differ in whether comments nest, and in whether a lone carriage return ends one. */
const isUnclearSpace = (space: string): boolean => space.split('/*').length > 2 || /\r(?!\n)/.test(space);
