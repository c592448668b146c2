import type { SqlDialect } from './dialect.ts';
import { isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

/** The query of a CREATE whose own options the parser does not know; what is created stays. */
export function createdQuery(text: string, dialect: SqlDialect): string {
  const tokens = tokensOf(text, dialect);
  if (!isWord(tokens[0], 'create', 'alter', 'replace')) return text;
  const head = tokens.slice(0, 8);
  const isView = head.some((token) => isWord(token, 'view'));
  const kind = head.some((token) => isWord(token, 'materialized')) ? 'MATERIALIZED VIEW' : isView ? 'VIEW' : 'TABLE';
  const as = tokens.findIndex(
    (token, place) =>
      token.depth === 0 &&
      isWord(token, 'as') &&
      (isWord(tokens[place + 1], 'select', 'with') || isSymbol(tokens[place + 1], '(')),
  );
  const query = tokens[as + 1];
  if (as < 0 || query === undefined) return text;
  const name = createdName(text, tokens);
  const rest = text.slice(query.start);
  return name === null ? rest : `CREATE ${kind} ${name} AS ${rest}`;
}

/** The name behind `CREATE … TABLE IF NOT EXISTS`. */
function createdName(text: string, tokens: readonly Token[]): string | null {
  const kind = tokens.findIndex((token) => isWord(token, 'table', 'view', 'dataset', 'stream'));
  if (kind < 0) return null;
  let at = kind + 1;
  while (isWord(tokens[at], 'if', 'not', 'exists')) at++;
  const first = tokens[at];
  let last = first;
  while (isSymbol(tokens[at + 1], '.')) {
    at += 2;
    last = tokens[at];
  }
  if (first === undefined || last === undefined || first.kind === 'symbol') return null;
  return text.slice(first.start, last.end);
}
