import { spendFrom } from '../../base/budget.ts';
import {
  type BodyStatement,
  computed,
  endsStatement,
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
import { closingPlaces, isName, isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

/** How often each token is looked at, at most. */
const lookedAt = 50;

/** Walks the tokens of a body once; what is between control words is a statement. Throws `BudgetExceeded`. */
export function statementsOf(
  body: string,
  dialect: SqlDialect,
  inner: (text: string) => readonly BodyStatement[] | null,
): readonly BodyStatement[] {
  const tokens = tokensOf(body, dialect);
  const closes = closingPlaces(tokens);
  const found: BodyStatement[] = [];
  const cursors = new Map<string, string>();
  const slice = (from: number, to: number) => body.slice(tokens[from]?.start ?? body.length, tokens[to - 1]?.end ?? 0);
  const isPl = ['oracle', 'postgres', 'redshift', 'snowflake', 'ansi'].includes(dialect);
  // A word that nothing closes is looked for to the end, from each place where one begins.
  const spend = spendFrom([{ left: lookedAt * (tokens.length + 1_000) }]);
  /** The place of the semicolon or of the control word that ends what begins at a place. */
  const endOf = (from: number): number => {
    let cases = 0;
    for (let at = from; at < tokens.length; at++) {
      spend(1);
      const token = tokens[at];
      if (token === undefined || token.depth > (tokens[from]?.depth ?? 0)) continue;
      if (isSymbol(token, ';')) return at;
      if (isWord(token, 'case') && at > from) cases++;
      else if (isWord(token, 'end') && cases > 0) cases--;
      else if (at > from && cases === 0 && endsStatement(tokens, at, dialect)) return at;
    }
    return tokens.length;
  };
  const find = (from: number, ...words: string[]): number => {
    let cases = 0;
    for (let at = from; at < tokens.length; at++) {
      spend(1);
      const token = tokens[at];
      if (token === undefined || token.depth > (tokens[from]?.depth ?? 0)) continue;
      if (isSymbol(token, ';') || (cases === 0 && isWord(token, ...words))) return at;
      if (isWord(token, 'case')) cases++;
      else if (isWord(token, 'end')) cases--;
    }
    return tokens.length;
  };
  /** The first place of a range, at its own depth or any, whose token fits; -1 if none does. */
  const placeIn = (from: number, to: number, fits: (token: Token) => boolean): number => {
    for (let at = from; at < Math.min(to, tokens.length); at++) {
      spend(1);
      const token = tokens[at];
      if (token !== undefined && fits(token)) return at;
    }
    return -1;
  };
  const nameAt = (at: number): string =>
    tokens[at]?.text === '@' || tokens[at]?.text === ':'
      ? `${tokens[at]?.text}${tokens[at + 1]?.text ?? ''}`
      : (tokens[at]?.text ?? '');
  const assign = (names: readonly string[], query: string) => found.push({ kind: 'assign', names, query });

  /** A declaration of PL/SQL, PL/pgSQL or Snowflake: `name type := value`, `cursor c is query`. */
  const declaration = (from: number, end: number): void => {
    const isCursor = isWord(tokens[from], 'cursor') || isWord(tokens[from + 1], 'cursor');
    if (isCursor) {
      const name = nameAt(isWord(tokens[from], 'cursor') ? from + 1 : from);
      const query = placeIn(from, end, (one) => isWord(one, 'select', 'with'));
      if (query >= 0) cursors.set(name.toLowerCase(), slice(query, end));
      return;
    }
    if (!isName(tokens[from])) return;
    found.push({ kind: 'declare', name: nameAt(from) });
    const value = placeIn(from + 1, end, (one) => isSymbol(one, ':=', '=') || isWord(one, 'default'));
    if (value > 0) assign([nameAt(from)], `SELECT ${slice(value + 1, end)}`);
  };

  /** A query that gives values to variables: without its INTO. */
  const selectInto = (from: number, end: number): boolean => {
    const into = placeIn(from + 1, end, (one) => one.depth === tokens[from]?.depth && isWord(one, 'into'));
    if (into < 0) return false;
    const next = isWord(tokens[into + 1], 'strict') ? into + 2 : into + 1;
    const list = placeIn(
      next + 1,
      end,
      (one) => one.depth === tokens[from]?.depth && isWord(one, 'from', 'where', 'limit', 'order', 'group', 'union'),
    );
    const stop = list < 0 ? end : list;
    const names = namesBetween(next, stop);
    if (names === null) return false;
    assign(names, `${slice(from, into)} ${stop < end ? slice(stop, end) : ''}`);
    return true;
  };
  const namesBetween = (from: number, to: number): readonly string[] | null => {
    const names: string[] = [];
    for (let at = from; at < to; at++) {
      if (isSymbol(tokens[at], ',')) continue;
      const name = nameAt(at);
      if (name.length > 1 && /^[@:]/.test(name)) at++;
      else if (!isName(tokens[at])) return null;
      if (isSymbol(tokens[at + 1], '.')) return null;
      names.push(name);
    }
    return names.length === 0 ? null : names;
  };

  let inDeclarations = isPl && !isWord(tokens[0], 'declare', 'begin') && startsWithDeclaration(tokens, dialect);
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (token === undefined) break;
    // A label of PL/SQL.
    if (isSymbol(token, '<') && isSymbol(tokens[at + 1], '<')) {
      at += 5;
      continue;
    }
    if (isSymbol(token, ';', '<', '>', '<<', '>>', '/', ':') || token.kind === 'number') {
      at++;
      continue;
    }
    if (isWord(token, 'begin')) {
      inDeclarations = false;
      at += isWord(tokens[at + 1], 'try', 'catch', 'atomic', 'tran', 'transaction', 'work') ? 2 : 1;
      continue;
    }
    if (isPl && isWord(token, 'declare')) {
      inDeclarations = true;
      at++;
      continue;
    }
    const end = endOf(at);
    if (inDeclarations) {
      declaration(at, end);
      at = end + 1;
      continue;
    }
    if (isWord(token, 'end')) {
      at =
        isWord(tokens[at + 1], 'if', 'loop', 'while', 'for', 'case', 'repeat', 'try', 'catch') ||
        (isName(tokens[at + 1]) && isSymbol(tokens[at + 2], ';'))
          ? at + 2
          : at + 1;
      continue;
    }
    if (isWord(token, 'else', 'loop', 'do', 'repeat', 'then', 'try', 'catch', 'tran', 'transaction')) {
      at++;
      continue;
    }
    if (isWord(token, 'exception') || isWord(token, 'when')) {
      at = isWord(tokens[at + 1], 'when') || isWord(token, 'when') ? find(at, 'then') + 1 : at + 1;
      continue;
    }
    if (isWord(token, 'elsif', 'elseif') || (isWord(token, 'if') && !isTsql(dialect))) {
      at = find(at + 1, 'then') + 1;
      continue;
    }
    if (isWord(token, 'case')) {
      at = find(at + 1, 'when');
      continue;
    }
    if (isWord(token, 'until')) {
      at = endOf(at + 1);
      continue;
    }
    if (isWord(token, 'while') && !isTsql(dialect)) {
      at = find(at + 1, 'loop', 'do') + 1;
      continue;
    }
    if (isWord(token, 'if', 'while')) {
      at = nextVerb(tokens, at + 1);
      continue;
    }
    if (isWord(token, 'for')) {
      const body = find(at + 1, 'loop', 'do');
      const within = placeIn(at + 1, body, (one) => isWord(one, 'in', 'as'));
      const open = isSymbol(tokens[within + 1], '(') ? within + 2 : within + 1;
      const query = isWord(tokens[open], 'select', 'with')
        ? slice(open, open === within + 2 ? (closes.get(within + 1) ?? body) : body)
        : cursors.get(nameAt(open).toLowerCase());
      const isRange =
        tokens.slice(within, body).some((one, place, all) => isSymbol(one, '.') && isSymbol(all[place + 1], '.')) ||
        isWord(tokens[within + 2], 'to');
      if (query !== undefined) found.push({ kind: 'row', name: nameAt(at + 1), query });
      else if (isRange) found.push({ kind: 'declare', name: nameAt(at + 1) });
      else if (isWord(tokens[open], 'execute')) found.push({ kind: 'open', reason: computedText });
      else if (within > 0) found.push({ kind: 'open', reason: 'the rows of a loop are not known' });
      at = body + 1;
      continue;
    }
    if (isWord(token, 'fetch')) {
      const into = placeIn(at + 1, end, (one) => isWord(one, 'into'));
      const cursor = (isName(tokens[into - 1]) ? nameAt(into - 1) : '').toLowerCase();
      const names = into < 0 ? null : namesBetween(into + 1, end);
      const query = cursors.get(cursor);
      if (names !== null && query !== undefined) {
        if (names.length === 1 && isPl) found.push({ kind: 'row', name: names[0] ?? '', query });
        assign(names, query);
      } else if (into > 0) found.push({ kind: 'open', reason: 'the rows of a cursor are not known' });
      at = end;
      continue;
    }
    if (isWord(token, 'return') && isWord(tokens[at + 1], 'query')) {
      if (isWord(tokens[at + 2], 'select', 'with')) found.push({ kind: 'sql', text: slice(at + 2, end) });
      at = end;
      continue;
    }
    if (isWord(token, ...skipped)) {
      at = end;
      continue;
    }
    if (isWord(token, 'execute', 'exec')) {
      const text = computed(tokens, at);
      if (text === '') found.push({ kind: 'open', reason: computedText });
      else if (text !== null) found.push(...(inner(text) ?? [{ kind: 'open' as const, reason: computedText }]));
      else found.push({ kind: 'open', reason: calls });
      at = end;
      continue;
    }
    if (isWord(token, 'call')) {
      found.push({ kind: 'open', reason: calls });
      at = end;
      continue;
    }
    if (isWord(token, 'declare') && isTsql(dialect)) {
      const isCursor = tokens.slice(at, end).findIndex((one) => isWord(one, 'cursor'));
      const query = placeIn(at, end, (one) => isWord(one, 'select', 'with'));
      if (isCursor > 0 && query >= 0) {
        const stop = endOf(query);
        cursors.set(nameAt(at + 1).toLowerCase(), slice(query, stop));
        at = stop;
        continue;
      }
    }
    if (isWord(token, 'set', 'let')) {
      const list = isSymbol(tokens[at + 1], '(') ? closes.get(at + 1) : undefined;
      const names = namesBetween(
        list === undefined ? at + 1 : at + 2,
        list ?? (tokens[at + 1]?.text === '@' ? at + 3 : at + 2),
      );
      const equals = placeIn(at + 1, end, (one) => isSymbol(one, '=', ':='));
      const isSetting = isWord(token, 'set') && !isAssignment(tokens, at, dialect);
      const isCursor = isWord(tokens[at + 2], 'cursor');
      if (isCursor) {
        const query = placeIn(at, end, (one) => isWord(one, 'select', 'with'));
        if (query >= 0) cursors.set(nameAt(at + 1).toLowerCase(), slice(query, end));
      } else if (!isSetting && names !== null && equals > 0) {
        found.push({ kind: 'declare', name: names[0] ?? '' });
        const inBrackets =
          isSymbol(tokens[equals + 1], '(') &&
          closes.get(equals + 1) === end - 1 &&
          isWord(tokens[equals + 2], 'select', 'with');
        assign(
          names,
          inBrackets
            ? slice(equals + 2, end - 1)
            : names.length > 1 && isSymbol(tokens[equals + 1], '(')
              ? `SELECT ${slice(equals + 2, end - 1)}`
              : `SELECT ${slice(equals + 1, end)}`,
        );
      }
      at = end;
      continue;
    }
    if (isName(token) && isSymbol(tokens[at + 1], ':=', '=') && isPl) {
      assign([nameAt(at)], `SELECT ${slice(at + 2, end)}`);
      at = end;
      continue;
    }
    if (!isWord(token, ...verbs) && !isSymbol(token, '(')) {
      found.push({ kind: 'open', reason: unread });
      at = end;
      continue;
    }
    const isQuery = isWord(token, 'select', 'with');
    const isVariable = isPl || dialect === 'mysql' || dialect === 'databricks';
    if (!(isQuery && isVariable && !isTsql(dialect) && selectInto(at, end))) {
      const text = slice(at, end);
      const parts = isTsql(dialect) ? splitStatements(text, tokensOf(text, dialect), dialect) : [text];
      for (const part of parts) {
        const selected = isTsql(dialect) ? variablesSelected(part, dialect) : null;
        if (selected !== null) assign(selected.names, selected.query);
        else if (!(isTsql(dialect) && isWord(tokensOf(part, dialect)[0], 'set')))
          found.push({ kind: 'sql', text: part });
      }
    }
    at = end;
  }
  return found;
}

const computedText = 'a statement is computed when it runs';
const calls = 'what a called procedure does is not known';
const unread = 'a statement of the body is not understood';
