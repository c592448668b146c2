import { closingPlaces, listItems } from './replace-tokens.ts';
import { isSymbol, isWord, type Token } from './tokens.ts';

/** `UPDATE … SET (a, b) = (SELECT x, y FROM t)` as one assignment of a query each. */
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

/** Null for what is no list of names that a query of as many columns is assigned to. */
function assignments(
  text: string,
  tokens: readonly Token[],
  closes: ReadonlyMap<number, number>,
  place: number,
): Assignments | null {
  const namesEnd = closes.get(place);
  if (namesEnd === undefined || !isSymbol(tokens[namesEnd + 1], '=')) return null;
  const open = namesEnd + 2;
  const [close, select] = [closes.get(open), tokens[open + 1]];
  if (close === undefined || !isSymbol(tokens[open], '(') || !isWord(select, 'select')) return null;
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

const setOperations = ['union', 'intersect', 'except', 'minus'];
