import type { SqlDialect } from './dialect.ts';
import { type Change, closingPlaces, isName, isSymbol, isWord, lastOfPath, tokensOf, withChanges } from './tokens.ts';

/**
 * Snowflake's `SEMANTIC_VIEW(v DIMENSIONS d METRICS t.m AS n WHERE p)` as `(SELECT d, m AS n FROM v WHERE p)`: its columns
 * are those of the view, and names may begin with a logical table of it.
 */
export function withQueriedSemanticViews(text: string, dialect: SqlDialect): string {
  if (dialect !== 'snowflake' || !/\bsemantic_view\b/i.test(text)) return text;
  const tokens = tokensOf(text, dialect);
  const closes = closingPlaces(tokens);
  const queries: Change[] = [];
  for (const [at, { start }] of tokens.entries()) {
    const close = closes.get(at + 1);
    if (!isWord(tokens[at], 'semantic_view') || close === undefined || !isName(tokens[at + 2])) continue;
    const last = lastOfPath(tokens, at + 2);
    const lists: string[] = [];
    let condition = '';
    for (let from = last + 1; from < close; ) {
      const isEnd = (place: number) =>
        tokens[place]?.depth === tokens[from]?.depth && isWord(tokens[place], ...clauses);
      let to = from + 1;
      while (to < close && !isEnd(to)) to++;
      const part = withoutTables(text, tokens.slice(from + 1, to));
      if (isWord(tokens[from], 'where')) condition = ` WHERE ${part}`;
      else lists.push(part);
      from = to;
    }
    const name = text.slice(tokens[at + 2]?.start, tokens[last]?.end);
    const query = `(SELECT ${lists.join(', ')} FROM ${name}${condition})`;
    if (lists.length > 0) queries.push({ start, end: tokens[close]?.end ?? text.length, text: query });
  }
  return withChanges(text, queries);
}

const clauses = ['dimensions', 'metrics', 'facts', 'where'];

function withoutTables(text: string, tokens: ReturnType<typeof tokensOf>): string {
  const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
  const tables = tokens.flatMap((token, at) =>
    isName(token) && isSymbol(tokens[at + 1], '.')
      ? [{ start: token.start - start, end: (tokens[at + 1]?.end ?? 0) - start, text: '' }]
      : [],
  );
  return withChanges(text.slice(start, end), tables);
}
