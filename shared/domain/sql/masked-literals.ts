import type { SqlDialect } from './dialect.ts';
import { tokensOf } from './tokens.ts';

/** SQL with `?` for its texts and numbers, on one line and without its comments, which may hold what literals do. */
export function maskedLiterals(text: string, dialect: SqlDialect): string {
  const tokens = tokensOf(text, dialect);
  return tokens
    .map(({ kind, text, start }, place) => {
      const space = place === 0 || tokens[place - 1]?.end === start ? '' : ' ';
      return space + (kind === 'string' || kind === 'number' ? '?' : text);
    })
    .join('');
}
