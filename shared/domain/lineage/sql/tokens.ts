import type { SqlDialect } from './dialect.ts';

/** A token of SQL text: offsets in UTF-16 units, and how many brackets are open around it. */
export type Token = {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
};

/**
 * The tokens of a text without its comments, in time linear in its length. Only as exact as finding clauses needs: what
 * is not closed reaches to the end of the text.
 */
export function tokensOf(text: string, dialect: SqlDialect): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = skipped(text, dialect, 0); at < text.length; ) {
    const { kind, end } = tokenAt(text, dialect, at);
    const value = text.slice(at, end);
    if (kind === 'symbol' && closing.has(value)) depth--;
    tokens.push({ kind, text: value, start: at, end, depth });
    if (kind === 'symbol' && opening.has(value)) depth++;
    at = skipped(text, dialect, end);
  }
  return tokens;
}

/** Whether a token is one of some keywords, which are given in lower case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase());
}

export const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted';

export function isSymbol(token: Token | undefined, ...symbols: readonly string[]): boolean {
  return token?.kind === 'symbol' && symbols.includes(token.text);
}

const opening: ReadonlySet<string> = new Set(['(', '[', '{']);
const closing: ReadonlySet<string> = new Set([')', ']', '}']);

type Lexeme = { readonly kind: Token['kind']; readonly end: number };

function tokenAt(text: string, dialect: SqlDialect, at: number): Lexeme {
  const first = text.charAt(at);
  if (first === "'" || first === '"' || first === '`') return quotedAt(text, dialect, at);
  const dollar = first === '$' ? endOf(dollarTag, text, at) : null;
  if (dollar !== null) return { kind: 'string', end: closedBy(text, text.slice(at, dollar), dollar) };
  const word = endOf(wordPattern, text, at);
  if (word !== null) return { kind: 'word', end: word };
  const number = endOf(numberPattern, text, at);
  if (number !== null) return { kind: 'number', end: number };
  return { kind: 'symbol', end: at + (pairs.has(text.slice(at, at + 2)) ? 2 : 1) };
}

const wordPattern = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const numberPattern = /\d[\w.]*/y;
const dollarTag = /\$\w*\$/y;
const pairs: ReadonlySet<string> = new Set(['|>', '//', '::', ':=', '->', '=>', '<=', '>=', '<>', '!=', '||']);

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function quotedAt(text: string, dialect: SqlDialect, at: number): Lexeme {
  const quote = text.charAt(at);
  const triple = quote.repeat(3);
  const isString = quote === "'" || (quote === '"' && doubleQuotedStrings.has(dialect));
  const kind = isString ? 'string' : 'quoted';
  if (dialect === 'bigquery' && isString && text.startsWith(triple, at))
    return { kind, end: closedBy(text, triple, at + 3) };
  const escapes = isString && backslashEscapes.has(dialect);
  for (let end = at + 1; end < text.length; end++) {
    if (escapes && text.charAt(end) === '\\') end++;
    else if (text.charAt(end) === quote) {
      if (text.charAt(end + 1) !== quote) return { kind, end: end + 1 };
      end++;
    }
  }
  return { kind, end: text.length };
}

const doubleQuotedStrings: ReadonlySet<string> = new Set(['bigquery', 'databricks', 'hive', 'mysql', 'spark']);
const backslashEscapes: ReadonlySet<string> = new Set([...doubleQuotedStrings, 'clickhouse', 'snowflake']);

function closedBy(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from);
  return end < 0 ? text.length : end + close.length;
}

/** Where the next token begins, behind spaces and comments. */
function skipped(text: string, dialect: SqlDialect, from: number): number {
  let at = from;
  for (;;) {
    const space = endOf(spaces, text, at);
    if (space !== null) at = space;
    else if (text.startsWith('/*', at)) at = closedBy(text, '*/', at + 2);
    else if (isLineComment(text, dialect, at)) at = closedBy(text, '\n', at);
    else return at;
  }
}

const spaces = /\s+/y;

function isLineComment(text: string, dialect: SqlDialect, at: number): boolean {
  if (text.startsWith('--', at)) return true;
  if (text.startsWith('//', at)) return dialect === 'snowflake';
  return text.startsWith('#', at) && (dialect === 'bigquery' || dialect === 'mysql');
}
