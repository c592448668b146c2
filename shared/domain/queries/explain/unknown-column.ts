import type { EvaluatedEdge, EvaluationOptions, EvaluationPorts } from '../../traversal/evaluate.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { namedColumns } from '../../traversal/named-columns.ts';
import { concerning } from '../../traversal/nested-columns.ts';

type Asked = Pick<EvaluationOptions, 'workspace' | 'asOf'> & { readonly column: string | null };

/** `unknown_column` where no mapping of an edge, nor anything known of its two relations, names the column that was asked for. */
export async function unknownColumnOf(
  ports: EvaluationPorts,
  view: GraphView,
  { column, ...options }: Asked,
  { upstream, downstream, evidence }: EvaluatedEdge,
): Promise<'unknown_column' | null> {
  if (column === null) return null;
  const isAsked = concerning(new Set([column.toLowerCase()]));
  const mapped = evidence.flatMap(({ detail }) => detail?.columns ?? []);
  if (mapped.some(({ inputColumn, outputColumn }) => isAsked(inputColumn) || isAsked(outputColumn ?? ''))) return null;
  const named = await Promise.all([upstream, downstream].map((end) => namedColumns(ports, view, options, end)));
  return named.some((names) => concerning(names)(column)) ? null : 'unknown_column';
}
