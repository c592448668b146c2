import type { Urn } from '../graph/node.ts';
import { type EvaluatedEdge, type EvaluationOptions, edgeEvaluator } from './evaluate.ts';
import { expand } from './expansion.ts';
import type { GraphView } from './graph-view.ts';

/** So that asking about a column of a relation with very many neighbours stays bounded. */
const maxNeighbours = 500;

/** In lower case, of suppressed evidence too. Reads at most 500 neighbours a side, so columns may be missing. */
export async function namedColumns(
  view: GraphView,
  options: Pick<EvaluationOptions, 'asOf'>,
  relation: Urn,
): Promise<Set<string>> {
  const everything = { ...options, includeStale: true, minConfidence: 0, withDetails: true };
  const { evaluate } = edgeEvaluator(view, everything);
  const names = (['in', 'out'] as const).map(async (side) => {
    const edges = await (await expand(view, { side, nodes: [relation] })).next(maxNeighbours);
    return (await evaluate(side, edges ?? [])).flatMap((edge) => [...columnsNamedBy(edge, relation)]);
  });
  await view.columns.load([relation]);
  return new Set([...(await Promise.all(names)).flat(), ...(view.columns.of(relation)?.columns.keys() ?? [])]);
}

function columnsNamedBy({ upstream, downstream, evidence }: EvaluatedEdge, relation: Urn): string[] {
  const details = evidence.flatMap(({ detail }) => detail ?? []);
  const inputs = upstream === relation ? details.flatMap(({ columns }) => columns.map((one) => one.inputColumn)) : [];
  const outputs =
    downstream === relation
      ? details.flatMap(({ columns, unresolved }) => [...columns, ...unresolved].map((one) => one.outputColumn))
      : [];
  return [...inputs, ...outputs].flatMap((name) => name?.toLowerCase() ?? []);
}
