import type { SqlAnalysis, SqlOptions, SqlParser } from './types.ts';

/**
 * Column lineage of one SQL statement: which columns of which relations reach each output, and how.
 * Never throws for a statement: what is not understood is an `unresolvedReason`, never a guess.
 */
export function analyseSql(parser: SqlParser, statement: string, options: SqlOptions): SqlAnalysis {
  const parsed = parser(statement, options.dialect);
  return {
    statementKind: null,
    target: null,
    outputs: [],
    reads: null,
    indirect: [],
    unresolvedReason: parsed.ok ? 'the statement is of a kind that has no column lineage' : parsed.reason,
  };
}
