import type { ColumnRead, SqlAnalysis } from '../../../shared/domain/lineage/sql/types.ts';
import type { Observed } from './influence-oracle.ts';

/** Influences that a database shows, but that the analysis does not return and does not report as unresolved. */
export function silentInfluences(analysis: SqlAnalysis, { influences }: Observed): readonly string[] {
  const { outputs, indirect, indirectUnresolvedReason, unresolvedReason } = analysis;
  if (unresolvedReason !== null || indirectUnresolvedReason !== null) return [];
  if (outputs.some(({ column }) => column === null)) return [];
  const everywhere = new Set(indirect.map(nameOf));
  return influences.flatMap(({ column, outputs: changed }) =>
    [...changed].flatMap((place) => {
      const output = outputs[place];
      const isGiven = everywhere.has(column) || output?.sources.some((source) => nameOf(source) === column);
      return isGiven || output?.unresolvedReason ? [] : [`${column} -> ${output?.column ?? place}`];
    }),
  );
}

const nameOf = ({ relation, column }: ColumnRead): string => `${relation.at(-1)?.text}.${column}`;
