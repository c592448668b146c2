import type { SqlDialect } from './dialect.ts';
import { fieldsOf, listOf, type Syntax, tableNameOf } from './syntax.ts';
import type { RelationName } from './types.ts';

/** A token of SQL text: offsets in UTF-16 units, and how many brackets are open around it. */
export type Token = {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
};

/** Without comments, in linear time. Only exact enough to find clauses: what is not closed reaches to the end. */
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
  if (first === '[' && bracketedNames.has(dialect)) return { kind: 'quoted', end: nameEnd(text, at) };
  const marked = dialect === 'oracle' ? endOf(markedQuote, text, at) : null;
  if (marked !== null) return { kind: 'string', end: closedBy(text, closingMark(text.charAt(marked - 1)), marked) };
  const dollar = first === '$' ? endOf(dollarTag, text, at) : null;
  if (dollar !== null) return { kind: 'string', end: closedBy(text, text.slice(at, dollar), dollar) };
  const word = endOf(wordPattern, text, at);
  if (word !== null) return { kind: 'word', end: word };
  const number = endOf(numberPattern, text, at);
  if (number !== null) return { kind: 'number', end: number };
  return { kind: 'symbol', end: at + (pairs.has(text.slice(at, at + 2)) ? 2 : 1) };
}

const bracketedNames: ReadonlySet<string> = new Set(['fabric', 'sqlite', 'tsql']);
const nameEnd = (text: string, at: number): number => endOf(bracketedName, text, at) ?? text.length;
const bracketedName = /\[(?:[^\]]|\]\])*\]/y;

const wordPattern = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const numberPattern = /\d[\w.]*/y;
/** Oracle's `q'[it's]'`. */
const markedQuote = /n?q'[^\s]/iy;
const closingMark = (mark: string): string => `${{ '[': ']', '(': ')', '{': '}', '<': '>' }[mark] ?? mark}'`;
const dollarTag = /\$\w*\$/y;
const pairs: ReadonlySet<string> = new Set(['|>', '//', '::', ':=', '->', '=>', '<=', '>=', '<>', '!=', '==', '||']);

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
/** The dialects whose texts hide a quote behind a backslash. */
export const backslashEscapes: ReadonlySet<string> = new Set([...doubleQuotedStrings, 'clickhouse', 'snowflake']);

const backquoting: ReadonlySet<string> = new Set([...doubleQuotedStrings, 'clickhouse']);

/** What a dialect puts around a name that would be a keyword. */
export const quoteOfNames = (dialect: SqlDialect): string => (backquoting.has(dialect) ? '`' : '"');

function closedBy(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from);
  return end < 0 ? text.length : end + close.length;
}

function skipped(text: string, dialect: SqlDialect, from: number): number {
  let at = from;
  for (;;) {
    const space = endOf(spaces, text, at);
    if (space !== null) at = space;
    else if (isCommentAt(text, dialect, at)) at = commentEnd(text, at);
    else return at;
  }
}

const spaces = /\s+/y;

/** MySQL's text without `#` comments. What a comment with `/*!` (MariaDB: `/*M!`) holds is executed, so it stays, but not for a version that never comes. */
export function withPlainComments(text: string, dialect: SqlDialect): string {
  if (dialect !== 'mysql' || !/#|\/\*M?!/.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const [mark = ''] = text.slice(at, at + 4).match(/^(#|\/\*M?!)/) ?? [];
    if (mark === '') {
      at = isCommentAt(text, dialect, at) ? commentEnd(text, at) : lexemeEnd(text, dialect, at);
      continue;
    }
    const end = mark === '#' ? commentEnd(text, at) : closedBy(text, '*/', at + mark.length);
    parts.push(text.slice(from, at));
    const held = mark === '#' ? '' : text.slice(at + mark.length, end - 2);
    if (!held.startsWith('99999')) parts.push(held.replace(/^\d{1,6}/, ''));
    from = at = end;
  }
  return parts.join(' ') + text.slice(from);
}

const isCommentAt = (text: string, dialect: SqlDialect, at: number): boolean =>
  text.startsWith('/*', at) || isLineComment(text, dialect, at);

const commentEnd = (text: string, at: number): number =>
  text.startsWith('/*', at) ? closedBy(text, '*/', at + 2) : closedBy(text, '\n', at);

const lexemeEnd = (text: string, dialect: SqlDialect, at: number): number =>
  endOf(spaces, text, at) ?? tokenAt(text, dialect, at).end;

function isLineComment(text: string, dialect: SqlDialect, at: number): boolean {
  if (text.startsWith('--', at)) return true;
  if (text.startsWith('//', at)) return dialect === 'snowflake';
  return text.startsWith('#', at) && (dialect === 'bigquery' || dialect === 'mysql');
}

/** What a string literal holds, as its quotes tell. */
export function unquotedText(text: string): string {
  const tag = text.slice(0, text.indexOf('$', 1) + 1);
  if (text.startsWith('$')) return text.slice(tag.length, -tag.length);
  if (/^n?q'/i.test(text)) return text.slice(text.indexOf("'") + 2, -2);
  if (text.startsWith('"""') || text.startsWith("'''")) return text.slice(3, -3);
  const [quote] = text;
  return text.slice(1, -1).replaceAll(`${quote}${quote}`, quote ?? '');
}

/** A text in another form of the same meaning; a text without the syntax that it is for stays as it is. */
export type TextRewrite = (text: string, tokens: readonly Token[], dialect: SqlDialect) => string;

/** The place of the last part of the name that begins at a place. */
export function lastOfPath(tokens: readonly Token[], at: number): number {
  let last = at;
  while (isSymbol(tokens[last + 1], '.')) last += 2;
  return last;
}

/** A part of a text, and what comes in its place. */
export type Change = Pick<Token, 'start' | 'end' | 'text'>;

/** A text with some of its parts changed, which come in their order and do not overlap. */
export function withChanges(text: string, changes: readonly Change[]): string {
  const parts = changes.flatMap((change, place) => [
    text.slice(changes[place - 1]?.end ?? 0, change.start),
    change.text,
  ]);
  return parts.join('') + text.slice(changes.at(-1)?.end ?? 0);
}

/** A text with other words for some of its tokens; null keeps a token. */
export function replaced(
  text: string,
  tokens: readonly Token[],
  replacement: (token: Token, place: number) => string | null,
): string {
  const changes = tokens.flatMap((token, place): Change[] => {
    const other = replacement(token, place);
    return other === null ? [] : [{ start: token.start, end: token.end, text: other }];
  });
  return withChanges(text, changes);
}

export function without(text: string, tokens: readonly Token[], dropped: ReadonlySet<Token>): string {
  return dropped.size === 0 ? text : replaced(text, tokens, (token) => (dropped.has(token) ? ' ' : null));
}

export const withoutComments = (text: string, tokens: readonly Token[]): string =>
  tokens
    .map(({ text: own, start }, at) => {
      const gap = text.slice(tokens[at - 1]?.end ?? 0, start);
      return `${gap.trim() === '' ? gap : ' '}${own}`;
    })
    .join('');

/** The place of the bracket that closes the one at a place. */
export function closingPlaces(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const [place, token] of tokens.entries()) {
    if (isSymbol(token, '(')) open.push(place);
    const start = isSymbol(token, ')') ? open.pop() : undefined;
    if (start !== undefined) closes.set(start, place);
  }
  return closes;
}

/** The texts between the commas of the outermost level. */
export function listItems(text: string, tokens: readonly Token[]): readonly string[] {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return [];
  const commas = tokens.filter((token) => token.depth === first.depth && isSymbol(token, ','));
  return [...commas.map(({ start }) => start), last.end].map((end, at) =>
    text.slice(commas[at - 1]?.end ?? first.start, end),
  );
}

export type Renaming = {
  readonly from: RelationName;
  readonly to: RelationName;
  /** The rows of the other have the first name then. */
  readonly isSwap: boolean;
};

/** `ALTER TABLE t RENAME TO u`, and Snowflake's `SWAP WITH u`; null for any other statement. */
export function renamingOf({ kind, fields }: Syntax): Renaming | null {
  if (kind !== 'alter_table') return null;
  const from = tableNameOf(fieldsOf(fields['name']) ?? {});
  const [only, ...more] = listOf(fields['actions']).map((action) => fieldsOf(action) ?? {});
  const swapped = fieldsOf(only?.['SwapWith']);
  const named = swapped ?? fieldsOf(only?.['RenameTable']);
  const to = named === null || more.length > 0 ? [] : tableNameOf(named);
  if (from.length === 0 || to.length === 0) return null;
  // A new name of one part stays in the schema.
  return { from, isSwap: swapped !== null, to: to.length === 1 ? [...from.slice(0, -1), ...to] : to };
}
