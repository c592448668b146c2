import { type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import type { ExposureFacts, ImpactAnswer } from '../../../../contract/impact.ts';
import type { Side } from '../../graph/claim.ts';
import { nodeOf, ownerOf, relationRefOf, type Urn } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { columnNameOf } from '../../names/relation-ref.ts';
import { columnsOf, concerning } from '../../traversal/columns.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import { type GraphQuery, type GraphView, graphView, type Traversal } from '../../traversal/graph-view.ts';
import { namedColumns } from '../../traversal/named-columns.ts';
import { edgeKey, wholeEdge } from '../../traversal/traversal-state.ts';
import { emptyResult, resolveRoot, type TraversalResult, traverse } from '../../traversal/traverse.ts';
import { verdictsOf } from '../../traversal/verdict.ts';
import { wayLimits } from '../claim/way-limits.ts';
import { furtherPagesRead, isStated, neighbourhoodsOf } from '../relations/neighbourhood.ts';
import { shownResolution } from '../relations/resolution.ts';
import { answerParts, type ImpactQuestion, type ImpactResults } from './answer.ts';
import type { ImpactWalk } from './impact-claim.ts';

type GraphAnswer = Omit<ImpactAnswer, 'claim' | 'coverage' | 'cost'> &
  Pick<ImpactAnswer['coverage'], 'suppressed'> & { readonly walk: ImpactWalk };

/** What feeds a relation or column, and what a change of it may break: C-IMPACT-1. */
export async function askImpact(
  query: GraphQuery<Traversal | 'names' | 'unfinished'>,
  connector: Connector,
  request: ImpactQuestion,
): Promise<GraphAnswer> {
  const columns = [...new Set(request.columns.map((ref) => columnNameOf(connector, ref)))];
  const question = { ...request, columns };
  const view = graphView(query, question.asOf);
  const root = await resolveRoot(view, connector, question);
  const results = root.urn ? await traverseFrom(view, question, root.urn) : {};
  const found = { upstream: results.in ?? emptyResult, downstream: results.out ?? emptyResult };
  // Beyond the limit all columns of a relation are `*`.
  if (!query.context.isSpent()) await view.columns.load(whollyAffected(found));
  const edges = [found.upstream, found.downstream].flatMap((one) => [...one.edges.values()].map(({ edge }) => edge));
  const changed = [...(root.urn ? [root.urn] : []), ...found.downstream.reached.keys()];
  const read = question.direction === 'upstream' ? [] : changed;
  const [verdicts, way, own] = await Promise.all([
    verdictsOf(view, edges),
    wayLimits(view, [...changed, ...found.upstream.reached.keys()], read),
    ownLimits(view, question, root.urn, found),
  ]);
  const { precision, ...parts } = answerParts(question, found, {
    columnsOf: view.columns.of,
    facts: factsIn(edges),
    verdicts,
  });
  const isKnownThen = root.urn !== null && (await isClaimed(view, root.urn, found));
  return {
    workspace_id: question.workspace,
    connector_id: question.connectorId,
    graph_found: root.urn !== null || (await query.reader.directory.any(query.context.graph, question.connectorId)),
    has_lineage: parts.edges.length > 0,
    root: rootOf(root.urn, question),
    ...parts,
    precision: isKnownThen ? precision : { ...precision, delivered: 'none' },
    walk: {
      ...{ question, root: root.urn, results: found, isKnownThen, way: [...way, ...own] },
      at: question.asOf ?? query.context.now,
    },
    lineage_resolution: await shownResolution(view, connector, { ...question, root }),
    as_of: question.asOf ?? query.context.now,
  };
}

/** That a column which nothing else reads is needed by the relation's own next run. */
async function ownLimits(
  view: GraphView,
  { columns, direction }: ImpactQuestion,
  root: Urn | null,
  { downstream }: ImpactResults,
): Promise<ClaimLimit[]> {
  if (root === null || columns.length === 0 || direction === 'upstream' || downstream.reached.size > 0) return [];
  if (view.context.isSpent()) return [];
  await view.columns.load([root]);
  const known = view.columns.of(root)?.columns;
  const subjects = columns.filter((name) => known?.get(name.toLowerCase())?.isOwn);
  return subjects.length > 0 ? [limitOf('read_by_itself', { subjects })] : [];
}

/** Whether the view's moment has evidence of a relation on either side. */
async function isClaimed(view: GraphView, root: Urn, { upstream, downstream }: ImpactResults): Promise<boolean> {
  if ([upstream, downstream].some(({ edges, suppressed }) => edges.size + suppressed.size > 0)) return true;
  // The first pages of a wide relation need not hold what is stated of it.
  for (const furtherPages of [0, furtherPagesRead]) {
    const found = (await neighbourhoodsOf(view, [root], furtherPages)).get(root);
    if (found && isStated(found)) return true;
    if (!found?.hasUnreadPages) break;
  }
  return false;
}

export const isToExposure = ({ downstream }: EvaluatedEdge): boolean => nodeOf(downstream).kind === 'exposure';

/** The facts about the ends of edges: of an exposure all, of a relation its owners. Of several sources the first that names owners counts. */
export function factsIn(edges: readonly EvaluatedEdge[]): ReadonlyMap<Urn, ExposureFacts> {
  const stated = edges.flatMap(({ downstream, evidence }) =>
    evidence.flatMap(({ detail }) => (detail?.exposure ? [[downstream, detail.exposure] as const] : [])),
  );
  const owned = stated.filter(([, { owners }]) => owners.length > 0);
  return new Map([...stated.toReversed(), ...owned.toReversed()]);
}

function rootOf(urn: Urn | null, { relationRef }: ImpactQuestion): ImpactAnswer['root'] {
  if (urn === null) return { relation_ref: relationRef, connector_id: null };
  const node = nodeOf(urn);
  return { relation_ref: relationRefOf(node), connector_id: ownerOf(node) };
}

const whollyAffected = ({ upstream, downstream }: ImpactResults): Urn[] =>
  [upstream, downstream].flatMap(({ reached }) =>
    [...reached.values()].flatMap(({ urn, columns }) => (columns.every ? [urn] : [])),
  );

const sides = { upstream: ['in'], downstream: ['out'], both: ['in', 'out'] } as const;

/** Traverses by columns where they are requested and known, else by relations. */
async function traverseFrom(view: GraphView, question: ImpactQuestion, root: Urn): Promise<Results> {
  const directions: readonly Side[] = sides[question.direction];
  const columns = question.columns.length > 0 ? columnsOf(question.columns) : null;
  const results: Results = await traverse(view, { ...question, root, columns }, directions);
  if (columns === null) return described(question, results);
  const unknown = await unknownColumns(view, { ...question, root }, Object.values(results));
  if (unknown.length === 0) return results;
  const relations = await traverse(view, { ...question, root, columns: null }, directions);
  const byRelation = described(question, relations);
  return Object.fromEntries(
    directions.map((side) => [
      side,
      withUnknownColumns(byRelation[side] ?? emptyResult, results[side] ?? emptyResult, root, unknown),
    ]),
  );
}

type Results = Partial<Record<Side, TraversalResult>>;

/** The results with the columns of their edges, which relations can be followed without (C-IMPACT-22). */
function described({ influence }: ImpactQuestion, results: Results): Results {
  const sides = (['in', 'out'] as const).flatMap((side) => {
    const one = results[side];
    if (!one) return [];
    const whole = [...one.edges.values()].map(({ edge }) => [edgeKey(edge), wholeEdge(edge, influence)] as const);
    return [[side, { ...one, edges: new Map(whole) }] as const];
  });
  return Object.fromEntries(sides);
}

const unknownColumn = 'unknown_column';

async function unknownColumns(
  view: GraphView,
  { root, ...question }: ImpactQuestion & { readonly root: Urn },
  results: readonly TraversalResult[],
): Promise<string[]> {
  const isMapped = concerning(mappedColumns(root, results));
  const open = question.columns.filter((name) => !isMapped(name));
  if (open.length === 0) return [];
  const isNamed = concerning(await namedColumns(view, question, root));
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

/** A traversal by relations as the answer about unknown columns (C-IDENTITY-14), with proven mappings (C-IMPACT-21). */
function withUnknownColumns(
  result: TraversalResult,
  proven: TraversalResult,
  root: Urn,
  columns: readonly string[],
): TraversalResult {
  const reasons = columns.map((column) => [column, { urn: root, column, reason: unknownColumn }] as const);
  const isByTable = (node: Urn) => !proven.reached.has(node) || proven.byTable.has(node);
  // If the limit of reads cut the traversal by relations, it may lack what the other one proved.
  const known = result.cutByRequests ? proven : emptyResult;
  const reached = new Map([
    ...known.reached,
    ...[...result.reached].map(
      ([node, one]) => [node, { ...one, columns: proven.reached.get(node)?.columns ?? one.columns }] as const,
    ),
  ]);
  return {
    ...result,
    reached,
    edges: new Map([
      ...known.edges,
      ...[...result.edges].map(
        ([key, one]) => [key, { ...one, mappings: proven.edges.get(key)?.mappings ?? new Map() }] as const,
      ),
    ]),
    byTable: new Set([...reached.keys()].filter(isByTable)),
    reasons: new Map([...result.reasons, ...proven.reasons, ...reasons]),
  };
}
