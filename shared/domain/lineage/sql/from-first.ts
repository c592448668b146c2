import type { SqlDialect } from './dialect.ts';
import { isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

/** Hive's `FROM t INSERT … SELECT a INSERT … SELECT b` as one INSERT each, `FROM t SELECT a` in the usual order. */
export function withoutFromFirst(text: string, dialect: SqlDialect): readonly string[] {
  const tokens = tokensOf(text, dialect).filter((token) => !isSymbol(token, ';'));
  const top = tokens.filter(({ depth }) => depth === 0);
  const from = firstClause(top);
  if (from < 0) return [text];
  const behind = top.slice(from + 1);
  const inserts = behind.filter((token) => isWord(token, 'insert'));
  const heads = inserts.length > 0 ? inserts : behind.filter((token) => isWord(token, 'select')).slice(0, 1);
  const [first] = heads;
  const start = top[from];
  if (first === undefined || start === undefined) return [text];
  const before = text.slice(0, start.start);
  const source = text.slice(start.start, first.start);
  const ends = [...heads.slice(1).map((head) => head.start), tokens.at(-1)?.end ?? text.length];
  if (heads.length * (before.length + source.length) > maxLength) return [text];
  const clauses = clauseStarts(top, heads);
  const whole = wholeBranches(behind, heads);
  return heads.map((head, place) => {
    const end = ends[place] ?? text.length;
    // A branch may be its own whole query.
    if (whole.has(head)) return `${before}${text.slice(head.start, end)}`;
    const clause = clauses[place] ?? end;
    return `${before}${text.slice(head.start, clause)} ${source} ${text.slice(clause, end)}`;
  });
}

/** Characters that the repeated source may take. */
const maxLength = 1_000_000;

/** The place of a FROM that comes before any SELECT: the first token, or the first behind WITH's definitions or AS. */
function firstClause(top: readonly Token[]): number {
  const place = top.findIndex((token) => isWord(token, 'from', 'select', 'insert', 'merge', 'update', 'delete'));
  const begins = place === 0 || isWord(top[0], 'with') || isWord(top[place - 1], 'as');
  return isWord(top[place], 'from') && begins ? place : -1;
}

/** The branches that have their own FROM. */
function wholeBranches(tokens: readonly Token[], heads: readonly Token[]): ReadonlySet<Token> {
  const begins = new Set(heads);
  const whole = new Set<Token>();
  let branch: Token | null = null;
  for (const token of tokens) {
    if (begins.has(token)) branch = token;
    if (branch !== null && isWord(token, 'from')) whole.add(branch);
  }
  return whole;
}

const afterSource = 'where group having order sort cluster distribute limit window qualify lateral union'.split(' ');

/** Where the source belongs in each branch: before the clause that follows its list; null if none does. */
function clauseStarts(top: readonly Token[], heads: readonly Token[]): readonly (number | null)[] {
  const branches = new Map(heads.map((head, place) => [head, place]));
  const starts: (number | null)[] = heads.map(() => null);
  let branch = -1;
  let inList = false;
  for (const token of top) {
    branch = branches.get(token) ?? branch;
    if (branches.has(token)) inList = false;
    if (isWord(token, 'select')) inList = true;
    if (!inList || branch < 0 || !isWord(token, ...afterSource)) continue;
    starts[branch] ??= token.start;
  }
  return starts;
}
