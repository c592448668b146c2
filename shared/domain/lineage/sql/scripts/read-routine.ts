import { isTsql } from '../dialect.ts';
import { isName, isSymbol, isWord, lastOfPath, unquotedText } from '../tokens.ts';
import { within } from './parts.ts';
import { open, type Step, type Walk } from './walk.ts';

/** The place of the word that says what CREATE defines, if it may have a body; -1 for anything else. */
export function routineKind(tokens: Walk['tokens'], at: number): number {
  if (!isWord(tokens[at], 'create', 'alter')) return -1;
  for (let place = at + 1; place < at + 12; place++) {
    if (isWord(tokens[place], 'procedure', 'proc', 'task', 'package', 'function')) return place;
    // MySQL's DEFINER = root@localhost.
    const isUser = isSymbol(tokens[place], '=', '@') || isSymbol(tokens[place - 1], '=', '@');
    if (!isUser && !isWord(tokens[place], ...before)) return -1;
  }
  return -1;
}

const before = 'or replace alter temp temporary definer secure editionable noneditionable external aggregate'.split(
  ' ',
);

/** The definition of a procedure is read as what it does; a function's only if it writes. */
export const readRoutine: Step = (walk, at) => {
  const { tokens, endOf, placeIn } = walk;
  const kind = routineKind(tokens, at);
  if (kind < 0) return null;
  if (!isWord(tokens[kind], 'function')) return definition(walk, kind);
  const end = endOf(at);
  const writes = (one: string) => /\b(?:insert|update|delete|merge|truncate|execute|call)\b/i.test(one);
  const body = placeIn(kind, end, (one) => one.kind === 'string' && writes(one.text));
  const isTrigger =
    placeIn(kind, end, (one, place) => isWord(one, 'trigger') && isWord(tokens[place - 1], 'returns')) >= 0;
  if (body < 0 && !isTrigger) return null;
  if (!isTrigger) return definition(walk, kind);
  open(walk, 'a trigger writes when its table is written');
  return end;
};

/** Reads the definition whose kind is named at a place. */
export function definition(walk: Walk, kind: number): number {
  const { tokens, closing, found, nameAt, placeIn, endOf, routines } = walk;
  const isPackage = isWord(tokens[kind], 'package');
  let name = kind + (isPackage && isWord(tokens[kind + 1], 'body') ? 2 : 1);
  while (isWord(tokens[name], 'if', 'not', 'exists')) name++;
  const last = lastOfPath(tokens, name);
  const list = isSymbol(tokens[last + 1], '(') ? closing(last + 1) : undefined;
  const givesBack = placeIn(last, list ?? last, (one) => isWord(one, 'out', 'inout')) >= 0;
  routines.set(tokens[last]?.text.toLowerCase() ?? '', givesBack);
  const head = (list ?? last) + 1;
  const body = placeIn(head, tokens.length, (one, at) => beginsBody(walk, at) || isSymbol(one, ';'));
  if (body < 0 || isSymbol(tokens[body], ';')) return body < 0 ? tokens.length : body + 1;
  return within(walk, 'routine', () => {
    for (const parameter of parameters(walk, list === undefined ? head : last + 2, list ?? body))
      found.push({ kind: 'declare', name: nameAt(parameter) });
    return isForeign(walk, head) ? foreign(walk, endOf(kind)) : bodyAt(walk, body, isPackage);
  });
}

/** Whether the body of a routine begins at a place. */
function beginsBody({ tokens }: Walk, at: number): boolean {
  const [token, previous] = [tokens[at], tokens[at - 1]];
  if (isWord(token, 'begin', 'is')) return true;
  // `@a AS int` declares a parameter.
  return (
    isWord(token, 'as') && token?.depth === 0 && !isWord(previous, 'execute', 'exec') && !isSymbol(tokens[at - 2], '@')
  );
}

/** The places of the names of parameters: each first in its item, or behind its mode. */
function parameters({ tokens, dialect }: Walk, from: number, to: number): readonly number[] {
  const depth = tokens[from]?.depth ?? 0;
  const places: number[] = [];
  for (let at = from; at < to; at++) {
    const isFirst = at === from || (tokens[at - 1]?.depth === depth && isSymbol(tokens[at - 1], ','));
    if (isFirst && tokens[at]?.depth === depth && (isTsql(dialect) ? isSymbol(tokens[at], '@') : isName(tokens[at])))
      places.push(isWord(tokens[at], 'in', 'out', 'inout', 'variadic') && isName(tokens[at + 1]) ? at + 1 : at);
  }
  return places;
}

/** Whether the words around a body say that it is not SQL. */
function isForeign({ tokens, nameAt, placeIn, endOf }: Walk, head: number): boolean {
  const language = placeIn(head, endOf(head), (one) => isWord(one, 'language'));
  const named = nameAt(language + 1)
    .toLowerCase()
    .replaceAll(/['"]/g, '');
  return language >= 0 && isWordOfLanguage(tokens, language) && !['sql', 'plpgsql'].includes(named);
}

const isWordOfLanguage = (tokens: Walk['tokens'], at: number): boolean =>
  isName(tokens[at + 1]) || tokens[at + 1]?.kind === 'string';

function foreign(walk: Walk, end: number): number {
  open(walk, 'the body is of another language than SQL');
  return end;
}

function bodyAt(walk: Walk, at: number, isPackage: boolean): number {
  const { tokens, dialect, found, endOf, within: inner } = walk;
  const start = isWord(tokens[at], 'as', 'is') ? at + 1 : at;
  if (tokens[start]?.kind === 'string') {
    const instructions = inner(unquotedText(tokens[start]?.text ?? ''));
    if (instructions === null) open(walk, 'bodies are nested too deep');
    else found.push(...instructions);
    return endOf(start);
  }
  if (isTsql(dialect)) return walk.statements(start, 'go');
  const isDeclared = dialect === 'oracle' || isWord(tokens[start], 'declare');
  const begin = isDeclared ? walk.declarations(isWord(tokens[start], 'declare') ? start + 1 : start) : start;
  // A package need not do anything itself.
  return isPackage && !isWord(tokens[begin], 'begin') ? begin : walk.statement(begin);
}
