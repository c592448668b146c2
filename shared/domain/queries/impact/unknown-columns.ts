import type { Urn } from '../../graph/node.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { namedColumns } from '../../traversal/named-columns.ts';
import { concerning } from '../../traversal/nested-columns.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import type { TraversalResult } from '../../traversal/traverse.ts';
import type { ImpactQuestion } from './question.ts';

const unknownColumn = 'unknown_column';

/** The asked columns of the root that neither a traversal's mappings nor any other evidence of its edges names. */
export async function unknownColumns(
  ports: TraversalPorts,
  view: GraphView,
  { root, ...question }: ImpactQuestion & { readonly root: Urn },
  results: readonly TraversalResult[],
): Promise<string[]> {
  const isMapped = concerning(mappedColumns(root, results));
  const open = question.columns.filter((name) => !isMapped(name));
  if (open.length === 0) return [];
  const isNamed = concerning(await namedColumns(ports, view, question, root));
  return open.filter((name) => !isNamed(name));
}

function mappedColumns(root: Urn, results: readonly TraversalResult[]): Set<string> {
  const names = results
    .flatMap(({ edges }) => [...edges.values()])
    .flatMap(({ edge, mappings }) => [
      ...(edge.upstream === root ? [...mappings.values()].map(({ inputColumn }) => inputColumn) : []),
      ...(edge.downstream === root ? [...mappings.values()].map(({ outputColumn }) => outputColumn) : []),
    ]);
  return new Set(names.flatMap((name) => name?.toLowerCase() ?? []));
}

/** The result of a traversal by relations as the answer about columns that are not known: C-IDENTITY-14. */
export function withUnknownColumns(result: TraversalResult, root: Urn, columns: readonly string[]): TraversalResult {
  const reasons = columns.map((column) => [column, { urn: root, column, reason: unknownColumn }] as const);
  return { ...result, byTable: new Set(result.reached.keys()), reasons: new Map([...result.reasons, ...reasons]) };
}
