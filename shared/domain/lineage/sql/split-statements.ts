import { isTsql, type SqlDialect } from './dialect.ts';
import { isName, isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

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
export function isSilent([first, second, third]: readonly Token[]): boolean {
  if (first === undefined || isWord(first, ...upkeep)) return true;
  if (isWord(first, 'create') && (isWord(second, 'index') || isWord(third, 'index'))) return true;
  return isWord(first, 'alter') && isWord(second, ...operated);
}

const upkeep = 'go print vacuum optimize reindex msck analyze compute invalidate checkpoint list ls system'.split(' ');
const operated = 'account database pipe role schema session system task user warehouse'.split(' ');

/** The first words of SQL Server's statements, which no semicolon divides. `isStart` adds further words. */
export function statementStarts(
  all: readonly Token[],
  isStart: (at: number) => boolean = () => false,
): ReadonlySet<Token> {
  const starts = new Set<Token>();
  const top = all.flatMap((token, at) => (token.depth === 0 ? [{ token, at }] : []));
  const words = top.map(({ token }) => token);
  let tokens: readonly Token[] = [];
  let cases = 0;
  for (const [place, { token, at }] of top.entries()) {
    if (isSymbol(token, ';')) tokens = [];
    if (isSymbol(token, ';')) continue;
    if (isWord(token, 'case')) cases++;
    const isInside = cases > 0;
    if (isWord(token, 'end') && cases > 0) cases--;
    if (tokens.length > 0 && !isInside && (begins(words, place, tokens) || isStart(at))) {
      starts.add(token);
      tokens = [];
    }
    if (tokens.length === 0 || isWord(token, ...verbs, 'set', 'values', 'default', 'exec', 'execute'))
      tokens = [...tokens, token];
    // What follows the head of a procedure is its first statement.
    const [first] = tokens;
    if (first !== undefined && isWord(token, 'as') && endsHead(words, place, first)) tokens = [];
  }
  return starts;
}

const endsHead = (words: readonly Token[], place: number, first: Token): boolean => {
  const head = words.slice(Math.max(0, place - 60), place);
  const from = head.lastIndexOf(first);
  const isRoutine = head.slice(from, from + 4).some((token) => isWord(token, 'procedure', 'proc'));
  return isRoutine && isWord(first, 'create', 'alter') && !isWord(words[place - 1], 'execute', 'exec');
};

const verbs = ['select', 'insert', 'update', 'delete', 'merge'];
const others = 'alter create declare drop exec execute go print truncate use'.split(' ');
const joining = 'as union all except intersect then for on after from'.split(' ');

/** Whether a word begins a statement, by the words of the statement before it that may ask for it. */
function begins(top: readonly Token[], place: number, tokens: readonly Token[]): boolean {
  const [token, before] = [top[place], top[place - 1]];
  const [first] = tokens;
  // `SET NOCOUNT ON` is whole.
  const isSwitched = isWord(first, 'set') && isWord(before, 'on');
  if ((isWord(before, ...joining) && !isSwitched) || isSymbol(before, ',', '.', '(', '=')) return false;
  if (isWord(first, 'create', 'alter', 'grant', 'deny', 'revoke') && !isWord(token, 'go')) return false;
  const has = (...words: readonly string[]) => tokens.some((one) => isWord(one, ...words));
  if (isWord(token, 'select')) return has('select', 'values', 'default', 'exec', 'execute') || !has('insert', 'with');
  if (isWord(token, ...verbs)) return !isWord(first, 'with') || has(...verbs);
  if (isWord(token, 'with')) return definesQuery(top, place);
  if (isWord(token, 'set')) return !has('update', 'merge') || (has('update') && has('set'));
  if (isWord(token, 'exec', 'execute')) return !has('insert') || has('select', 'values');
  return isWord(token, ...others);
}

/** `WITH c AS (` and `WITH c (a) AS (`, unlike `WITH (NOLOCK)`. */
function definesQuery(top: readonly Token[], place: number): boolean {
  if (!isName(top[place + 1])) return false;
  return isWord(top[place + 2], 'as') || isSymbol(top[place + 2], '(');
}
