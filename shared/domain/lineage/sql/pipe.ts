import type { SqlDialect } from './dialect.ts';
import { closingPlaces, isSymbol, isWord, listItems, type Token, tokensOf } from './tokens.ts';

/** What the operators so far read and filter; `tail` is ORDER BY and LIMIT. */
type Query = { readonly from: string; readonly where: readonly string[]; readonly tail: string };

/** Each operator may add a level of nesting, and the parser supports only a few hundred. */
const maxPipes = 100;

/** BigQuery's and Spark's pipes, `FROM t |> WHERE a |> SELECT b`, as nested queries; any other text as it is. */
export function withoutPipes(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const pipes = tokens.filter((token) => isSymbol(token, '|>'));
  if (pipes.length === 0 || pipes.length > maxPipes) return text;
  const outer = pipes.some(({ depth }) => depth > 0) ? withoutInnerPipes(text, tokens, dialect) : text;
  return withoutOuterPipes(outer, outer === text ? tokens : tokensOf(outer, dialect), dialect);
}

/** Rewrites the queries in the outermost brackets. */
function withoutInnerPipes(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const parts: string[] = [];
  let from = 0;
  for (const [open, close] of closingPlaces(tokens)) {
    const [start, end] = [tokens[open], tokens[close]];
    if (start === undefined || end === undefined || start.depth > 0) continue;
    const inner = text.slice(start.end, end.start);
    parts.push(text.slice(from, start.end), withoutPipes(inner, tokensOf(inner, dialect), dialect));
    from = end.start;
  }
  return parts.join('') + text.slice(from);
}

function withoutOuterPipes(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  const pipes = tokens.filter((token) => token.depth === 0 && isSymbol(token, '|>'));
  const [first] = pipes;
  const closes = closingPlaces(tokens);
  // `(SELECT …) |>`, unlike a list of columns or the query of a WITH.
  const isPiped = (at: number) => isSymbol(tokens[at], '(') && isSymbol(tokens[(closes.get(at) ?? at) + 1], '|>');
  const head = tokens.find((token, at) => token.depth === 0 && (isWord(token, 'from', 'select') || isPiped(at)));
  const begins = isSymbol(tokens[0], '(') || isWord(tokens[0], 'from', 'select', 'with', 'create', 'insert');
  if (first === undefined || head === undefined || head.start > first.start || !begins) return text;
  const isBracketed = isSymbol(head, '(');
  const prefix = text.slice(0, head.start);
  const source = text.slice(head.start, first.start);
  const from = isWord(head, 'from') ? source.slice(head.text.length) : isBracketed ? source : `(${source})`;
  const ends = [...pipes.slice(1).map((pipe) => pipe.start), tokens.at(-1)?.end ?? text.length];
  const operators = pipes.map((pipe, place) => text.slice(pipe.end, ends[place]).replace(/;\s*$/, '').trim());
  const query = operators.reduce<Query>((so, operator) => piped(so, operator, dialect), { from, where: [], tail: '' });
  return `${prefix}${selecting('*', query)}`;
}

function selecting(list: string, { from, where, tail }: Query): string {
  const filter = where.length === 0 ? '' : ` WHERE ${where.map((one) => `(${one})`).join(' AND ')}`;
  return `SELECT ${list} FROM ${from}${filter}${tail}`;
}

const nested = (query: string): Query => ({ from: `(${query})`, where: [], tail: '' });

/** What follows the keyword of an operator. */
const operators: readonly (readonly [RegExp, (query: Query, rest: string, dialect: SqlDialect) => Query])[] = [
  [/^where\b/i, (query, rest) => ({ ...query, where: [...query.where, rest] })],
  [/^select\b/i, (query, rest) => nested(selecting(rest, query))],
  [/^extend\b/i, (query, rest) => nested(selecting(`*, ${rest}`, query))],
  [/^set\b/i, (query, rest, dialect) => nested(selecting(`* REPLACE (${assigned(rest, dialect)})`, query))],
  [/^drop\b/i, (query, rest) => nested(selecting(`* EXCEPT (${rest})`, query))],
  [/^rename\b/i, (query, rest) => nested(selecting(`* RENAME (${rest})`, query))],
  [/^aggregate\b/i, (query, rest) => nested(aggregated(query, rest))],
  [/^distinct\b/i, (query) => nested(selecting('DISTINCT *', query))],
  [/^(order\s+by|limit)\b/i, (query, rest) => ({ ...query, tail: `${query.tail} ${rest}` })],
  [/^as\b/i, (query, rest) => ({ ...nested(selecting('*', query)), from: `(${selecting('*', query)}) AS ${rest}` })],
];

function piped(query: Query, operator: string, dialect: SqlDialect): Query {
  for (const [keyword, apply] of operators) {
    const word = keyword.exec(operator)?.[0];
    if (word === undefined) continue;
    const keepsKeyword = /^(order|limit)/i.test(word);
    return apply(query, keepsKeyword ? operator : operator.slice(word.length).trim(), dialect);
  }
  if (/^(inner|left|right|full|cross|natural)?\s*(outer\s+)?join\b/i.test(operator) && query.where.length === 0)
    return { ...query, from: `${query.from} ${operator}` };
  if (/^(union|intersect|except)\b/i.test(operator)) return nested(combined(selecting('*', query), operator, dialect));
  // PIVOT, TABLESAMPLE and joins behind a filter work on the whole; an unknown operator is refused by the parser.
  return { ...nested(selecting('*', query)), from: `(${selecting('*', query)}) ${operator}` };
}

/** `UNION ALL (SELECT …), (SELECT …)` puts the operator before each. */
function combined(query: string, operator: string, dialect: SqlDialect): string {
  const tokens = tokensOf(operator, dialect);
  const open = tokens.findIndex((token) => isSymbol(token, '('));
  const first = tokens[open];
  if (first === undefined) return `${query} ${operator}`;
  const word = operator.slice(0, first.start);
  const others = listItems(operator.slice(first.start), tokensOf(operator.slice(first.start), dialect));
  return [query, ...others].join(` ${word} `);
}

/** `AGGREGATE list GROUP BY keys` gives the keys before the list. */
function aggregated(query: Query, rest: string): string {
  const [list = '', keys] = rest.split(/\bgroup\s+(?:and\s+order\s+)?by\b/i);
  if (keys === undefined) return selecting(list, query);
  const items = list.trim() === '' ? keys : `${keys}, ${list}`;
  return `${selecting(items, query)} GROUP BY ${keys.replace(/\bas\s+(\w+|`[^`]*`)/gi, '')}`;
}

/** `SET a = x, b = y` as `x AS a, y AS b`. */
function assigned(rest: string, dialect: SqlDialect): string {
  return listItems(rest, tokensOf(rest, dialect))
    .map((pair) => pair.replace(/^\s*(\w+|`[^`]*`)\s*=(.*)$/s, '$2 AS $1'))
    .join(',');
}
