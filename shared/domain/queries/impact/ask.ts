import type { ImpactAnswer } from '../../../contract/impact.ts';
import type { Side } from '../../graph/claim.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { columnNameOf } from '../../identity/column-ref.ts';
import type { Connector } from '../../identity/connector.ts';
import { columnsOf } from '../../traversal/columns.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import { resolveRoot } from '../../traversal/resolve-root.ts';
import { emptyResult, type TraversalResult, traverse } from '../../traversal/traverse.ts';
import type { NearestPorts } from '../relations/nearest-relations.ts';
import { shownResolution } from '../relations/resolution.ts';
import { answerParts, type ImpactResults } from './answer.ts';
import type { ImpactQuestion } from './question.ts';
import { unknownColumns, withUnknownColumns } from './unknown-columns.ts';

type Answer = Omit<ImpactAnswer, 'coverage' | 'cost'> & Pick<ImpactAnswer['coverage'], 'suppressed'>;

/** What feeds a relation or column, and what a change of it may break: C-IMPACT-1. */
export async function askImpact(
  ports: TraversalPorts & NearestPorts,
  connector: Connector,
  asked: ImpactQuestion,
): Promise<Answer> {
  const question = { ...asked, columns: asked.columns.map((ref) => columnNameOf(connector, ref)) };
  const view = graphView(ports, question.workspace, question.asOf);
  const root = await resolveRoot(ports, view, connector, question);
  const results = root.urn ? await traverseFrom(ports, view, question, root.urn) : {};
  const found = { upstream: results.in ?? emptyResult, downstream: results.out ?? emptyResult };
  await view.columns.load(whollyAffected(found));
  const { precision, ...parts } = answerParts(question, found, view.columns.of);
  return {
    workspace_id: question.workspace,
    connector_id: question.connectorId,
    graph_found: root.urn !== null || (await ports.directory.any(question.workspace, question.connectorId)),
    has_lineage: parts.edges.length > 0,
    root: rootOf(root.urn, question),
    ...parts,
    precision: root.urn ? precision : { ...precision, delivered: 'none' },
    lineage_resolution: await shownResolution(ports, view, connector, { ...question, root }),
    as_of: question.asOf ?? ports.now,
  };
}

function rootOf(urn: Urn | null, { relationRef }: ImpactQuestion): ImpactAnswer['root'] {
  if (urn === null) return { relation_ref: relationRef, connector_id: null };
  const node = nodeOf(urn);
  return { relation_ref: relationRefOf(node), connector_id: 'connectorId' in node ? node.connectorId : null };
}

const whollyAffected = ({ upstream, downstream }: ImpactResults): Urn[] =>
  [upstream, downstream].flatMap(({ reached }) =>
    [...reached.values()].flatMap(({ urn, columns }) => (columns.every ? [urn] : [])),
  );

const sides = { upstream: ['in'], downstream: ['out'], both: ['in', 'out'] } as const;

/** Traverses by columns where they are asked for and known, else by relations. */
async function traverseFrom(
  ports: TraversalPorts,
  view: GraphView,
  question: ImpactQuestion,
  root: Urn,
): Promise<Partial<Record<Side, TraversalResult>>> {
  const directions: readonly Side[] = sides[question.direction];
  const columns = question.columns.length > 0 ? columnsOf(question.columns) : null;
  const results = await traverse(ports, view, { ...question, root, columns }, directions);
  const unknown = await unknownColumns(ports, view, { ...question, root }, Object.values(results));
  if (unknown.length === 0) return results;
  const byRelation = await traverse(ports, view, { ...question, root, columns: null }, directions);
  return Object.fromEntries(
    Object.entries(byRelation).map(([side, result]) => [side, withUnknownColumns(result, root, unknown)]),
  );
}
