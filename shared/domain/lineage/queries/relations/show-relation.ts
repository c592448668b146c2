import { type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { Problem } from '../../../../contract/problems.ts';
import type { LineageResolution, RelationDetail } from '../../../../contract/relations.ts';
import type { Verdict } from '../../../../contract/vocabulary.ts';
import { sortedBy } from '../../../base/collections.ts';
import type { ClaimedEdge, EdgeInScope, FoundDetail } from '../../graph/derivation.ts';
import { nodeOf, ownerOf, refOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { type Connector, layerOfNode } from '../../names/connector.ts';
import type { Sources as ClaimSources } from '../../providers/provider.ts';
import {
  type GraphQuery,
  type GraphView,
  graphView,
  type QueryContext,
  type Traversal,
} from '../../traversal/graph-view.ts';
import { type JudgedEdge, judgedEdges, shownVerdict, verdictCounts } from '../../traversal/judged-edges.ts';
import type { KnownColumn } from '../../traversal/known-columns.ts';
import { edgeKey } from '../../traversal/traversal-state.ts';
import { resolveRoot } from '../../traversal/traverse.ts';
import { detailsSeen } from '../../traversal/visible-details.ts';
import { claimOf, withOtherVerdicts } from '../claim/claim.ts';
import { staleLimits, staleRelation } from '../claim/hidden-edges.ts';
import { namedSources, sourceLimits } from '../claim/sources.ts';
import { wayLimits } from '../claim/way-limits.ts';
import { columnsNamed, type NamedColumn } from './columns-named.ts';
import { furtherPagesRead, isStated, type Neighbourhood, neighbourhoodsOf } from './neighbourhood.ts';
import { shownResolution } from './resolution.ts';
import { resolveNamedRelation } from './resolve-named-relation.ts';

const [claimsRead, claimsPerRead] = [1_000, 200];

type RelationQuestion = {
  readonly workspace: WorkspaceId;
  readonly relationRef: string;
  /** A past time, or null for now. */
  readonly asOf: string | null;
  /** Only edges of these verdicts; of any if none is named. */
  readonly verdicts: readonly Verdict[];
};

/** All that is known of one relation (C-RELATION-3). Throws `not_found` if the graph has none of that name, `ambiguous_relation` if several connectors know it and none is named. */
export async function showRelation(
  query: GraphQuery<Traversal | 'names' | 'sources' | 'unfinished'>,
  connector: Connector | null,
  question: RelationQuestion,
): Promise<Omit<RelationDetail, 'cost'>> {
  const view = graphView(query, question.asOf);
  const root = await (connector ? resolveRoot(view, connector, question) : resolveNamedRelation(view, question));
  const resolution = await shownResolution(view, connector, { ...question, root });
  const { urn } = root;
  if (urn === null) throw notResolved(resolution);
  const found = (await neighbourhoodsOf(view, [urn], furtherPagesRead)).get(urn);
  if (!found) throw new Problem('not_found');
  const { claims, details: stored } = await detailsRead(view, found.claims);
  const details = await detailsSeen(view, claims, stored);
  await view.columns.load([urn]);
  await view.scopes.loadObservers(claims.map(({ scope }) => scope));
  const node = nodeOf(urn);
  const judged = await edgesOf(view, urn);
  const sources = await namedSources(query, question.workspace);
  const readers = judged.found.flatMap(({ edge }) => (edge.upstream === urn ? [edge.downstream] : []));
  const way = await wayLimits(view, [urn, ...readers], [urn]);
  const claim = claimOfRelation(urn, { question, context: query.context, found, judged, sources, readers, way });
  const isShown = ({ verdict }: JudgedEdge) =>
    question.verdicts.length === 0 || (verdict !== null && question.verdicts.includes(verdict));
  const shown = judged.found.filter(isShown);
  return {
    workspace_id: question.workspace,
    relation_ref: relationRefOf(node),
    connector_id: ownerOf(node),
    kind: node.kind,
    layer: layerOfNode(query.context.connectors, node),
    lineage_resolution: resolution,
    aliases: aliasesOf(urn, found.names),
    columns: columnsOf(view, urn, columnsNamed(found, details)),
    columns_complete: view.columns.of(urn)?.complete ?? false,
    providers: providersOf(view, [...claims, ...view.columns.statedOf(urn)]),
    first_observed_at: found.first,
    last_observed_at: found.last,
    upstream_count: found.counts.in,
    downstream_count: found.counts.out,
    edges: shown.map(({ edge, ...one }) => ({ ...edge.refs, ...shownVerdict(one) })),
    summary: { verdicts: verdictCounts(judged.found) },
    edges_complete: judged.isWhole,
    truncated: found.hasUnreadPages || claims.length < found.claims.length,
    claim: withOtherVerdicts(claim, judged.found.length - shown.length),
  };
}

type Known = {
  readonly question: RelationQuestion;
  readonly context: QueryContext;
  readonly found: Neighbourhood;
  readonly judged: Awaited<ReturnType<typeof edgesOf>>;
  readonly sources: ClaimSources;
  readonly readers: readonly Urn[];
  readonly way: readonly ClaimLimit[];
};

/** What breaks with a relation, of its direct readers: without one, nothing depends on it (C-CLAIM-8). */
function claimOfRelation(urn: Urn, known: Known): RelationDetail['claim'] {
  const { question, context, found, judged, sources, readers, way } = known;
  const { now } = context;
  const { asOf, relationRef } = question;
  const breaks = readers.length;
  const owner = ownerOf(nodeOf(urn));
  const limits = [
    ...(isStated(found) ? [] : [limitOf('before_first_evidence', { subjects: [relationRef], detail: asOf ?? now })]),
    ...way,
    ...(breaks > 0 ? [limitOf('direct_readers_only')] : []),
    ...(judged.isWhole && !found.hasUnreadPages ? [] : [limitOf('evidence_not_read')]),
    ...staleLimits(judged.stale.filter(({ upstream }) => upstream === urn).map(staleRelation), asOf ?? now),
    ...sourceLimits(sources, {
      owners: new Set(owner === null ? [] : [owner]),
      relations: [urn, ...readers].map(refOf),
      context,
      asOf,
    }),
  ];
  return claimOf({ breaks, may_break: 0 }, limits, sources.until);
}

/** Of each side. */
const mostNeighbours = 200;

/** The active edges of a relation with their verdicts: its inputs, then its readers. Stale ones are apart. */
async function edgesOf(view: GraphView, urn: Urn) {
  const about = { relations: [urn], neighbours: mostNeighbours };
  const sides = [await judgedEdges(view, 'in', about), await judgedEdges(view, 'out', about)];
  const found = sides.flatMap((one) => sortedBy(one.found, ({ edge }) => edgeKey(edge)));
  return { found, stale: sides.flatMap(({ stale }) => stale), isWhole: sides.every(({ isWhole }) => isWhole) };
}

/** The details of the first claims, as far as the limits of claims and of reads allow. */
async function detailsRead(view: GraphView, claims: readonly ClaimedEdge[]) {
  const details: FoundDetail[] = [];
  let read = 0;
  for (; read < Math.min(claims.length, claimsRead) && !view.context.isSpent(); read += claimsPerRead)
    details.push(...(await view.readDetails(claims.slice(read, read + claimsPerRead))));
  return { claims: claims.slice(0, read), details };
}

/** There is no relation to report: the nearest names are the hint. */
const notResolved = ({ fallback_reason, candidates = [] }: LineageResolution): Problem =>
  new Problem('not_found', {
    message:
      fallback_reason === 'ambiguous' ? 'The name means more than one relation.' : 'No relation is meant by that name.',
    ...(candidates.length > 0 && { hint: `The nearest names: ${candidates.join(', ')}` }),
  });

const aliasesOf = (urn: Urn, names: readonly Urn[]): string[] =>
  names
    .filter((name) => name !== urn)
    .map(refOf)
    .sort();

function columnsOf(view: GraphView, urn: Urn, named: ReadonlyMap<string, NamedColumn>): RelationDetail['columns'] {
  const known = view.columns.of(urn)?.columns ?? new Map<string, KnownColumn>();
  return [...new Set([...known.keys(), ...named.keys()])].sort().map((key) => {
    const scopes = [...(known.get(key)?.scopes ?? []), ...(named.get(key)?.scopes ?? [])];
    return {
      name: known.get(key)?.name ?? named.get(key)?.name ?? key,
      type: known.get(key)?.type ?? null,
      described_by: providerTypesOf(view, scopes),
      ...(known.get(key)?.isOwn && { read_by_itself: true }),
    };
  });
}

type ScopeOf = EdgeInScope['scope'];

const providerTypesOf = (view: GraphView, scopes: Iterable<ScopeOf>): string[] => {
  const types = [...scopes].flatMap((scope) => view.scopes.get(scope)?.head.providerType ?? []);
  return [...new Set(types)].sort();
};

function providersOf(view: GraphView, claims: readonly Pick<EdgeInScope, 'scope'>[]): RelationDetail['providers'] {
  const heads = claims.flatMap(({ scope }) => view.scopes.get(scope)?.head ?? []);
  const types = new Map(heads.map((head) => [head.providerInstanceId, head.providerType]));
  return [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([provider_instance_id, provider_type]) => ({ provider_instance_id, provider_type }));
}
