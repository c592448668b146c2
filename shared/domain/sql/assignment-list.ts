import { closingPlaces, listItems } from './replace-tokens.ts';
import { isSymbol, isWord, type Token } from './tokens.ts';

/** `UPDATE … SET (a, b) = (SELECT x, y FROM t)` and `SET (a, b) = ROW (x, y)` as one assignment each. */
export function withSingleAssignments(text: string, tokens: readonly Token[]): string {
  const closes = closingPlaces(tokens);
  const parts: string[] = [];
  let from = 0;
  for (const [place, token] of tokens.entries()) {
    const list = isSymbol(token, '(') && isAssigned(tokens, place) ? assignments(text, tokens, closes, place) : null;
    if (list === null || token.start < from) continue;
    parts.push(text.slice(from, token.start), list.text);
    from = list.end;
  }
  return parts.join('') + text.slice(from);
}

const isAssigned = (tokens: readonly Token[], place: number): boolean =>
  isWord(tokens[place - 1], 'set') || (isSymbol(tokens[place - 1], ',') && tokens[place]?.depth === 0);

type Assignments = { readonly text: string; readonly end: number };

/** Null for what is no list of names that a query of as many columns, or as many values, are assigned to. */
function assignments(
  text: string,
  tokens: readonly Token[],
  closes: ReadonlyMap<number, number>,
  place: number,
): Assignments | null {
  const namesEnd = closes.get(place);
  if (namesEnd === undefined || !isSymbol(tokens[namesEnd + 1], '=')) return null;
  const open = isWord(tokens[namesEnd + 2], 'row') ? namesEnd + 3 : namesEnd + 2;
  const [close, select] = [closes.get(open), tokens[open + 1]];
  if (close === undefined || !isSymbol(tokens[open], '(')) return null;
  if (!isWord(select, 'select')) return pairs(text, tokens, [place, namesEnd], [open, close]);
  const inner = tokens.slice(open + 2, close);
  const list = inner.findIndex((token) => token.depth === select?.depth && isWord(token, 'from'));
  const end = inner[list] ?? tokens[close];
  const names = listItems(text, tokens.slice(place + 1, namesEnd));
  const values = listItems(text, list < 0 ? inner : inner.slice(0, list));
  const [rest, closing] = [text.slice(end?.start, tokens[close]?.start), tokens[close]?.end];
  const isPlain = !isWord(inner[0], 'distinct', 'all', 'top') && names.length === values.length;
  const isOneQuery = !inner.some((token) => token.depth === select?.depth && isWord(token, ...setOperations));
  if (!isPlain || !isOneQuery || closing === undefined) return null;
  return { text: names.map((name, at) => `${name} = (SELECT ${values[at]} ${rest})`).join(', '), end: closing };
}

type Brackets = readonly [open: number, close: number];

/** `(a, b) = ROW (x, y)` and `(a, b) = (x, y)` as `a = x, b = y`. */
function pairs(text: string, tokens: readonly Token[], left: Brackets, right: Brackets): Assignments | null {
  const [names, values] = [left, right].map(([open, close]) => listItems(text, tokens.slice(open + 1, close)));
  const end = tokens[right[1]]?.end;
  if (end === undefined || names?.length !== values?.length) return null;
  return { text: (names ?? []).map((name, at) => `${name} = ${values?.[at]}`).join(', '), end };
}

const setOperations = ['union', 'intersect', 'except', 'minus'];
