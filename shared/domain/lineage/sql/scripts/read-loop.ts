import { isSymbol, isWord } from '../tokens.ts';
import { addCondition, toEnd, within } from './parts.ts';
import { passToCursor } from './read-variables.ts';
import { assign, assignExpression, computedText, isQueryWord, open, type Step, type Walk } from './walk.ts';

/** `FOR name IN … LOOP` over a query, a cursor or a range, FOREACH over an array, and Oracle's FORALL. */
export const loopOver: Step = (walk, at) => {
  const { tokens, find, placeIn, nameAt } = walk;
  if (isWord(tokens[at], 'forall')) return forAll(walk, at);
  if (!isWord(tokens[at], 'for', 'foreach')) return null;
  const body = find(at + 1, 'loop', 'do');
  const from = placeIn(at + 1, body, (one) => isWord(one, 'in', 'as'));
  if (from < 0) return null;
  return within(walk, 'loop', () => {
    if (isWord(tokens[from + 1], 'array')) {
      assignExpression(walk, nameAt(at + 1), from + 2, body);
      addCondition(walk, from + 2, body);
    } else loopRows(walk, at + 1, from + 1, body);
    return toEnd(walk, body + 1);
  });
};

function loopRows(walk: Walk, name: number, from: number, body: number): void {
  const { tokens, found, cursors, closing, nameAt, slice, dialect } = walk;
  const isCursorQuery = !isQueryWord(tokens[from]) && isWord(tokens[from + 1], 'cursor');
  const start = isCursorQuery ? from + 3 : from;
  const close = isSymbol(tokens[start], '(') ? closing(start) : undefined;
  const first = close === undefined ? start : start + 1;
  const query = isQueryWord(tokens[first])
    ? slice(first, close ?? body)
    : cursors.get(nameAt(first).toLowerCase().replace(/^:/, ''));
  passToCursor(walk, first);
  const row = nameAt(isWord(tokens[name], 'record') ? name + 1 : name);
  if (query !== undefined) found.push({ kind: 'row', name: row, query, isLoop: true });
  else if (isWord(tokens[first], 'execute')) openRow(walk, row, computedText);
  else if (isWord(tokens[first], 'values', 'indices', 'pairs') || dialect === 'bigquery')
    openRow(walk, row, unknownRows);
  else loopRange(walk, row, slice(from, body));
}

function openRow(walk: Walk, row: string, reason: string): void {
  walk.found.push({ kind: 'unknown', names: [row] });
  open(walk, reason);
}

const unknownRows = 'the rows of a loop are not known';

/** `1..n`, `reverse a..b by 2` and `1 TO n`. */
function loopRange(walk: Walk, name: string, range: string): void {
  const bounds = range.replace(/^reverse\b/i, '').split(/\.\.|\bto\b|\bby\b/i);
  if (bounds.length < 2) {
    openRow(walk, name, unknownRows);
    return;
  }
  const query = `SELECT ${bounds.join(', ')}`;
  assign(walk, [name], query);
  walk.found.push({ kind: 'condition', query });
}

function forAll(walk: Walk, at: number): number {
  const { tokens, placeIn, nameAt, slice, endOf } = walk;
  const isVerb = (place: number) => isWord(tokens[place], 'insert', 'update', 'delete', 'merge', 'execute');
  const start = placeIn(at + 1, endOf(at), (_, place) => isVerb(place));
  if (start < 0) return open(walk, unknownRows) ?? endOf(at);
  return within(walk, 'loop', () => {
    const save = placeIn(at, start, (one) => isWord(one, 'save'));
    loopRange(walk, nameAt(at + 1), slice(at + 3, save < 0 ? start : save));
    return walk.statement(start);
  });
}
