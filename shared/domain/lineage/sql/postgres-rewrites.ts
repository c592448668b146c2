import type { SqlDialect } from './dialect.ts';
import { closingPlaces, isName, isSymbol, isWord, replaced, type TextRewrite, type Token } from './tokens.ts';

/** Rewrites of PostgreSQL's own forms, and of SQL/XML, into those that the parser accepts. */
export const postgresRewrites: readonly TextRewrite[] = [
  withNamedRecord,
  withPlainXml,
  withCastStrings,
  withoutJoinAlias,
];

/** PostgreSQL's `json_to_record(a) AS (b int)`: the parser wants a name before types of columns. */
function withNamedRecord(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const names = new Map([...closingPlaces(tokens)].map(([open, close]) => [tokens[close + 1], tokens[open - 1]?.text]));
  return replaced(text, tokens, (token, at) => {
    const [open, column, type] = tokens.slice(at + 1, at + 4);
    const isList = isWord(token, 'as') && isSymbol(open, '(') && isName(column) && isName(type);
    return isList && !isWord(column, ...queryWords) && names.has(token) ? `AS ${names.get(token)}` : null;
  });
}

const queryWords = ['select', 'with', 'values', 'table', 'insert', 'update', 'delete', 'merge'];

/** SQL/XML without words that name no column: `xmlserialize(CONTENT a AS text)`, `xmlforest(a AS b)`, `xmlroot(a, VERSION '1')`. */
function withPlainXml(text: string, tokens: readonly Token[]): string {
  const dropped = new Set<Token>();
  for (const [open, close] of closingPlaces(tokens)) {
    const call = tokens[open - 1];
    if (!isWord(call, 'xmlforest', 'xmlparse', 'xmlroot', 'xmlserialize')) continue;
    const inner = tokens.slice(open + 1, close);
    let isDropped = false;
    for (const [at, token] of inner.entries()) {
      const isOuter = token.depth === inner[0]?.depth;
      const isLabel = at === 0 && isWord(token, 'content', 'document');
      if (isOuter && isSymbol(token, ',')) isDropped = isWord(call, 'xmlroot');
      else if (isOuter && isWord(token, 'as')) isDropped = true;
      if (isDropped || isLabel) dropped.add(token);
    }
  }
  return replaced(text, tokens, (token, at) => {
    const isKeyword =
      isWord(tokens[at - 1], 'name') && isSymbol(tokens[at - 2], '(') && isWord(tokens[at - 3], 'xmlelement');
    if (isKeyword && token.kind === 'word') return `"${token.text}"`;
    return dropped.has(token) ? ' ' : null;
  });
}

/** PostgreSQL's `jsonb '{}'` and `bool 't'`. */
function withCastStrings(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const isType = (at: number) => isWord(tokens[at], ...typesOfStrings) && tokens[at + 1]?.kind === 'string';
  return replaced(text, tokens, (token, at) => {
    if (isType(at)) return ' ';
    return isType(at - 1) ? `cast(${token.text} as ${tokens[at - 1]?.text})` : null;
  });
}

const typesOfStrings = 'bool boolean float4 float8 inet int2 int4 int8 json jsonb numeric text uuid xml'.split(' ');

/** PostgreSQL's `JOIN u USING (a) AS x`: `x.a` is the column that the join has made one. */
function withoutJoinAlias(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const closes = closingPlaces(tokens);
  const ends = tokens.flatMap((token, at) => (isWord(token, 'using') ? (closes.get(at + 1) ?? []) : []));
  const aliases = new Set(ends.filter((at) => isWord(tokens[at + 1], 'as')).map((at) => tokens[at + 2]));
  const names = new Set([...aliases].map((alias) => alias?.text));
  return replaced(text, tokens, (token, at) => {
    const isQualifier = names.has(token.text) && isSymbol(tokens[at + 1], '.') && isName(tokens[at + 2]);
    const isDot = isSymbol(token, '.') && names.has(tokens[at - 1]?.text ?? '') && isName(tokens[at + 1]);
    return isQualifier || isDot || aliases.has(token) || aliases.has(tokens[at + 1]) ? ' ' : null;
  });
}
