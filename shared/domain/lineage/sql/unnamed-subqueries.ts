import type { SqlDialect } from './dialect.ts';
import { closingPlaces, isSymbol, isWord, type Token, tokensOf, withChanges } from './tokens.ts';

/**
 * `SELECT a FROM (SELECT …) UNION SELECT b` with a name for the query in brackets. Without it, the parser unites that query
 * with what follows, and gives the same tree as for `FROM ((SELECT …) UNION SELECT b)`.
 */
export function withNamedSubqueries(text: string, dialect: SqlDialect): string {
  if (!/\bfrom\b/i.test(text) || !/\b(union|intersect|except|minus)\b/i.test(text)) return text;
  const tokens = tokensOf(text, dialect);
  const closes = closingPlaces(tokens);
  const clauses: string[] = [];
  const ends: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (isSymbol(token, '(')) clauses[token.depth + 1] = '';
    if (isWord(token, ...clauseWords)) clauses[token.depth] = token.text.toLowerCase();
    const close = closes.get(at);
    if (close === undefined || !isOperator(tokens, close + 1)) continue;
    const before = tokens[at - 1];
    const isListed = isSymbol(before, ',') && clauses[token.depth] === 'from';
    if ((isListed || isWord(before, 'from', 'join', 'lateral')) && holdsQuery(tokens, closes, at))
      ends.push(tokens[close]?.end ?? text.length);
  }
  const names = ends.sort((a, b) => a - b).map((end) => ({ start: end, end, text: ` query_to_${end}` }));
  return withChanges(text, names);
}

/** Brackets may also hold a join, which takes no name. */
function holdsQuery(tokens: readonly Token[], closes: ReadonlyMap<number, number>, open: number): boolean {
  const first = tokens[open + 1];
  if (!isSymbol(first, '(')) return isWord(first, 'select', 'with', 'from');
  const behind = (closes.get(open + 1) ?? open) + 1;
  const isUnited = isOperator(tokens, behind) || isWord(tokens[behind], 'order', 'limit', 'offset', 'fetch');
  return (isUnited || isSymbol(tokens[behind], ')')) && holdsQuery(tokens, closes, open + 1);
}

const clauseWords = 'select from where group having order on set values using connect window qualify limit'.split(' ');

function isOperator(tokens: readonly Token[], at: number): boolean {
  if (!isWord(tokens[at], 'union', 'intersect', 'except', 'minus')) return false;
  return isWord(tokens[at + 1], 'all', 'distinct', 'by', 'select', 'with', 'from') || isSymbol(tokens[at + 1], '(');
}
