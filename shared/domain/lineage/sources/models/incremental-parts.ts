import type { SqlDialect } from '../../sql/dialect.ts';
import { isName, isSymbol, type Token, tokensOf } from '../../sql/tokens.ts';

/** The full refresh of an incrementally rendered text. Null if its parts are not found, or more decides them. */
export function withoutIncrementalParts(text: string, template: string, dialect: SqlDialect): string | null {
  const parts = plainParts(template);
  if (parts === null) return null;
  const tokens = tokensOf(text, dialect);
  const remaining: string[] = [];
  let [at, from] = [0, 0];
  for (const part of parts) {
    const pieces = part.map((one) => tokensOf(one, dialect));
    const found = findPart(tokens, at, pieces);
    if (found === null) return null;
    remaining.push(text.slice(from, tokens[found.start]?.start));
    from = tokens[found.end - 1]?.end ?? from;
    at = found.end;
  }
  return [...remaining, text.slice(from)].join(' ');
}

/** What stands between the names of the relation itself, for each incremental part; null if more renders one of them. */
function plainParts(template: string): readonly (readonly string[])[] | null {
  const parts: string[][] = [];
  let open: string[] | null = null;
  for (const { kind, text } of templatePieces(template)) {
    if (kind === 'tag' && text === 'ifis_incremental()' && open === null) {
      open = [''];
    } else if (open === null) {
      if (kind !== 'text' && kind !== 'comment' && text.includes('is_incremental')) return null;
    } else if (kind === 'text') {
      open.push(`${open.pop() ?? ''}${text}`);
    } else if (kind === 'value' && text === 'this') {
      open.push('');
    } else if (kind === 'tag' && text === 'endif') {
      parts.push(open);
      open = null;
    } else if (kind !== 'comment') {
      return null;
    }
  }
  return open === null && parts.length > 0 && parts.every((part) => part.join('').trim() !== '') ? parts : null;
}

/** The words of each incremental part, without comments. A part that is no block reaches to the template's end. */
export function incrementalParts(template: string): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let depth = 0;
  for (const { kind, text, raw } of templatePieces(template)) {
    if (kind === 'comment' || (depth === 0 && !text.includes('is_incremental'))) continue;
    const opens = kind === 'tag' && text.startsWith('if');
    if (depth === 0) {
      parts.push([]);
      depth = opens || (kind === 'tag' && text.startsWith('elif')) ? 1 : Number.POSITIVE_INFINITY;
    } else if (opens) {
      depth++;
    } else if (kind === 'tag' && text === 'endif') {
      depth--;
    }
    parts.at(-1)?.push(...raw.split(/\s/).filter((word) => word !== ''));
  }
  return parts;
}

/** The words of the incremental parts that may name columns, in lower case. */
export function wordsOfIncrementalParts(template: string | null | undefined): ReadonlySet<string> {
  if (!template?.includes('is_incremental')) return new Set();
  return new Set(incrementalParts(template).flatMap((words) => wordsIn(words.join(' '))));
}

export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/\w+/g) ?? [];

type Piece = {
  readonly kind: 'text' | 'tag' | 'value' | 'comment';
  /** Without white space and hyphens, if it is a tag or a value. */
  readonly text: string;
  /** As it is written. */
  readonly raw: string;
};

const marks = [
  ['tag', '{%', '%}'],
  ['value', '{{', '}}'],
  ['comment', '{#', '#}'],
] as const;

/** A Jinja template in pieces. */
export function* templatePieces(template: string): Generator<Piece> {
  for (let at = 0; at < template.length; ) {
    const [next] = marks
      .map(([kind, begin, end]) => ({ kind, end, start: template.indexOf(begin, at) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start);
    const before = template.slice(at, next?.start);
    if (before !== '') yield { kind: 'text', text: before, raw: before };
    if (!next) return;
    const close = template.indexOf(next.end, next.start + 2);
    const to = close < 0 ? template.length : close;
    const raw = template.slice(next.start + 2, to);
    yield { kind: next.kind, text: raw.replace(/[\s-]/g, ''), raw };
    at = to + 2;
  }
}

function findPart(tokens: readonly Token[], from: number, pieces: readonly (readonly Token[])[]) {
  for (let start = from; start < tokens.length; start++) {
    const end = endOfPart(tokens, start, pieces);
    if (end !== null && end > start) return { start, end };
  }
  return null;
}

/** Where a part ends that begins at a token; null if it does not begin there. */
function endOfPart(tokens: readonly Token[], start: number, pieces: readonly (readonly Token[])[]): number | null {
  let at = start;
  for (const [place, piece] of pieces.entries()) {
    if (place > 0) {
      const end = endOfName(tokens, at);
      if (end === null) return null;
      at = end;
    }
    for (const { text } of piece) if (tokens[at++]?.text !== text) return null;
  }
  return at;
}

/** Where a name of several parts ends. */
function endOfName(tokens: readonly Token[], start: number): number | null {
  if (!isName(tokens[start])) return null;
  let at = start + 1;
  while (isSymbol(tokens[at], '.') && isName(tokens[at + 1])) at += 2;
  return at;
}
