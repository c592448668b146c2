import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { compareStatements } from '../../shared/domain/lineage/sql/compare/compare-statements.ts';
import { foldedPath, nameRulesOf } from '../../shared/domain/lineage/sql/name-rules.ts';
import type { SqlName } from '../../shared/domain/lineage/sql/types.ts';
import type { Claim } from './judge-claim.ts';

/** Compares two versions of a statement as Tributary does if it knows no columns of the relations. */
export async function ownClaims(): Promise<(before: string, after: string) => Claim> {
  const parser = await loadSqlParser();
  const version = (text: string) => ({
    text,
    dialects: ['duckdb' as const],
    inlined: '',
    reads: (name: readonly SqlName[]) => foldedPath(nameRulesOf('duckdb'), name),
  });
  return (before, after) => compareStatements(parser, version(before), version(after));
}
