import { isName, isSymbol, isWord } from '../tokens.ts';
import { isAssignment } from './body-words.ts';
import { definition } from './read-routine.ts';
import { assign, assignExpression, isQueryWord, type Step, variableKey, type Walk } from './walk.ts';

/** DECLARE: of SQL Server and BigQuery a statement, of the others a list to BEGIN. */
export const readDeclarations: Step = (walk, at) => {
  const { tokens, isPl, endOf, placeIn } = walk;
  if (!isWord(tokens[at], 'declare')) return null;
  if (isPl && !isWord(tokens[at + 2], 'handler')) return readDeclared(walk, at + 1);
  const end = endOf(at);
  if (isWord(tokens[at + 2], 'handler')) {
    const starts = ['set', 'begin', 'rollback', 'insert', 'update', 'call', 'resignal', 'select'];
    const start = placeIn(at + 2, end, (one) => isWord(one, ...starts));
    return start < 0 ? end : walk.statement(start);
  }
  const cursor = placeIn(at + 1, Math.min(end, at + 8), (one) => isWord(one, 'cursor'));
  if (cursor >= 0) return keepCursor(walk, at + 1, end);
  for (const [from, to] of items(walk, at + 1, end)) declareItem(walk, from, to);
  return end;
};

/** The places of the items that commas divide. */
export function items({ tokens }: Walk, from: number, to: number): readonly (readonly [number, number])[] {
  const depth = tokens[from]?.depth ?? 0;
  const commas: number[] = [];
  for (let at = from; at < to; at++) if (tokens[at]?.depth === depth && isSymbol(tokens[at], ',')) commas.push(at);
  return [...commas, to].map((end, place) => [place === 0 ? from : (commas[place - 1] ?? 0) + 1, end] as const);
}

/** `x, y INT64 DEFAULT 1` and `@a INT = 1, @t TABLE (a INT)`. */
function declareItem(walk: Walk, from: number, to: number): void {
  const { tokens, found, nameAt, placeIn, slice } = walk;
  const name = nameAt(from);
  const type = from + (isSymbol(tokens[from], '@') ? 2 : 1);
  const kind = isWord(tokens[type], 'as') ? type + 1 : type;
  if (isWord(tokens[kind], 'table')) {
    found.push({ kind: 'sql', text: `DECLARE ${name} ${slice(kind, to)}` });
    return;
  }
  found.push({ kind: 'declare', name });
  const depth = tokens[from]?.depth;
  const value = placeIn(type, to, (one) => one.depth === depth && (isSymbol(one, '=', ':=') || isWord(one, 'default')));
  if (value >= 0) assignExpression(walk, name, value + 1, to);
  // What is not given is no text yet.
  else walk.texts.set(variableKey(name), new Set());
}

/** The declarations of a block from a place on; returns that of BEGIN. */
export function readDeclared(walk: Walk, from: number): number {
  const { tokens, endOf } = walk;
  let at = from;
  while (at < tokens.length && !isWord(tokens[at], 'begin', 'end')) {
    const end = endOf(at);
    at = isWord(tokens[at], 'procedure', 'function') ? definition(walk, at) : Math.max(declared(walk, at, end), at) + 1;
  }
  return at;
}

function declared(walk: Walk, at: number, end: number): number {
  const { tokens, found, cursors, closing, nameAt, placeIn, slice, addCollection } = walk;
  if (isWord(tokens[at], 'pragma', 'subtype')) return end;
  // All elements of a collection count as one value.
  if (isWord(tokens[at], 'type')) return end;
  const isFirst = isWord(tokens[at], 'cursor');
  const type = isFirst ? at : at + 1;
  const name = nameAt(isFirst ? at + 1 : at);
  if (!isName(tokens[isFirst ? at + 1 : at])) return end;
  if (isFirst || (isWord(tokens[type], 'cursor', 'no', 'scroll') && placeIn(type, end, isQueryWord) >= 0)) {
    const list = placeIn(at, placeIn(at, end, isQueryWord), (one) => isSymbol(one, '('));
    const names = list < 0 ? [] : items(walk, list + 1, closing(list) ?? end).map(([parameter]) => nameAt(parameter));
    for (const one of names) found.push({ kind: 'declare', name: one });
    walk.parameters.set(name.toLowerCase(), names);
    return keepCursor(walk, isFirst ? at + 1 : at, end);
  }
  found.push({ kind: 'declare', name });
  // What has an index may be a collection; a variable has none.
  addCollection(name);
  const value = placeIn(
    type,
    end,
    (one) => one.depth === tokens[at]?.depth && (isSymbol(one, ':=', '=') || isWord(one, 'default')),
  );
  if (isWord(tokens[type], 'resultset') && value >= 0 && isSymbol(tokens[value + 1], '('))
    cursors.set(name.toLowerCase(), slice(value + 2, closing(value + 1) ?? end));
  else if (value >= 0) assignExpression(walk, name, value + 1, end);
  else walk.texts.set(variableKey(name), new Set());
  return end;
}

/** The values that `c (1, x)`, or `c (most := 1)`, passes to a cursor. */
export function passToCursor(walk: Walk, at: number): void {
  const { tokens, parameters, closing, nameAt } = walk;
  const names = parameters.get(nameAt(at).toLowerCase()) ?? [];
  const end = isSymbol(tokens[at + 1], '(') ? closing(at + 1) : undefined;
  for (const [place, [first, last]] of end === undefined ? [] : items(walk, at + 2, end).entries()) {
    const isNamed = isSymbol(tokens[first + 1], ':=', '=>', '=');
    const name = isNamed ? nameAt(first) : names[place];
    if (name !== undefined) assignExpression(walk, name, isNamed ? first + 2 : first, last);
  }
}

/** The query between two places as that of a cursor. */
export function keepCursor({ tokens, cursors, nameAt, placeIn, slice }: Walk, name: number, end: number): number {
  const query = placeIn(name, end, (one) => isQueryWord(one) && !isWord(one, 'values', 'table'));
  const open = isSymbol(tokens[query - 1], '(') ? query - 1 : query;
  if (query >= 0) cursors.set(nameAt(name).toLowerCase(), slice(open, end));
  return end;
}

/** `SET x = …, y = …`, `SET (x, y) = (…)`, `LET x := …`, `SET c = CURSOR FOR …`. */
export const setting: Step = (walk, at) => {
  const { tokens, dialect, found, cursors, placeIn, closing, nameAt, namesBetween, slice, endOf } = walk;
  if (!isWord(tokens[at], 'set', 'let')) return null;
  const end = endOf(at);
  const from = isWord(tokens[at + 1], 'var', 'variable', 'local', 'session') ? at + 2 : at + 1;
  if (isWord(tokens[at], 'set') && !isAssignment(tokens, at, dialect)) return end;
  const list = isSymbol(tokens[from], '(') ? closing(from) : undefined;
  if (list !== undefined) {
    const names = namesBetween(from + 1, list) ?? [];
    const value = list + 2;
    const isInBrackets = isSymbol(tokens[value], '(');
    const query = isInBrackets ? slice(value + 1, end - 1) : slice(value, end);
    assign(walk, names, isInBrackets && isQueryWord(tokens[value + 1]) ? query : `SELECT ${query}`);
    return end;
  }
  const cursor = placeIn(from, Math.min(end, from + 5), (one) => isWord(one, 'cursor'));
  if (cursor >= 0) return keepCursor(walk, from, end);
  for (const [item, to] of items(walk, from, end)) {
    const equals = placeIn(item, to, (one) => isSymbol(one, '=', ':=') || isWord(one, 'default'));
    if (equals < 0) continue;
    const name = nameAt(item);
    found.push({ kind: 'declare', name });
    if (isWord(tokens[equals - 1], 'resultset') && isSymbol(tokens[equals + 1], '('))
      cursors.set(name.toLowerCase(), slice(equals + 2, closing(equals + 1) ?? to));
    else if (isSymbol(tokens[equals - 1], '+') && isSymbol(tokens[equals], '=')) assignMore(walk, name, equals + 1, to);
    else assignExpression(walk, name, equals + 1, to);
  }
  return end;
};

/** `SET @a += …`. */
function assignMore(walk: Walk, name: string, from: number, to: number): void {
  const { slice, texts } = walk;
  const before = texts.get(variableKey(name));
  assign(walk, [name], `SELECT ${name} + ${slice(from, to)}`);
  // Only a known text with a known text behind it would be known.
  if (before !== undefined) texts.set(variableKey(name), null);
}

/** `x := …`, `x(i) := …` and `x.field := …`. */
export const assignment: Step = (walk, at) => {
  const { tokens, isPl, found, closing, nameAt, placeIn, endOf, addCollection } = walk;
  const sign = isSymbol(tokens[at], ':') ? at + 1 : at;
  if (!isPl || !isName(tokens[sign])) return null;
  const next = sign + 1;
  const index = isSymbol(tokens[next], '(')
    ? closing(next)
    : isSymbol(tokens[next], '[')
      ? placeIn(next, endOf(next), (one) => isSymbol(one, ']'))
      : undefined;
  const equals = isSymbol(tokens[next], '.') ? next + 2 : index === undefined ? next : index + 1;
  if (!isSymbol(tokens[equals], ':=', '=')) return null;
  const end = endOf(at);
  if (equals > next) addCollection(nameAt(sign));
  if (isSymbol(tokens[next], '.')) found.push({ kind: 'unknown', names: [nameAt(sign)] });
  else assignExpression(walk, nameAt(sign), equals + 1, end);
  return end;
};
