import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import type { Coverage, ImpactAnswer } from '../../../../contract/impact.ts';
import type { QuietReason } from '../../../../contract/vocabulary.ts';
import { inParallel } from '../../../base/concurrency.ts';
import { isSilent } from '../../gaps/detect-gaps.ts';
import type { Side } from '../../graph/claim.ts';
import { nodeOf, ownerOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { forgettingAt, zeroOrder } from '../../graph/order.ts';
import type { ScopeHead } from '../../graph/scope-store.ts';
import type { Connector } from '../../names/connector.ts';
import { columnNameOf } from '../../names/relation-ref.ts';
import { type ProviderRecord, statusOf } from '../../providers/provider.ts';
import { columnsOf, concerning } from '../../traversal/columns.ts';
import { type GraphView, graphView } from '../../traversal/graph-view.ts';
import { namedColumns } from '../../traversal/named-columns.ts';
import type { GraphQuery, QueryContext, Traversal } from '../../traversal/ports.ts';
import {
  emptyResult,
  type Results,
  resolveRoot,
  type TraversalResult,
  traverse,
  withColumnsOfEdges,
} from '../../traversal/traverse.ts';
import { answeredWhole } from '../../traversal/visible-details.ts';
import { firstCarried } from '../answer-size.ts';
import { shownResolution } from '../relations/resolution.ts';
import { answerParts, columnPaths, type ImpactQuestion, type ImpactResults } from './answer.ts';

/** The whole answer but its cost: the traversals, and what their evidence comes from. */
export async function answerImpact(
  query: GraphQuery<Traversal | 'names' | 'providers'>,
  connector: Connector,
  question: ImpactQuestion,
): Promise<Omit<ImpactAnswer, 'cost'>> {
  const [{ suppressed, ...answer }, coverage] = await Promise.all([
    answeredWhole(query, (consistent) => askImpact(consistent, connector, question)),
    coverageOf(query, question.workspace, connector.id, question.asOf),
  ]);
  return cutAnswer({ ...answer, coverage: { ...coverage, suppressed } });
}

type Answer = Omit<ImpactAnswer, 'cost'>;

/** How many columns, mappings and reasons of a relation or an edge are listed. */
const columnsListed = [1_000, 100, 10, 0];

/** The answer as far as a reply can carry it: columns are left out before relations, and the counts stay (C-IMPACT-14). */
export const cutAnswer = (answer: Answer): Answer => firstCarried(answer, smallerAnswers(answer));

function* smallerAnswers(answer: Answer): Generator<Answer> {
  for (const most of columnsListed) yield withColumns(answer, most);
  const bare = withColumns(answer, 0);
  for (let most = relationsOf(answer) / 2; most >= 1; most /= 2) yield withRelations(bare, Math.floor(most));
  yield withRelations(bare, 0);
}

const relationsOf = ({ upstream, downstream }: Answer): number => upstream.length + downstream.length;

function withColumns(answer: Answer, most: number): Answer {
  const ofItem = (item: Answer['upstream'][number]) => ({ ...item, columns: item.columns.slice(0, most) });
  const edges = answer.edges.map((edge) => ({ ...edge, columns: edge.columns.slice(0, most) }));
  return {
    ...answer,
    upstream: answer.upstream.map(ofItem),
    downstream: answer.downstream.map(ofItem),
    edges,
    precision: { ...answer.precision, reasons: answer.precision.reasons.slice(0, Math.max(most, 100)) },
    column_lineage: {
      ...answer.column_lineage,
      paths: answer.column_lineage.roots.length > 0 ? columnPaths(edges) : [],
      unresolved: answer.column_lineage.unresolved.slice(0, most),
    },
    truncated: { ...answer.truncated, any: true, by_bytes: true },
  };
}

/** The nearest relations, and the edges between them. */
function withRelations(answer: Answer, most: number): Answer {
  const share = most / relationsOf(answer);
  const nearest = (items: Answer['upstream']) => items.slice(0, Math.floor(items.length * share));
  const [upstream, downstream] = [nearest(answer.upstream), nearest(answer.downstream)];
  const remaining = new Set([answer.root, ...upstream, ...downstream].map(({ relation_ref }) => relation_ref));
  const left = relationsOf(answer) - upstream.length - downstream.length;
  return {
    ...answer,
    upstream,
    downstream,
    edges: answer.edges.filter((edge) => remaining.has(edge.upstream) && remaining.has(edge.downstream)),
    precision: { ...answer.precision, reasons: answer.precision.reasons.slice(0, most) },
    truncated: { ...answer.truncated, unexplored: answer.truncated.unexplored + left },
  };
}

/** So that an answer about one relation does not pay for a workspace of thousands of feeds. */
const maxRead = { feeds: 200, scopes: 200 };
const historiesInFlight = 16;

/** What a connector's evidence comes from, so that absence can be interpreted. Feeds are shown in their current state. */
async function coverageOf(
  query: GraphQuery<'providers'>,
  workspace: WorkspaceId,
  connector: ConnectorId,
  asOf: string | null,
): Promise<Omit<Coverage, 'suppressed'>> {
  const [feeds, heads] = await Promise.all([
    feedsOf(query, workspace, connector),
    query.reader.scopes.ofConnector(query.context.graph, connector, maxRead.scopes + 1),
  ]);
  const now = new Date(query.context.now);
  const stating = heads.slice(0, maxRead.scopes).filter((head) => !isForgotten(query.context, head, asOf));
  return {
    feeds: feeds.records.flatMap((record) => quietFeed(record, now)),
    feeds_checked: feeds.records.length,
    scopes: await inParallel(historiesInFlight, stating, async (head) => ({
      scope_key: head.scopeKey,
      provider_type: head.providerType,
      provider_instance_id: head.providerInstanceId,
      last_complete_snapshot_at: await lastComplete(query, head, asOf),
    })),
    complete: feeds.all && heads.length <= maxRead.scopes,
  };
}

async function feedsOf({ reader }: GraphQuery<'providers'>, workspace: WorkspaceId, connector: ConnectorId) {
  const records: ProviderRecord[] = [];
  let seen = 0;
  for await (const record of reader.providers.list(workspace, null)) {
    if (++seen > maxRead.feeds) return { records, all: false };
    const owner = record.provider.connector_id;
    if (owner === null || owner === connector) records.push(record);
  }
  return { records, all: true };
}

function quietFeed(record: ProviderRecord, now: Date): Coverage['feeds'] {
  const { provider, activity } = record;
  const reason = quietReason(record, now);
  if (reason === null) return [];
  return [
    {
      provider_instance_id: provider.id,
      provider_type: provider.provider_type,
      display_name: provider.display_name,
      connector_id: provider.connector_id,
      reason,
      last_received_at: activity.last_received_at,
      last_success_at: activity.last_success_at,
    },
  ];
}

function quietReason(record: ProviderRecord, now: Date): QuietReason | null {
  const status = statusOf(record);
  if (status !== 'active') return status;
  return isSilent(record, now) ? 'silent' : null;
}

/** Whether nothing that the scope stated counts, and nothing was stated since. */
function isForgotten({ forgotten }: QueryContext, { scope, started, order }: ScopeHead, asOf: string | null): boolean {
  const until = forgettingAt(forgotten, scope, asOf)?.order;
  return until !== undefined && started <= until && order <= until;
}

async function lastComplete(
  { reader, context: { graph, forgotten } }: GraphQuery,
  { scope, order, committedAt }: ScopeHead,
  asOf: string | null,
): Promise<string | null> {
  const until = forgettingAt(forgotten, scope, asOf)?.order;
  // Only partial deliveries arrived since it was forgotten.
  if (until !== undefined && order <= until) return null;
  if (asOf === null || committedAt === null || committedAt <= asOf) return committedAt;
  const orders = await reader.scopes.history(graph, scope, zeroOrder);
  const complete = orders.findLast((one) => one.complete && one.at !== null && one.at <= asOf);
  return complete === undefined || (until !== undefined && complete.order <= until) ? null : complete.at;
}

type GraphAnswer = Omit<ImpactAnswer, 'coverage' | 'cost'> & Pick<ImpactAnswer['coverage'], 'suppressed'>;

/** What feeds a relation or column, and what a change of it may break: C-IMPACT-1. */
export async function askImpact(
  query: GraphQuery<Traversal | 'names'>,
  connector: Connector,
  request: ImpactQuestion,
): Promise<GraphAnswer> {
  const columns = [...new Set(request.columns.map((ref) => columnNameOf(connector, ref)))];
  const question = { ...request, columns };
  const view = graphView(query, question.asOf);
  const root = await resolveRoot(view, connector, question);
  const results = root.urn ? await traverseFrom(view, question, root.urn) : {};
  const found = { upstream: results.in ?? emptyResult, downstream: results.out ?? emptyResult };
  await view.columns.load(whollyAffected(found));
  const { precision, ...parts } = answerParts(question, found, view.columns.of);
  return {
    workspace_id: question.workspace,
    connector_id: question.connectorId,
    graph_found: root.urn !== null || (await query.reader.directory.any(query.context.graph, question.connectorId)),
    has_lineage: parts.edges.length > 0,
    root: rootOf(root.urn, question),
    ...parts,
    precision: root.urn ? precision : { ...precision, delivered: 'none' },
    lineage_resolution: await shownResolution(view, connector, { ...question, root }),
    as_of: question.asOf ?? query.context.now,
  };
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
async function traverseFrom(view: GraphView<'details'>, question: ImpactQuestion, root: Urn): Promise<Results> {
  const directions: readonly Side[] = sides[question.direction];
  const columns = question.columns.length > 0 ? columnsOf(question.columns) : null;
  const results: Results = await traverse(view, { ...question, root, columns }, directions);
  if (columns === null) return withColumnsOfEdges(view, question, results);
  const unknown = await unknownColumns(view, { ...question, root }, Object.values(results));
  if (unknown.length === 0) return results;
  const byRelation = await traverse(view, { ...question, root, columns: null }, directions);
  const whole: Results = await withColumnsOfEdges(view, question, byRelation);
  const resultOf = (side: Side, { [side]: one = emptyResult }: Results) => one;
  return Object.fromEntries(
    directions.map((side) => [side, withUnknownColumns(resultOf(side, whole), resultOf(side, results), root, unknown)]),
  );
}

const unknownColumn = 'unknown_column';

/** The requested columns of the root that appear in no evidence of its edges. */
async function unknownColumns(
  view: GraphView<'details'>,
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

/**
 * The result of a traversal by relations as the answer about columns that are not known (C-IDENTITY-14), with the
 * mappings that a traversal by the other columns proved (C-IMPACT-21).
 */
function withUnknownColumns(
  result: TraversalResult,
  proven: TraversalResult,
  root: Urn,
  columns: readonly string[],
): TraversalResult {
  const reasons = columns.map((column) => [column, { urn: root, column, reason: unknownColumn }] as const);
  const isByTable = (node: Urn) => !proven.reached.has(node) || proven.byTable.has(node);
  return {
    ...result,
    reached: new Map(
      [...result.reached].map(([node, one]) => [
        node,
        { ...one, columns: proven.reached.get(node)?.columns ?? one.columns },
      ]),
    ),
    edges: new Map(
      [...result.edges].map(([key, one]) => [key, { ...one, mappings: proven.edges.get(key)?.mappings ?? new Map() }]),
    ),
    byTable: new Set([...result.reached.keys()].filter(isByTable)),
    reasons: new Map([...result.reasons, ...proven.reasons, ...reasons]),
  };
}
