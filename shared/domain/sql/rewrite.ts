import { createdQuery } from './created-query.ts';
import type { SqlDialect } from './dialect.ts';
import { withoutFromFirst } from './from-first.ts';
import { splitStatements } from './split-statements.ts';
import { tokenRewrites } from './token-rewrites.ts';
import { isWord, tokensOf } from './tokens.ts';

/**
 * Other texts of the same meaning for a text that the parser refuses, the likeliest first: each is one or more
 * statements. Only the tokens of the refused syntax are changed.
 */
export function* rewrittenTexts(text: string, dialect: SqlDialect): Generator<readonly string[]> {
  const tokens = tokensOf(text, dialect);
  const statements = splitStatements(text, tokens, dialect).filter((part) => !definesFunction(part, dialect));
  if (statements.length === 0) return;
  const rewritten = statements.flatMap((statement) => rewrittenStatement(statement, dialect));
  yield rewritten;
  const queries = rewritten.map((statement) => createdQuery(statement, dialect));
  if (queries.some((query, place) => query !== rewritten[place])) yield queries;
}

function rewrittenStatement(statement: string, dialect: SqlDialect): readonly string[] {
  const plain = tokenRewrites.reduce((text, rewrite) => rewrite(text, tokensOf(text, dialect), dialect), statement);
  return withoutFromFirst(plain, dialect);
}

/** `CREATE FUNCTION` reads nothing, unless a query is within. */
function definesFunction(text: string, dialect: SqlDialect): boolean {
  const tokens = tokensOf(text, dialect);
  const name = tokens.slice(0, 6).findIndex((token) => isWord(token, 'function', 'macro', 'aggregate'));
  return isWord(tokens[0], 'create') && name > 0 && !tokens.some((token) => isWord(token, 'select'));
}
