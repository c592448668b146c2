import { clauseRewrites } from './clause-rewrites.ts';
import type { SqlDialect } from './dialect.ts';
import { fileRewrites } from './file-rewrites.ts';
import { formRewrites } from './form-rewrites.ts';
import { withoutPipes } from './pipe.ts';
import { postgresRewrites } from './postgres-rewrites.ts';
import { wordSet } from './syntax.ts';
import { targetRewrites } from './target-rewrites.ts';
import {
  type Change,
  closingPlaces,
  isName,
  isSymbol,
  isWord,
  listItems,
  quoteOfNames,
  replaced,
  type TextRewrite,
  type Token,
  withChanges,
  without,
  withoutComments,
} from './tokens.ts';
import { writeRewrites } from './write-rewrites.ts';

/** `UPDATE … SET (a, b) = (SELECT x, y FROM t)` and `SET (a, b) = ROW (x, y)` as one assignment each. */
function withSingleAssignments(text: string, tokens: readonly Token[]): string {
  const closes = closingPlaces(tokens);
  const lists: Change[] = [];
  for (const [place, token] of tokens.entries()) {
    const list = isSymbol(token, '(') && isAssigned(tokens, place) ? assignments(text, tokens, closes, place) : null;
    if (list !== null && token.start >= (lists.at(-1)?.end ?? 0)) lists.push({ start: token.start, ...list });
  }
  return withChanges(text, lists);
}

const isAssigned = (tokens: readonly Token[], place: number): boolean =>
  isWord(tokens[place - 1], 'set') || (isSymbol(tokens[place - 1], ',') && tokens[place]?.depth === 0);

type Assignments = Pick<Change, 'text' | 'end'>;

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

/** PostgreSQL's operators of extensions, such as `<#>` and `&&&`: a known one represents each, which reads as much. */
function withKnownOperators(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const unknown = symbolRuns(tokens).filter(({ start, end }) => {
    const run = text.slice(start, end);
    if (run === '#>' || run === '#>>') return isBeforeArray(text, end);
    // What ends in a sign may be an operator and the sign of a number.
    return !(knownOperators.has(run) || run.length < 2 || run.endsWith('-') || run.endsWith('+'));
  });
  return withChanges(
    text,
    unknown.map((run) => ({ ...run, text: '||' })),
  );
}

/** The parser takes only a string behind `#>`. */
function isBeforeArray(text: string, end: number): boolean {
  const next = text.slice(end, end + 20).trimStart();
  return next.toLowerCase().startsWith('array');
}

const knownOperators = wordSet(
  '<= >= <> != || :: := -> ->> #- @> <@ && ~~ ~* !~ !~* ~~* !~~ !~~* << >> <-> ?| ?& @@ => |/ ||/ !! == ^@',
);

const operatorCharacters: ReadonlySet<string> = new Set('-+*/<>=~!@#%^&|`?');

type Run = { readonly start: number; readonly end: number };

/** Symbols that no space divides. */
function symbolRuns(tokens: readonly Token[]): readonly Run[] {
  const runs: { start: number; end: number }[] = [];
  for (const { kind, text, start, end } of tokens) {
    if (kind !== 'symbol' || !operatorCharacters.has(text.charAt(0))) continue;
    const last = runs.at(-1);
    if (last?.end === start) last.end = end;
    else runs.push({ start, end });
  }
  return runs;
}

/** Rewrites of one refused syntax each: a text without it stays as it is. */
export const tokenRewrites: readonly TextRewrite[] = [
  // Hints are not accepted everywhere.
  withoutComments,
  withoutPipes,
  withSelectOfTable,
  withSelectOfFrom,
  withoutInlineFunctions,
  ...fileRewrites,
  withoutTimeTravel,
  withPlainDivision,
  withQuotedNames,
  withoutDoubleBrackets,
  withPlainView,
  withPlainPivot,
  ...clauseRewrites,
  ...formRewrites,
  ...postgresRewrites,
  ...writeRewrites,
  ...targetRewrites,
  withSingleAssignments,
  withKnownOperators,
];

/** The standard's `TABLE t` for a query of all its columns. */
function withSelectOfTable(text: string, tokens: readonly Token[]): string {
  return replaced(text, tokens, (token, place) => {
    const before = tokens[place - 1];
    const begins =
      before === undefined || isSymbol(before, '(') || isWord(before, 'as', 'union', 'all', 'intersect', 'except');
    const isInserted = isWord(tokens[0], 'insert') && isSymbol(before, ')');
    return isWord(token, 'table') && (begins || isInserted) && isName(tokens[place + 1]) ? 'SELECT * FROM' : null;
  });
}

/** DuckDB's `AS FROM t` and `(FROM t)` for a query of all columns; one with a list behind it is put in the usual order elsewhere. */
function withSelectOfFrom(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'duckdb') return text;
  const begins = (before: Token | undefined) => isWord(before, 'as') || isSymbol(before, '(');
  const hasList = (from: Token, place: number) =>
    tokens.some((token, at) => at > place && token.depth === from.depth && isWord(token, 'select'));
  return replaced(text, tokens, (token, place) =>
    isWord(token, 'from') && begins(tokens[place - 1]) && !hasList(token, place) ? 'SELECT * FROM' : null,
  );
}

/** Trino's `WITH FUNCTION f(x BIGINT) RETURNS BIGINT RETURN x + 1 SELECT …`: a function only of its arguments. */
function withoutInlineFunctions(text: string, tokens: readonly Token[]): string {
  if (!isWord(tokens[0], 'with') || !isWord(tokens[1], 'function')) return text;
  const query = tokens.find((token) => token.depth === 0 && isWord(token, 'select', 'with') && token.start > 0);
  return query === undefined ? text : text.slice(query.start);
}

/** BigQuery's, Delta's and Oracle's time travel reads the same relation. */
function withoutTimeTravel(text: string, tokens: readonly Token[]): string {
  const dropped = new Set<Token>();
  for (let place = 0; place < tokens.length; place++) {
    const behind = endOfVersion(tokens, place);
    if (behind === null) continue;
    const end = endOfOperand(tokens, behind);
    for (const token of tokens.slice(place, end)) dropped.add(token);
    place = end - 1;
  }
  return without(text, tokens, dropped);
}

/** The place behind `FOR SYSTEM_TIME`, or Oracle's `AS OF TIMESTAMP`; null where neither begins at a place. */
function endOfVersion(tokens: readonly Token[], place: number): number | null {
  if (isWord(tokens[place], 'as') && isWord(tokens[place + 1], 'of'))
    return isWord(tokens[place + 2], 'timestamp', 'scn') ? place + 3 : null;
  const words = isWord(tokens[place + 1], 'system') && isWord(tokens[place + 2], 'time') ? 2 : 1;
  const isVersion = isWord(tokens[place], 'for') && isWord(tokens[place + words], ...versions);
  return isVersion ? place + 1 + words : null;
}

const versions = ['system_time', 'time', 'timestamp', 'version'];

const operandEnds = `join left right full inner outer cross natural on using where group having order limit union
  intersect except qualify window as pivot unpivot tablesample select`.split(/\s+/);

/** The place of the token behind `AS OF …`. */
function endOfOperand(tokens: readonly Token[], from: number): number {
  const depth = tokens[from]?.depth ?? 0;
  for (let place = isWord(tokens[from], 'as') ? from + 2 : from; place < tokens.length; place++) {
    const token = tokens[place];
    if (token === undefined || token.depth < depth) return place;
    if (token.depth > depth) continue;
    if (isSymbol(token, ',') || isWord(token, ...operandEnds) || isAlias(tokens, place)) return place;
  }
  return tokens.length;
}

/** A name right behind a value is none of it, except for the units of an interval. */
function isAlias(tokens: readonly Token[], place: number): boolean {
  const [before, token] = [tokens[place - 1], tokens[place]];
  const isValue = before?.kind !== 'symbol' || isSymbol(before, ')');
  return (
    isName(token) &&
    !isWord(token, ...units) &&
    isValue &&
    !isWord(before, 'of', 'timestamp', 'date', 'interval', 'scn')
  );
}

const units = 'year month day hour minute second to at time zone and or'.split(' ');

/** DuckDB's integer division. */
function withPlainDivision(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  return dialect === 'duckdb' ? replaced(text, tokens, (token) => (isSymbol(token, '//') ? '/' : null)) : text;
}

/** Names that the parser takes for keywords in some places. */
function withQuotedNames(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const quote = quoteOfNames(dialect);
  return replaced(text, tokens, (token, place) => {
    const [before, after] = [tokens[place - 1], tokens[place + 1]];
    const isNamed =
      isWord(before, 'as') || isSymbol(after, '.') || (isWord(before, 'from', 'join') && !isSymbol(after, '('));
    const isListed = isSymbol(before, '(', ',') && isSymbol(after, ')', ',');
    const isRowAlias = isWord(token, 'new', 'old') && !isSymbol(after, '(');
    return isWord(token, ...keywordNames) && (isNamed || isListed || isRowAlias)
      ? `${quote}${token.text}${quote}`
      : null;
  });
}

const keywordNames =
  'default end final first groups index key last new next old order row rows table values window'.split(' ');

/** `AS ((SELECT …))`. */
function withoutDoubleBrackets(text: string, tokens: readonly Token[]): string {
  const closes = closingPlaces(tokens);
  const doubled = new Set<Token>();
  for (const [place, token] of tokens.entries()) {
    const [inner, word] = [tokens[place + 1], tokens[place + 2]];
    const [outerEnd, innerEnd] = [closes.get(place), closes.get(place + 1)];
    if (!isSymbol(token, '(') || !isSymbol(inner, '(') || !isWord(word, 'select', 'with')) continue;
    if (inner === undefined || innerEnd === undefined || outerEnd !== innerEnd + 1) continue;
    const end = tokens[innerEnd];
    if (end !== undefined) doubled.add(inner).add(end);
  }
  return without(text, tokens, doubled);
}

/** `CREATE VIEW v AS (FROM t)` without brackets, `CREATE VIEW v AS (SELECT a) UNION (SELECT b)` as one query of FROM. */
function withPlainView(text: string, tokens: readonly Token[]): string {
  const as = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'as'));
  const [open, first, last] = [tokens[as + 1], tokens[as + 2], tokens.at(-1)];
  if (!isWord(tokens[0], 'create') || !open || !first || !last || !isSymbol(open, '(')) return text;
  if (!isSymbol(first, '(') && tokens.length - 1 === closingPlaces(tokens).get(as + 1))
    return text.slice(0, open.start) + text.slice(open.end, last.start);
  const isView = tokens.slice(0, as).some((token) => isWord(token, 'view'));
  return isView ? `${text.slice(0, open.start)}SELECT * FROM (${text.slice(open.start)}) AS united` : text;
}

/** DuckDB's `PIVOT (… FOR a IN (…) b IN (…))` repeats no FOR. */
function withPlainPivot(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'duckdb') return text;
  return replaced(text, tokens, (token, place) => {
    const isNext = isSymbol(tokens[place - 1], ')') && isName(token) && isWord(tokens[place + 1], 'in');
    return isNext && isSymbol(tokens[place + 2], '(') && !isWord(token, 'not', 'for') ? `FOR ${token.text}` : null;
  });
}
