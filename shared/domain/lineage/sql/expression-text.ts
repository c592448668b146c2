import type { SqlDialect } from './dialect.ts';
import { fieldsOf, type Syntax, wordSet } from './syntax.ts';
import { isName, isSymbol, isWord, type Token, tokensOf } from './tokens.ts';
import type { Expression, SqlOptions } from './types.ts';

/** Finds the text of an item of a select list. */
export type ExpressionTexts = (item: Syntax) => Expression;

/** Code points of an expression that are kept. */
const maxExpressionLength = 500;

/** The parser places names, not expressions: an item reaches from comma to comma. Divides the text on first use. */
export function expressionTexts(text: string, { dialect }: SqlOptions): ExpressionTexts {
  let divided: Divided | null = null;
  const textOf = (item: Syntax): string | null => {
    divided ??= dividedText(text, dialect);
    const found = itemAround(divided, item);
    if (found === null) return null;
    return shown(text, divided.tokens.slice(found.first, found.last + 1));
  };
  return (item) => {
    let known: string | null | undefined;
    return {
      text: () => {
        if (known === undefined) known = textOf(item);
        return known;
      },
    };
  };
}

function dividedText(text: string, dialect: SqlDialect): Divided {
  const tokens = tokensOf(text, dialect);
  return { tokens, items: selectItems(tokens), offsets: unitOffsets(text) };
}

/** A run of tokens, by the places of its first and last. */
type SelectItem = { readonly parent: SelectItem | null; first: number; last: number };
type Divided = {
  readonly tokens: readonly Token[];
  readonly items: readonly SelectItem[];
  readonly offsets: readonly number[] | null;
};

const endsList = wordSet('from into where group having order limit union intersect minus qualify window fetch');

/** The items of all select lists, in text order. */
function selectItems(tokens: readonly Token[]): readonly SelectItem[] {
  const items: SelectItem[] = [];
  const open: { readonly depth: number; readonly item: SelectItem }[] = [];
  let types = 0;
  for (const [place, token] of tokens.entries()) {
    // The commas of BigQuery's `STRUCT<a INT64, b STRING>(x, y)` divide no list.
    if (isSymbol(token, '<') && (types > 0 || isWord(tokens[place - 1], 'array', 'struct'))) types++;
    else if (types > 0 && isSymbol(token, '>')) types--;
    const divides = isSymbol(token, ',') && types === 0;
    while ((open.at(-1)?.depth ?? -1) > token.depth) open.pop();
    const isOwn = open.at(-1)?.depth === token.depth;
    if (isOwn && (divides || endsItem(token, tokens[place - 1]))) open.pop();
    if (isWord(token, 'select') || (isOwn && divides)) {
      const skipped = isWord(tokens[place + 1], 'distinct', 'all') ? 2 : 1;
      const item = { parent: open.at(-1)?.item ?? null, first: place + skipped, last: place };
      items.push(item);
      open.push({ depth: token.depth, item });
    } else {
      const item = open.at(-1)?.item;
      if (item !== undefined) item.last = place;
    }
  }
  return items;
}

function endsItem(token: Token, before: Token | undefined): boolean {
  if (isSymbol(token, ';') || isWord(token, 'select')) return true;
  if (token.kind !== 'word' || isSymbol(before, '.')) return false;
  return endsList.has(token.text.toLowerCase()) || (isWord(token, 'except') && !isSymbol(before, '*'));
}

/** The innermost item that holds every name of an expression. */
function itemAround({ tokens, items, offsets }: Divided, item: Syntax): SelectItem | null {
  const span = spanOf({ [item.kind]: item.fields });
  if (span === null) return null;
  const [start, end] = [offsets?.[span.start] ?? span.start, offsets?.[span.end] ?? span.end];
  let found: SelectItem | null = items[lastBefore({ tokens, items, offsets }, start)] ?? null;
  while (found !== null && (tokens[found.last]?.end ?? 0) < end) found = found.parent;
  return found;
}

/** The place of the last item that begins at or before an offset; -1 where none does. */
function lastBefore({ tokens, items }: Divided, offset: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const begin = tokens[items[middle]?.first ?? 0]?.start ?? Number.POSITIVE_INFINITY;
    if (begin <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

type Span = { readonly start: number; readonly end: number };

function spanOf(value: unknown): Span | null {
  if (Array.isArray(value)) return value.reduce((span: Span | null, part) => joined(span, spanOf(part)), null);
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const own = fieldsOf(fields['span']);
  if (typeof own?.['start'] === 'number' && typeof own['end'] === 'number')
    return { start: own['start'], end: own['end'] };
  let span: Span | null = null;
  for (const key in fields) span = joined(span, spanOf(fields[key]));
  return span;
}

function joined(a: Span | null, b: Span | null): Span | null {
  if (a === null || b === null) return a ?? b;
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The parser counts code points; null if that makes no difference. */
function unitOffsets(text: string): readonly number[] | null {
  if (!/[\ud800-\udfff]/.test(text)) return null;
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    offsets.push(at);
    at += character.length;
  }
  return [...offsets, at];
}

function shown(text: string, tokens: readonly Token[]): string | null {
  const retained = withoutAlias(tokens);
  const [first, last] = [retained[0], retained.at(-1)];
  if (first === undefined || last === undefined) return null;
  const whole = text.slice(first.start, last.end);
  if (whole.length <= maxExpressionLength) return whole;
  const points = [...whole.slice(0, 2 * maxExpressionLength + 2)];
  return points.length <= maxExpressionLength ? whole : `${points.slice(0, maxExpressionLength - 1).join('')}…`;
}

function withoutAlias(tokens: readonly Token[]): readonly Token[] {
  const depth = tokens[0]?.depth ?? 0;
  const as = tokens.findLastIndex((token) => token.depth === depth && isWord(token, 'as'));
  if (as > 0) return tokens.slice(0, as);
  const [before, last] = tokens.slice(-2);
  const isAlias = before !== undefined && last !== undefined && endsOperand(before);
  return isAlias && isName(last) && !isWord(last, 'end', 'null') ? tokens.slice(0, -1) : tokens;
}

const joiningWords = wordSet('and or not is in like between case when then else');

/** Whether a name behind this token can only be an alias. */
function endsOperand(token: Token): boolean {
  if (token.kind === 'symbol') return token.text === ')' || token.text === ']';
  return token.kind !== 'word' || !joiningWords.has(token.text.toLowerCase());
}
