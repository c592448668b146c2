import type { SqlDialect } from './dialect.ts';
import { isSymbol, tokensOf } from './tokens.ts';

/** A text with the schema that `database..table` leaves out, which the parser does not tell from `database.table`. */
export function withDefaultSchema(text: string, dialect: SqlDialect): string {
  const schema = defaultSchemas[dialect];
  if (schema === undefined || !text.includes('..')) return text;
  const tokens = tokensOf(text, dialect);
  const isName = (place: number) =>
    tokens[place]?.kind === 'word' || tokens[place]?.kind === 'quoted' || isSymbol(tokens[place], ']', '[');
  const between = tokens.filter(
    (token, place) =>
      isSymbol(token, '.') && isSymbol(tokens[place - 1], '.') && isName(place - 2) && isName(place + 1),
  );
  return between.toReversed().reduce((whole, { start }) => whole.slice(0, start) + schema + whole.slice(start), text);
}

const defaultSchemas: Partial<Record<SqlDialect, string>> = { fabric: 'dbo', snowflake: 'PUBLIC', tsql: 'dbo' };
