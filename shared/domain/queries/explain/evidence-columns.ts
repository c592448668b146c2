import type { ExplainedEvidence } from '../../../contract/explain.ts';
import { changeOf } from '../../graph/derivation.ts';
import { sortedBy } from '../../sorted-by.ts';
import type { Evidence } from '../../traversal/evidence.ts';

/** The mappings of the evidence; with a column, those that it takes part in at either end. */
export function evidenceColumns(
  { detail }: Evidence,
  column: string | null,
): Pick<ExplainedEvidence, 'columns' | 'columns_unresolved'> {
  const wanted = column?.toLowerCase() ?? null;
  const concerns = (name: string | null) => wanted === null || name === null || name.toLowerCase() === wanted;
  const isMapped = (name: string) => wanted === null || name.toLowerCase() === wanted;
  const columns = (detail?.columns ?? [])
    .filter(({ inputColumn, outputColumn }) => isMapped(inputColumn) || concerns(outputColumn))
    .map(({ inputColumn, outputColumn, expression = null, ...way }) => ({
      upstream: inputColumn,
      downstream: outputColumn,
      ...way,
      change: changeOf({ inputColumn, outputColumn, ...way }),
      expression,
    }));
  const unresolved = (detail?.unresolved ?? [])
    .filter(({ outputColumn }) => concerns(outputColumn))
    .map(({ outputColumn, reason }) => ({ column: outputColumn, reason }));
  return {
    columns: sortedBy(columns, (one) => JSON.stringify(one)),
    columns_unresolved: unresolved,
  };
}
