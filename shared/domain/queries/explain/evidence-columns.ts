import type { ExplainedEvidence } from '../../../contract/explain.ts';
import { changeOf } from '../../graph/derivation.ts';
import { sortedBy } from '../../sorted-by.ts';
import type { Evidence } from '../../traversal/evidence.ts';
import { concerning } from '../../traversal/nested-columns.ts';

/** The mappings of the evidence; with a column, those that it takes part in at either end. */
export function evidenceColumns(
  { detail }: Evidence,
  column: string | null,
): Pick<ExplainedEvidence, 'columns' | 'columns_unresolved'> {
  const isMapped = column === null ? () => true : concerning(new Set([column.toLowerCase()]));
  const concerns = (name: string | null) => name === null || isMapped(name);
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
