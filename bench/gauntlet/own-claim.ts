import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { compareStatements } from '../../shared/domain/lineage/sql/compare/compare-statements.ts';
import { foldedPath, nameRulesOf } from '../../shared/domain/lineage/sql/name-rules.ts';
import type { SqlName } from '../../shared/domain/lineage/sql/types.ts';
import type { Claim } from './judge-claim.ts';

type Names = 'as written' | 'as DuckDB reads them';

/**
 * Compares two versions of a statement as Tributary does if it knows no columns of the relations. DuckDB itself tells
 * apart names in capitals where a grouped subquery stands twice: the second does not run.
 */
export async function ownClaims(names: Names): Promise<(before: string, after: string) => Claim> {
  const parser = await loadSqlParser();
  const version = (text: string) => ({
    text,
    dialects: ['duckdb' as const],
    inlined: '',
    reads: (name: readonly SqlName[]) =>
      names === 'as written' ? JSON.stringify(name) : foldedPath(nameRulesOf('duckdb'), name),
  });
  return (before, after) => compareStatements(parser, version(before), version(after));
}
