import type { WorkspaceId } from '../../contract/ids.ts';
import type { Side } from '../graph/claim.ts';
import { nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import { once } from '../once.ts';
import { type ColumnMapPorts, columnMapsAt } from '../queries/diff/maps-at.ts';
import { type EvaluatedEdge, edgeEvaluator, followed } from '../traversal/evaluate.ts';
import { expand } from '../traversal/expansion.ts';
import { type GraphView, graphView } from '../traversal/graph-view.ts';
import type { TraversalPorts } from '../traversal/ports.ts';

export type FactPorts = TraversalPorts & ColumnMapPorts;

/** What the graph says at one time of some relations; each side is read when a rule first asks for it. */
export type RelationFacts = {
  readonly view: GraphView;
  /** The edges of each relation on a side, those that are stale included. */
  readonly edges: (side: Side) => Promise<ReadonlyMap<Urn, readonly EvaluatedEdge[]>>;
  /** The columns that are mapped into each relation, in lower case; null where some of its evidence does not tell. */
  readonly columns: () => Promise<ReadonlyMap<Urn, ReadonlyMap<string, string> | null>>;
};

type Question = { readonly workspace: WorkspaceId; readonly relations: readonly Urn[]; readonly asOf: string | null };

export function relationFacts(ports: FactPorts, question: Question): RelationFacts {
  const view = graphView(ports, question.workspace, question.asOf);
  const sides = {
    in: once(() => edgesOf(ports, view, question, 'in')),
    out: once(() => edgesOf(ports, view, question, 'out')),
  };
  return {
    view,
    edges: (side) => sides[side](),
    columns: once(async () => columnsOf(ports, question, await sides.in())),
  };
}

export const refOf = (urn: Urn): string => relationRefOf(nodeOf(urn));

/** The edges of each relation that are not stale. */
export const activeEdges = (edges: readonly EvaluatedEdge[] = []): EvaluatedEdge[] =>
  followed(edges).filter(({ status }) => status === 'active');

async function edgesOf(ports: FactPorts, view: GraphView, { workspace, relations, asOf }: Question, side: Side) {
  const options = { workspace, asOf, includeStale: true, minConfidence: 0, withDetails: side === 'in' };
  const expansion = await expand(view, { side, nodes: relations });
  const found = (await expansion.next(Number.POSITIVE_INFINITY)) ?? [];
  return Map.groupBy(await edgeEvaluator(ports, view, options).evaluate(side, found), ({ self }) => self);
}

async function columnsOf(
  ports: FactPorts,
  { workspace, asOf }: Question,
  edges: ReadonlyMap<Urn, readonly EvaluatedEdge[]>,
) {
  const detailAt = columnMapsAt(ports, { workspace, connectors: [...ports.connectors.values()] }, asOf ?? ports.now);
  const found = new Map<Urn, ReadonlyMap<string, string> | null>();
  for (const [relation, all] of edges) {
    const evidence = activeEdges(all).flatMap((edge) => edge.evidence);
    const admitted = evidence.filter(({ disposition }) => disposition === 'admitted');
    const details = await Promise.all(admitted.map((one) => (asOf === null ? one.detail : detailAt(one))));
    found.set(relation, columnsIn(details));
  }
  return found;
}

type Detail = Awaited<ReturnType<ReturnType<typeof columnMapsAt>>>;

/** Null where a piece of evidence knows edges alone: what it does not map may still be there. */
function columnsIn(details: readonly Detail[]): ReadonlyMap<string, string> | null {
  const names = new Map<string, string>();
  for (const detail of details) {
    if (detail === null || detail.unresolved.some(({ outputColumn }) => outputColumn === null)) return null;
    const told = [...detail.columns, ...detail.unresolved].map(({ outputColumn }) => outputColumn);
    for (const column of told) if (column !== null) names.set(column.toLowerCase(), column);
  }
  return names;
}
