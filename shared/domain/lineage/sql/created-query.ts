import type { SqlDialect } from './dialect.ts';
import { closingPlaces, isName, isSymbol, isWord, lastOfPath, type Token, tokensOf } from './tokens.ts';

/** The query of a CREATE whose own options the parser does not know; all that names something stays. */
export function createdQuery(text: string, dialect: SqlDialect): string {
  const tokens = tokensOf(text, dialect);
  if (!isWord(tokens[0], 'create', 'alter', 'replace')) return text;
  const as = tokens.findIndex(
    (token, place) =>
      token.depth === 0 &&
      isWord(token, 'as') &&
      (isWord(tokens[place + 1], 'select', 'with') || isSymbol(tokens[place + 1], '(')),
  );
  const query = tokens[as + 1];
  if (as < 0 || query === undefined) return text;
  const rest = text.slice(query.start);
  const created = createdName(tokens.slice(0, as));
  if (created === null) return rest;
  const { kind, first, behind } = created;
  const has = (...words: readonly string[]) => tokens.slice(0, kind).some((token) => isWord(token, ...words));
  const named = text.slice(tokens[first]?.start, tokens[behind - 1]?.end);
  const names = isSymbol(tokens[behind], '(') ? listedNames(tokens, behind) : [];
  if (names === null) return text;
  const list = names.length === 0 ? '' : ` (${names.join(', ')})`;
  const own = tokens[behind - 1]?.text ?? '';
  if (has('recursive')) return `CREATE VIEW ${named} AS WITH RECURSIVE ${own}${list} AS (${rest}) SELECT * FROM ${own}`;
  const isView = isWord(tokens[kind], 'view');
  const words = has('materialized') ? 'MATERIALIZED VIEW' : isView ? 'VIEW' : 'TABLE';
  const temporary = has('temporary', 'temp', 'volatile') ? 'TEMPORARY ' : '';
  const other = dialect === 'clickhouse' ? otherTarget(text, tokens.slice(0, as), behind) : null;
  return `CREATE ${temporary}${words} ${other ?? named}${list} AS ${rest}`;
}

type CreatedName = { readonly kind: number; readonly first: number; readonly behind: number };

/** The places of the kind and of the name behind `CREATE … TABLE IF NOT EXISTS`. */
function createdName(head: readonly Token[]): CreatedName | null {
  const kind = head.findIndex((token) => isWord(token, 'table', 'view', 'dataset', 'stream'));
  if (kind < 0) return null;
  let first = kind + 1;
  while (isWord(head[first], 'if', 'not', 'exists')) first++;
  const last = lastOfPath(head, first);
  return head[first]?.kind === 'symbol' || !head[last] ? null : { kind, first, behind: last + 1 };
}

const constraints = 'check constraint foreign index key period primary projection unique'.split(' ');

/** The names of a list of columns, without their types, comments and policies; null for any other list. */
function listedNames(tokens: readonly Token[], open: number): readonly string[] | null {
  const depth = (tokens[open]?.depth ?? 0) + 1;
  const close = closingPlaces(tokens).get(open) ?? tokens.length;
  const starts = tokens
    .slice(open + 1, close)
    .filter((token, at) => token.depth === depth && (at === 0 || isSymbol(tokens[open + at], ',')));
  const names = starts.filter((token) => !isWord(token, ...constraints));
  return names.every(isName) ? names.map((token) => token.text) : null;
}

/** ClickHouse's materialized view may write another table: `REFRESH EVERY 1 DAY TO t (a Int8) DEFINER = u`. */
function otherTarget(text: string, head: readonly Token[], behind: number): string | null {
  const to = head.findIndex((token, place) => place >= behind && token.depth === 0 && isWord(token, 'to'));
  const last = lastOfPath(head, to + 1);
  return to < 0 || !isName(head[to + 1]) ? null : text.slice(head[to + 1]?.start, head[last]?.end);
}
