// Reads the statements of a body one after the other: each step takes what begins at a place, and answers where the next begins.

import { type BodyText, bodyText } from './body-text.ts';
import {
  type BodyStatement,
  computed,
  isAssignment,
  isTsql,
  nextVerb,
  skipped,
  startsWithDeclaration,
  variablesSelected,
  verbs,
} from './body-words.ts';
import type { SqlDialect } from './dialect.ts';
import { splitStatements } from './split-statements.ts';
import { isName, isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

type Walk = BodyText & {
  /** Whether the dialect assigns by `name := value`, and declares between DECLARE and BEGIN. */
  readonly isPl: boolean;
  readonly found: BodyStatement[];
  /** The queries of cursors, by name. */
  readonly cursors: Map<string, string>;
  /** The statements of a literal; null if it cannot be read. */
  readonly inner: (text: string) => readonly BodyStatement[] | null;
  inDeclarations: boolean;
};

/** Returns the place after the statement at `at`, which ends at `end`; null if the step does not read it. */
type Step = (walk: Walk, at: number, end: number) => number | null;

/** Throws `BudgetExceeded`. */
export function statementsOf(body: string, dialect: SqlDialect, inner: Walk['inner']): readonly BodyStatement[] {
  const text = bodyText(body, dialect);
  const { tokens } = text;
  const isPl = ['oracle', 'postgres', 'redshift', 'snowflake', 'ansi'].includes(dialect);
  const inDeclarations = isPl && !isWord(tokens[0], 'declare', 'begin') && startsWithDeclaration(tokens, dialect);
  const walk: Walk = { ...text, isPl, found: [], cursors: new Map(), inner, inDeclarations };
  for (let at = 0; at < tokens.length; ) at = separator(walk, at) ?? stepped(walk, at, walk.endOf(at));
  return walk.found;
}

function stepped(walk: Walk, at: number, end: number): number {
  for (const step of steps) {
    const next = step(walk, at, end);
    if (next !== null) return next;
  }
  return statement(walk, at, end);
}

/** What stands between statements, and what begins a block. */
function separator(walk: Walk, at: number): number | null {
  const { tokens, isPl } = walk;
  const [token, next] = [tokens[at], tokens[at + 1]];
  // A label of PL/SQL.
  if (isSymbol(token, '<') && isSymbol(next, '<')) return at + 5;
  if (isSymbol(token, ';', '<', '>', '<<', '>>', '/', ':') || token?.kind === 'number') return at + 1;
  if (isWord(token, 'begin')) {
    walk.inDeclarations = false;
    return at + (isWord(next, 'try', 'catch', 'atomic', 'tran', 'transaction', 'work') ? 2 : 1);
  }
  if (!isPl || !isWord(token, 'declare')) return null;
  walk.inDeclarations = true;
  return at + 1;
}

/** A declaration of PL/SQL, PL/pgSQL or Snowflake: `name type := value`, `cursor c is query`. */
const declaration: Step = (walk, at, end) => {
  if (!walk.inDeclarations) return null;
  const { tokens, found, placeIn, nameAt, slice } = walk;
  if (isWord(tokens[at], 'cursor') || isWord(tokens[at + 1], 'cursor')) {
    keepCursor(walk, nameAt(isWord(tokens[at], 'cursor') ? at + 1 : at), at, end);
  } else if (isName(tokens[at])) {
    found.push({ kind: 'declare', name: nameAt(at) });
    const value = placeIn(at + 1, end, (one) => isSymbol(one, ':=', '=') || isWord(one, 'default'));
    if (value > 0) assign(walk, [nameAt(at)], `SELECT ${slice(value + 1, end)}`);
  }
  return end + 1;
};

/** Words that only direct what is done, with their conditions. */
const control: Step = ({ tokens, dialect, find, endOf }, at) => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (isWord(token, 'end')) {
    const isNamed = isName(next) && isSymbol(tokens[at + 2], ';');
    return isNamed || isWord(next, 'if', 'loop', 'while', 'for', 'case', 'repeat', 'try', 'catch') ? at + 2 : at + 1;
  }
  if (isWord(token, 'else', 'loop', 'do', 'repeat', 'then', 'try', 'catch', 'tran', 'transaction')) return at + 1;
  if (isWord(token, 'when') || (isWord(token, 'exception') && isWord(next, 'when'))) return find(at, 'then') + 1;
  if (isWord(token, 'exception')) return at + 1;
  if (isWord(token, 'elsif', 'elseif') || (isWord(token, 'if') && !isTsql(dialect))) return find(at + 1, 'then') + 1;
  if (isWord(token, 'case')) return find(at + 1, 'when');
  if (isWord(token, 'until')) return endOf(at + 1);
  if (isWord(token, 'while') && !isTsql(dialect)) return find(at + 1, 'loop', 'do') + 1;
  return isWord(token, 'if', 'while') ? nextVerb(tokens, at + 1) : null;
};

/** `FOR name IN query LOOP`, over a cursor, a range or a computed query. */
const loop: Step = ({ tokens, found, cursors, find, placeIn, closing, nameAt, slice }, at) => {
  if (!isWord(tokens[at], 'for')) return null;
  const body = find(at + 1, 'loop', 'do');
  const within = placeIn(at + 1, body, (one) => isWord(one, 'in', 'as'));
  const open = isSymbol(tokens[within + 1], '(') ? within + 2 : within + 1;
  const query = isWord(tokens[open], 'select', 'with')
    ? slice(open, open === within + 2 ? (closing(within + 1) ?? body) : body)
    : cursors.get(nameAt(open).toLowerCase());
  const isRange =
    tokens.slice(within, body).some((one, place, all) => isSymbol(one, '.') && isSymbol(all[place + 1], '.')) ||
    isWord(tokens[within + 2], 'to');
  if (query !== undefined) found.push({ kind: 'row', name: nameAt(at + 1), query });
  else if (isRange) found.push({ kind: 'declare', name: nameAt(at + 1) });
  else if (isWord(tokens[open], 'execute')) found.push({ kind: 'open', reason: computedText });
  else if (within > 0) found.push({ kind: 'open', reason: 'the rows of a loop are not known' });
  return body + 1;
};

const fetching: Step = (walk, at, end) => {
  const { tokens, found, cursors, isPl, placeIn, nameAt, namesBetween } = walk;
  if (!isWord(tokens[at], 'fetch')) return null;
  const into = placeIn(at + 1, end, (one) => isWord(one, 'into'));
  const cursor = (isName(tokens[into - 1]) ? nameAt(into - 1) : '').toLowerCase();
  const names = into < 0 ? null : namesBetween(into + 1, end);
  const query = cursors.get(cursor);
  if (names !== null && query !== undefined) {
    if (names.length === 1 && isPl) found.push({ kind: 'row', name: names[0] ?? '', query });
    assign(walk, names, query);
  } else if (into > 0) found.push({ kind: 'open', reason: 'the rows of a cursor are not known' });
  return end;
};

/** RETURN QUERY is a statement; other words of the list state nothing. */
const withoutLineage: Step = ({ tokens, found, slice }, at, end) => {
  const isReturned = isWord(tokens[at], 'return') && isWord(tokens[at + 1], 'query');
  if (isReturned && isWord(tokens[at + 2], 'select', 'with')) found.push({ kind: 'sql', text: slice(at + 2, end) });
  return isWord(tokens[at], ...skipped) ? end : null;
};

const call: Step = ({ tokens, found, inner }, at, end) => {
  if (!isWord(tokens[at], 'execute', 'exec', 'call')) return null;
  const text = isWord(tokens[at], 'call') ? null : computed(tokens, at);
  const statements = text === null || text === '' ? null : inner(text);
  if (statements) found.push(...statements);
  else found.push({ kind: 'open', reason: text === null ? calls : computedText });
  return end;
};

/** SQL Server's `DECLARE c CURSOR FOR query`. */
const cursorDeclaration: Step = ({ tokens, dialect, cursors, placeIn, nameAt, endOf, slice }, at, end) => {
  if (!isWord(tokens[at], 'declare') || !isTsql(dialect)) return null;
  const cursor = tokens.slice(at, end).findIndex((one) => isWord(one, 'cursor'));
  const query = placeIn(at, end, isQueryWord);
  if (cursor <= 0 || query < 0) return null;
  const stop = endOf(query);
  cursors.set(nameAt(at + 1).toLowerCase(), slice(query, stop));
  return stop;
};

/** `SET x = …`, `SET (x, y) = (…)`, `LET x := …`, `SET c = CURSOR FOR …`. */
const setting: Step = (walk, at, end) => {
  const { tokens, dialect, found, placeIn, closing, nameAt, namesBetween } = walk;
  if (!isWord(tokens[at], 'set', 'let')) return null;
  if (isWord(tokens[at + 2], 'cursor')) {
    keepCursor(walk, nameAt(at + 1), at, end);
    return end;
  }
  const list = isSymbol(tokens[at + 1], '(') ? closing(at + 1) : undefined;
  const names = namesBetween(
    list === undefined ? at + 1 : at + 2,
    list ?? (tokens[at + 1]?.text === '@' ? at + 3 : at + 2),
  );
  const equals = placeIn(at + 1, end, (one) => isSymbol(one, '=', ':='));
  const isOption = isWord(tokens[at], 'set') && !isAssignment(tokens, at, dialect);
  if (isOption || names === null || equals <= 0) return end;
  found.push({ kind: 'declare', name: names[0] ?? '' });
  assign(walk, names, valueBetween(walk, names, equals + 1, end));
  return end;
};

function valueBetween({ tokens, closing, slice }: Walk, names: readonly string[], from: number, end: number): string {
  const isInBrackets = isSymbol(tokens[from], '(');
  if (isInBrackets && closing(from) === end - 1 && isQueryWord(tokens[from + 1])) return slice(from + 1, end - 1);
  return `SELECT ${names.length > 1 && isInBrackets ? slice(from + 1, end - 1) : slice(from, end)}`;
}

const assignment: Step = (walk, at, end) => {
  const { tokens, isPl, nameAt, slice } = walk;
  if (!isPl || !isName(tokens[at]) || !isSymbol(tokens[at + 1], ':=', '=')) return null;
  assign(walk, [nameAt(at)], `SELECT ${slice(at + 2, end)}`);
  return end;
};

/** In this order: a word may begin several. */
const steps: readonly Step[] = [
  declaration,
  control,
  loop,
  fetching,
  withoutLineage,
  call,
  cursorDeclaration,
  setting,
  assignment,
];

/** Any other statement, as it is. */
function statement(walk: Walk, at: number, end: number): number {
  const { tokens, dialect, isPl, found, slice } = walk;
  const token = tokens[at];
  if (!isWord(token, ...verbs) && !isSymbol(token, '(')) found.push({ kind: 'open', reason: unread });
  else if (isTsql(dialect)) splitStatement(walk, slice(at, end));
  else {
    const hasVariables = isPl || dialect === 'mysql' || dialect === 'databricks';
    const isSelected = hasVariables && isQueryWord(token) && selectInto(walk, at, end);
    if (!isSelected) found.push({ kind: 'sql', text: slice(at, end) });
  }
  return end;
}

/** SQL Server needs no semicolon between statements, and gives values to variables in a select list. */
function splitStatement(walk: Walk, text: string): void {
  const { dialect, found } = walk;
  for (const part of splitStatements(text, tokensOf(text, dialect), dialect)) {
    const selected = variablesSelected(part, dialect);
    if (selected !== null) assign(walk, selected.names, selected.query);
    else if (!isWord(tokensOf(part, dialect)[0], 'set')) found.push({ kind: 'sql', text: part });
  }
}

/** A query that gives values to variables: without its INTO. False if it gives none. */
function selectInto(walk: Walk, from: number, end: number): boolean {
  const { tokens, placeIn, namesBetween, slice } = walk;
  const at = (start: number, ...words: string[]) =>
    placeIn(start, end, (one) => one.depth === tokens[from]?.depth && isWord(one, ...words));
  const into = at(from + 1, 'into');
  if (into < 0) return false;
  const next = isWord(tokens[into + 1], 'strict') ? into + 2 : into + 1;
  const rest = at(next + 1, 'from', 'where', 'limit', 'order', 'group', 'union');
  const stop = rest < 0 ? end : rest;
  const names = namesBetween(next, stop);
  if (names === null) return false;
  assign(walk, names, `${slice(from, into)} ${stop < end ? slice(stop, end) : ''}`);
  return true;
}

const assign = ({ found }: Walk, names: readonly string[], query: string): void => {
  found.push({ kind: 'assign', names, query });
};

/** The query between two places as that of a cursor. */
function keepCursor({ cursors, placeIn, slice }: Walk, name: string, from: number, end: number): void {
  const query = placeIn(from, end, isQueryWord);
  if (query >= 0) cursors.set(name.toLowerCase(), slice(query, end));
}

const isQueryWord = (token: Token | undefined): boolean => isWord(token, 'select', 'with');

const computedText = 'a statement is computed when it runs';
const calls = 'what a called procedure does is not known';
const unread = 'a statement of the body is not understood';
