import type { ColumnRead, SqlAnalysis } from '../../../shared/domain/lineage/sql/types.ts';
import type { Observed } from './influence-oracle.ts';

/** How an analysis stands beside what a database shows. */
type Comparison = {
  /** Influences that the analysis does not return or report as unresolved. */
  readonly silent: readonly string[];
  /** Influences that are missing where the analysis says that it does not know. */
  readonly reported: number;
  /** Influences that the analysis gives. */
  readonly found: number;
  /** Direct edges for which no influence was seen: the data may not show it, or the edge is wrong. */
  readonly unseen: readonly string[];
};

export function compareInfluence(analysis: SqlAnalysis, { influences }: Observed): Comparison {
  const { outputs, indirect, indirectUnresolvedReason } = analysis;
  const hidden = analysis.unresolvedReason !== null || outputs.some(({ column }) => column === null);
  const everywhere = new Set(indirect.map(nameOf));
  const silent: string[] = [];
  let reported = 0;
  let found = 0;
  for (const { column, outputs: changed } of influences)
    for (const place of changed) {
      const output = outputs[place];
      const provided = everywhere.has(column) || output?.sources.some((source) => nameOf(source) === column);
      const unresolved = hidden || indirectUnresolvedReason !== null || (output?.unresolvedReason ?? null) !== null;
      if (provided) found++;
      else if (unresolved) reported++;
      else silent.push(`${column} -> ${output?.column ?? place}`);
    }
  const seen = new Set(
    influences.flatMap(({ column, outputs: changed }) => [...changed].map((place) => `${column} ${place}`)),
  );
  const unseen = outputs.flatMap(({ column, sources }, place) =>
    sources.flatMap((source) => {
      const isUnseen = source.type === 'DIRECT' && !seen.has(`${nameOf(source)} ${place}`);
      return isUnseen ? [`${nameOf(source)} -> ${column}`] : [];
    }),
  );
  return { silent, reported, found, unseen };
}

const nameOf = ({ relation, column }: ColumnRead): string => `${relation.at(-1)?.text}.${column}`;
