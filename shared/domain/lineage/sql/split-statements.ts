import { isTsql, type SqlDialect } from './dialect.ts';
import { isName, isSymbol, isWord, lastOfPath, type Token, tokensOf } from './tokens.ts';

/** The texts of the statements of a text, which semicolons end, and in SQL Server the beginning of the next. */
export function splitStatements(text: string, tokens: readonly Token[], dialect: SqlDialect): readonly string[] {
  const top = tokens.filter(({ depth }) => depth === 0);
  const ends = top.filter((token) => isSymbol(token, ';'));
  const starts = isTsql(dialect) ? [...statementStarts(top)] : [];
  const cuts = [...ends, ...starts.map(({ start }) => ({ start, end: start }))].sort((a, b) => a.start - b.start);
  return [...cuts, { start: text.length, end: text.length }]
    .map(({ start }, place) => text.slice(cuts[place - 1]?.end ?? 0, start))
    .filter((part) => !isSilent(tokensOf(part, dialect)));
}

/** Nothing but comments, or what the parser does not know and no row passes through, such as a batch's end or a vacuum. */
export function isSilent(tokens: readonly Token[]): boolean {
  const [first, second, ...others] = tokens;
  if (first === undefined) return true;
  // Where its end was not found, the next one is in it.
  if (others.some((token) => token.depth === first.depth && isWord(token, 'insert', 'merge'))) return false;
  if (isWord(first, ...upkeep)) return true;
  const words = [second, ...others.slice(0, 2)];
  if (isWord(first, 'create', 'update', 'drop') && isWord(second, 'statistics')) return true;
  if (isWord(first, 'create') && words.some((word) => isWord(word, 'index'))) return true;
  if (!isWord(first, 'alter')) return false;
  return (
    isWord(second, ...operated) || (isWord(second, 'table') && isWord(tokens[lastOfPath(tokens, 2) + 1], ...altered))
  );
}

const upkeep =
  `add assert refresh go print vacuum optimize reindex msck analyze compute invalidate checkpoint list ls system dbcc waitfor
  raiserror enable disable`.split(/\s+/);
const altered = ['alter', 'check', 'nocheck', 'enable', 'disable', 'truncate'];
const operated = 'account database index pipe role schema session system task user warehouse'.split(' ');

/** The first words of SQL Server's statements, which no semicolon divides. `isStart` adds further words. */
export function statementStarts(
  all: readonly Token[],
  isStart: (at: number) => boolean = () => false,
): ReadonlySet<Token> {
  const starts = new Set<Token>();
  const top = all.flatMap((token, at) => (token.depth === 0 ? [{ token, at }] : []));
  const words = top.map(({ token }) => token);
  let tokens: readonly Token[] = [];
  let [start, cases] = [0, 0];
  for (const [place, { token, at }] of top.entries()) {
    if (isSymbol(token, ';')) tokens = [];
    if (isSymbol(token, ';')) continue;
    if (isWord(token, 'case')) cases++;
    const isInside = cases > 0;
    if (isWord(token, 'end') && cases > 0) cases--;
    if (tokens.length > 0 && !isInside && (begins(words, { start, place }, tokens) || isStart(at))) {
      starts.add(token);
      tokens = [];
    }
    if (tokens.length === 0) start = place;
    if (tokens.length === 0 || isWord(token, ...parts) || isCreatedWith(words, place)) tokens = [...tokens, token];
    // What follows the head of a procedure is its first statement.
    if (isWord(token, 'as') && endsHead(words, { start, place })) tokens = [];
  }
  return starts;
}

/** Places of the first word of a statement, and of one within it or behind it. */
type Places = { readonly start: number; readonly place: number };

const endsHead = (words: readonly Token[], { start, place }: Places): boolean =>
  isWord(words[start], 'create', 'alter') &&
  words.slice(start, start + 4).some((token) => isWord(token, 'procedure', 'proc')) &&
  !isWord(words[place - 1], 'execute', 'exec');

const verbs = ['select', 'insert', 'update', 'delete', 'merge'];
/** Words of a statement that tell what may follow in it. */
const parts = [...verbs, 'set', 'values', 'default', 'exec', 'execute', 'from', 'to'];
const others = `alter create dbcc declare deny drop exec execute go grant print raiserror revoke truncate use
  waitfor`.split(/\s+/);
const joining = 'as union all except intersect then for on after from'.split(' ');

/** `CREATE TABLE t AS WITH c AS (…) SELECT …`. */
const isCreatedWith = (top: readonly Token[], place: number): boolean =>
  isWord(top[place], 'with') && isWord(top[place - 1], 'as');

/** Whether a word begins a statement, by the words of the statement before it that may ask for it. */
function begins(top: readonly Token[], { start, place }: Places, tokens: readonly Token[]): boolean {
  const [first, token, before] = [top[start], top[place], top[place - 1]];
  // `SET NOCOUNT ON` is whole.
  const isSwitched = isWord(first, 'set') && isWord(before, 'on');
  if ((isWord(before, ...joining) && !isSwitched) || isSymbol(before, ',', '.', '(', '=')) return false;
  if (isWord(token, 'go')) return true;
  const has = (...words: readonly string[]) => tokens.some((one) => isWord(one, ...words));
  if (isWord(first, 'grant', 'deny', 'revoke') && !has('from', 'to')) return false;
  if (isWord(first, 'create', 'alter') && holdsStatements(top, start)) return false;
  if (isWord(first, 'alter') && changesPart(top, place)) return false;
  if (isWord(token, 'select')) return has('select', 'values', 'default', 'exec', 'execute') || !has('insert', 'with');
  if (isWord(token, ...verbs)) return !isWord(first, 'with') || has(...verbs);
  if (isWord(token, 'with')) return definesQuery(top, place);
  if (isWord(token, 'set')) return !has('update', 'merge') || (has('update') && has('set'));
  if (isWord(token, 'exec', 'execute')) return !has('insert') || has('select', 'values');
  return isWord(token, ...others) && !isWord(top[place + 1], 'option');
}

/** Views and routines hold the statements behind their names. */
const holdsStatements = (top: readonly Token[], first: number): boolean =>
  top.slice(first + 1, first + 5).some((word) => isWord(word, 'view', 'procedure', 'proc', 'function', 'trigger'));

/** `ALTER TABLE t ALTER COLUMN a`, `DROP CONSTRAINT c` and `ALTER DATABASE d SET …`. */
function changesPart(top: readonly Token[], place: number): boolean {
  const [token, next] = [top[place], top[place + 1]];
  return isWord(token, 'set') || (isWord(token, 'alter', 'drop') && !isWord(next, ...objects));
}

const objects = 'database function index proc procedure schema sequence statistics table trigger type view'.split(' ');

/** `WITH c AS (` and `WITH c (a) AS (`, unlike `WITH (NOLOCK)`. */
function definesQuery(top: readonly Token[], place: number): boolean {
  if (!isName(top[place + 1])) return false;
  return isWord(top[place + 2], 'as') || isSymbol(top[place + 2], '(');
}
