import { isTsql } from '../dialect.ts';
import { isSilent } from '../split-statements.ts';
import { isName, isSymbol, isWord, lastOfPath, unquotedText } from '../tokens.ts';
import { bindParameters } from './bind-parameters.ts';
import { leavingLoop, leavingRoutine, variablesSelected, verbs, withoutRows } from './body-words.ts';
import { exitWhen } from './parts.ts';
import { assignment, items, keepCursor, passToCursor, setting } from './read-variables.ts';
import { assign, calls, isQueryWord, open, runText, type Step, textsOf, unread, type Walk } from './walk.ts';

/** `FETCH c INTO x, y`, and `OPEN c FOR query`. */
const cursorStep: Step = (walk, at) => {
  const { tokens, found, cursors, placeIn, nameAt, namesBetween, endOf } = walk;
  const end = endOf(at);
  if (isWord(tokens[at], 'open') && placeIn(at, end, isQueryWord) >= 0) return keepCursor(walk, at + 1, end);
  if (isWord(tokens[at], 'open') && placeIn(at, end, (one) => isWord(one, 'for', 'execute')) >= 0) {
    open(walk, 'the rows of a cursor are not known');
    return end;
  }
  if (isWord(tokens[at], 'open')) {
    passToCursor(walk, at + 1);
    // Snowflake's `OPEN c USING (x)`.
    const query = isWord(tokens[at + 2], 'using') ? cursors.get(nameAt(at + 1).toLowerCase()) : undefined;
    if (query !== undefined) cursors.set(nameAt(at + 1).toLowerCase(), bindParameters(walk, at + 3, end)(query));
  }
  if (!isWord(tokens[at], 'fetch')) return null;
  const into = placeIn(at + 1, end, (one) => isWord(one, 'into'));
  if (into < 0) return end;
  const last = isWord(tokens[into - 1], 'collect') ? into - 3 : into - 1;
  const query = cursors.get(nameAt(isSymbol(tokens[last - 1], '@') ? last - 1 : last).toLowerCase());
  const limit = placeIn(into, end, (one) => isWord(one, 'limit'));
  const names = namesBetween(into + 1, limit < 0 ? end : limit) ?? [];
  for (const name of names) walk.addCollection(name);
  if (query !== undefined && names.length > 0) found.push({ kind: 'assign', names, query, isFetch: true });
  else {
    found.push({ kind: 'unknown', names });
    open(walk, 'the rows of a cursor are not known');
  }
  return end;
};

/** What ends a part early, if a condition is met. */
const leaving: Step = (walk, at) => {
  const { tokens, found, endOf, placeIn, slice } = walk;
  if (isWord(tokens[at], 'raise') && isWord(tokens[at + 1], 'notice', 'info', 'debug', 'log', 'warning'))
    return endOf(at);
  const isLoop = isWord(tokens[at], ...leavingLoop);
  if (!isLoop && !isWord(tokens[at], ...leavingRoutine)) return null;
  const end = endOf(at);
  const query = placeIn(at + 1, Math.min(end, at + 3), (one) => isWord(one, 'select', 'with'));
  if (isWord(tokens[at], 'return') && query >= 0) {
    found.push({ kind: 'sql', text: slice(query, isSymbol(tokens[query - 1], '(') ? end - 1 : end) });
    if (isWord(tokens[at + 1], 'query')) return end;
  }
  if (isWord(tokens[at], 'return') && isWord(tokens[at + 1], 'next', 'query')) {
    if (isWord(tokens[at + 2], 'execute')) runText(walk, at + 3, end);
    return end;
  }
  const when = placeIn(at + 1, end, (one) => isWord(one, 'when'));
  const isLast = !isWord(tokens[at], 'continue', 'iterate');
  if (isLoop && when >= 0) exitWhen(walk, when + 1, end, isLast);
  else found.push({ kind: 'exit', part: isLoop ? 'loop' : 'routine', isLast, raises: isWord(tokens[at], 'raise') });
  return end;
};

/** What is done for rows that nobody sees: PERFORM, a call in PL/SQL, GET DIAGNOSTICS, ASSERT. */
const silent: Step = (walk, at) => {
  const { tokens, found, endOf, placeIn, slice, nameAt, closing } = walk;
  const end = endOf(at);
  if (isWord(tokens[at], 'perform')) {
    const isCall = isName(tokens[at + 1]) && isSymbol(tokens[lastOfPath(tokens, at + 1) + 1], '(');
    if (isCall && placeIn(at, end, (one) => isWord(one, 'from')) < 0 && !isHarmless(nameAt(at + 1))) open(walk, calls);
    assign(walk, [], `SELECT ${slice(at + 1, end)}`);
    return end;
  }
  if (isWord(tokens[at], 'get')) {
    for (let place = at + 1; place < end; place++)
      if (isSymbol(tokens[place], '=', ':=')) {
        const isCount = isWord(tokens[place + 1], 'row_count');
        assign(walk, [nameAt(place - 1)], `SELECT ${isCount ? 'sql_status' : 'null'}`);
      }
    return end;
  }
  if (isWord(tokens[at], 'async') && isSymbol(tokens[at + 1], '(')) {
    found.push({ kind: 'sql', text: slice(at + 2, closing(at + 1) ?? end) });
    return end;
  }
  return isWord(tokens[at], ...withoutRows) ? end : null;
};

/** BEGIN, COMMIT, SAVEPOINT and ROLLBACK: a block has been read before. SQL Server's transactions may be nested. */
const transaction: Step = ({ tokens, found, around, nameAt, endOf }, at) => {
  const end = endOf(at);
  const isBegin = isWord(tokens[at], 'begin', 'start');
  if (!isBegin && !isWord(tokens[at], 'commit', 'rollback', 'save', 'savepoint')) return null;
  if (isWord(tokens[at], 'rollback')) found.push({ kind: 'rollback', to: nameAt(end - 1).toLowerCase() });
  else if (isWord(tokens[at], 'save', 'savepoint'))
    found.push({ kind: 'savepoint', name: nameAt(end - 1).toLowerCase() });
  else {
    if (!isBegin) around.transactions = Math.max(0, around.transactions - 1);
    if (around.transactions === 0) found.push({ kind: 'savepoint', name: '' });
    if (isBegin) around.transactions++;
  }
  return end;
};

/** Procedures that only write messages, wait or set options. */
const harmless =
  /^(?:dbms_(?:output|application_info|lock|session|stats)$|pg_|setval$|nextval$|set_config$|sp_(?:getapplock|releaseapplock|set_session_context|recompile|updatestats)$|system\$)/i;
const isHarmless = (name: string): boolean => harmless.test(name);

/** CALL, EXEC and PL/SQL's `p(1);`, of a text or of a procedure. */
const call: Step = (walk, at) => {
  const { tokens, dialect, routines, nameAt, closing, endOf } = walk;
  const end = endOf(at);
  if (isWord(tokens[at], 'do') && placeOfText(walk, at, end) >= 0) {
    bodyOfText(walk, placeOfText(walk, at, end));
    return end;
  }
  const isCalled = isWord(tokens[at], 'execute', 'exec', 'call');
  const first = isCalled ? at + 1 : at;
  if (isCalled && isDynamic(walk, at)) return dynamic(walk, at, end);
  const name = isSymbol(tokens[first], '@') && isSymbol(tokens[first + 2], '=') ? first + 3 : first;
  const last = lastOfPath(tokens, name);
  const behind = isSymbol(tokens[last + 1], '(') ? (closing(last + 1) ?? end) + 1 : last + 1;
  if (!isCalled && (dialect !== 'oracle' || !isName(tokens[at]) || isWord(tokens[at], ...verbs) || behind < end))
    return null;
  if (isWord(tokens[at], 'raise_application_error')) walk.found.push({ kind: 'exit', part: 'routine', isLast: true });
  else if (!routines.has(nameAt(last).toLowerCase()) && !isHarmless(nameAt(name))) open(walk, calls);
  if (routines.get(nameAt(last).toLowerCase())) unknownArguments(walk, last + 2, behind - 1);
  unknownOutputs(walk, at, end);
  return end;
};

const placeOfText = ({ tokens, placeIn }: Walk, at: number, end: number): number =>
  placeIn(at + 1, end, (one, place) => one.kind === 'string' && !isWord(tokens[place - 1], 'language'));

function bodyOfText(walk: Walk, at: number): void {
  const instructions = walk.within(unquotedText(walk.tokens[at]?.text ?? ''));
  if (instructions === null) open(walk, 'bodies are nested too deep');
  else walk.found.push(...instructions);
}

/** Whether EXECUTE runs a text rather than a procedure. */
function isDynamic({ tokens, dialect }: Walk, at: number): boolean {
  if (isWord(tokens[at], 'call')) return false;
  const next = tokens[at + 1];
  if (isWord(next, 'immediate') || isSymbol(next, '(') || next?.kind === 'string') return true;
  if (isTsql(dialect)) return isWord(tokens[lastOfPath(tokens, at + 1)], 'sp_executesql');
  return isWord(tokens[at], 'execute') && dialect !== 'snowflake';
}

function dynamic(walk: Walk, at: number, end: number): number {
  const { tokens, placeIn, namesBetween } = walk;
  const { path, from, stop } = textRun(walk, at, end);
  const isPart = (place: number) => tokens[place]?.depth === tokens[from]?.depth;
  const into = placeIn(from, end, (one, place) => isPart(place) && isWord(one, 'into'));
  const using = placeIn(into, end, (one, place) => isPart(place) && isWord(one, 'using'));
  const names =
    into < 0
      ? []
      : (namesBetween(isWord(tokens[into + 1], 'strict') ? into + 2 : into + 1, using < 0 ? end : using) ?? []);
  const passed = using >= 0 ? using : isWord(tokens[path], 'sp_executesql') && stop < end ? stop : -1;
  const bind = passed >= 0 ? bindParameters(walk, passed + 1, end) : undefined;
  runText(walk, from, stop, { into: names, ...(bind && { bind }) });
  unknownOutputs(walk, at, end);
  return end;
}

/** The places of the text that EXECUTE runs, and of the name behind EXECUTE. */
function textRun({ tokens, placeIn }: Walk, at: number, end: number) {
  const path = isWord(tokens[at + 1], 'immediate') ? at + 1 : lastOfPath(tokens, at + 1);
  const named = isWord(tokens[path], 'immediate', 'sp_executesql') ? path + 1 : at + 1;
  // `@stmt = N'…'` names the parameter.
  const from = isSymbol(tokens[named], '@') && isSymbol(tokens[named + 2], '=') ? named + 3 : named;
  const depth = tokens[from]?.depth;
  const ends = (one: (typeof tokens)[number]) => isSymbol(one, ',') || isWord(one, 'using', 'into', 'at');
  const stop = placeIn(from, end, (one) => one.depth === depth && ends(one));
  return { path, from, stop: stop < 0 ? end : stop };
}

/** A procedure that gives values back may give them to any variable that it is called with. */
function unknownArguments(walk: Walk, from: number, end: number): void {
  const { tokens, found, nameAt } = walk;
  const names = items(walk, from, end).flatMap(([, last]) => (isName(tokens[last - 1]) ? nameAt(last - 1) : []));
  found.push({ kind: 'unknown', names });
}

/** `@total = @n OUTPUT` gets what is not known. */
function unknownOutputs({ tokens, found, nameAt }: Walk, at: number, end: number): void {
  const names: string[] = [];
  for (let place = at; place < end; place++)
    if (isWord(tokens[place], 'output', 'out') && isSymbol(tokens[place - 2], '@')) names.push(nameAt(place - 2));
  if (names.length > 0) found.push({ kind: 'unknown', names });
}

/** In this order: a word may begin several. */
export const statementSteps: readonly Step[] = [cursorStep, leaving, transaction, silent, call, setting, assignment];

/** Any other statement, as it is. */
export function plainStatement(walk: Walk, at: number): number {
  const { tokens, dialect, isPl, found, endOf } = walk;
  const end = endOf(at);
  const token = tokens[at];
  if (isSilent(tokens.slice(at, end))) return end;
  if (!isWord(token, ...verbs) && !isSymbol(token, '(')) open(walk, unread);
  else if (isTsql(dialect)) tsqlStatement(walk, at, end);
  else {
    const mayAssign = isPl || dialect === 'mysql' || dialect === 'databricks';
    const isTaken =
      mayAssign &&
      (isQueryWord(token) || isWord(token, 'insert', 'update', 'delete', 'merge')) &&
      intoVariables(walk, at, end);
    if (!isTaken) for (const text of withHeldNames(walk, at, end)) found.push({ kind: 'sql', text });
  }
  return end;
}

/** A statement with each name that `IDENTIFIER(:name)` may give; in a loop the variable may get another text later. */
function withHeldNames(walk: Walk, at: number, end: number): readonly string[] {
  const { around, closing, placeIn, slice } = walk;
  const given = placeIn(at, end, (one) => isWord(one, 'identifier'));
  const stop = given < 0 ? undefined : closing(given + 1);
  const names = stop === undefined || around.loops > 0 ? null : textsOf(walk, given + 2, stop);
  if (stop === undefined || names === null) return [slice(at, end)];
  return [...names].map((name) => `${slice(at, given + 2)}'${name.replaceAll("'", "''")}'${slice(stop, end)}`);
}

function tsqlStatement(walk: Walk, at: number, end: number): void {
  const { tokens, dialect, found, placeIn, slice } = walk;
  const called = isWord(tokens[at], 'insert')
    ? placeIn(at, end, (one) => one.depth === tokens[at]?.depth && isWord(one, 'exec', 'execute'))
    : -1;
  const selected = called < 0 ? variablesSelected(slice(at, end), dialect) : null;
  if (called >= 0) insertGiven(walk, at, called, end);
  else if (selected !== null) assign(walk, selected.names, selected.query);
  else found.push({ kind: 'sql', text: slice(at, end) });
}

/** `INSERT t EXEC …`: inserts the rows of a query in a text, or of a procedure. */
function insertGiven(walk: Walk, at: number, called: number, end: number): void {
  const { around, found, slice } = walk;
  const { from, stop } = textRun(walk, called, end);
  const texts = isDynamic(walk, called) && around.loops === 0 ? textsOf(walk, from, stop) : null;
  const queries = [...(texts ?? [])].filter((text) => /^\s*(select|with)\b/i.test(text));
  for (const query of queries) found.push({ kind: 'sql', text: `${slice(at, called)} ${query}` });
  if (queries.length === texts?.size) return;
  // What a procedure or text is run with says nothing.
  found.push({ kind: 'sql', text: `${slice(at, called)} EXEC p` });
}

/** A statement that gives values to variables, without its INTO. False if it gives none. */
function intoVariables(walk: Walk, from: number, end: number): boolean {
  const { tokens, found, placeIn, slice, nameAt } = walk;
  const isQuery = isQueryWord(tokens[from]);
  const top = (one: (typeof tokens)[number]) => one.depth === tokens[from]?.depth;
  const returning = placeIn(from, end, (one) => top(one) && isWord(one, 'returning', 'return'));
  if (!isQuery && (returning < 0 || !isWord(tokens[from], 'insert', 'update', 'delete', 'merge'))) return false;
  const into = placeIn(
    isQuery ? from + 1 : returning,
    end,
    (one, at) => top(one) && isWord(one, 'into') && !isWord(tokens[at - 1], 'insert', 'merge'),
  );
  if (into < 0 || tokens[into + 1]?.kind === 'string' || isWord(tokens[into + 1], 'outfile', 'dumpfile')) return false;
  const isBulk = isWord(tokens[into - 2], 'bulk');
  const first = isWord(tokens[into + 1], 'strict') ? into + 2 : into + 1;
  const { names, behind } = namesFrom(walk, first, end);
  if (names.length === 0) return false;
  for (const name of names) walk.addCollection(name);
  const stop = isBulk ? into - 2 : into;
  if (isQuery) assign(walk, names, `${slice(from, stop)} ${behind < end ? slice(behind, end) : ''}`);
  else {
    found.push({ kind: 'sql', text: slice(from, returning) });
    found.push({ kind: 'unknown', names });
  }
  // A field of a record gets what is not known.
  for (let at = first; at < behind; at++)
    if (isSymbol(tokens[at + 1], '.')) found.push({ kind: 'unknown', names: [nameAt(at)] });
  return true;
}

/** The variables of a list, and the place behind it. */
function namesFrom({ tokens, nameAt, closing }: Walk, from: number, end: number) {
  const names: string[] = [];
  let at = from;
  while (at < end) {
    const name = nameAt(at);
    const isSigned = /^[@:]./.test(name);
    if (!isSigned && !isName(tokens[at])) break;
    names.push(name);
    at = lastOfPath(tokens, at + (isSigned ? 1 : 0)) + 1;
    if (isSymbol(tokens[at], '(')) at = (closing(at) ?? at) + 1;
    if (!isSymbol(tokens[at], ',')) break;
    at++;
  }
  return { names, behind: at };
}
