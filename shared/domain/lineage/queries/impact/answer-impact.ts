import { limitOf } from '../../../../contract/claim.ts';
import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import type { Coverage, ImpactAnswer } from '../../../../contract/impact.ts';
import type { Verdict } from '../../../../contract/vocabulary.ts';
import { inParallel } from '../../../base/concurrency.ts';
import { forgettingAt, zeroOrder } from '../../graph/order.ts';
import type { ScopeHead } from '../../graph/scope-store.ts';
import type { Connector } from '../../names/connector.ts';
import type { ProviderRecord, Sources } from '../../providers/provider.ts';
import { answeredWhole } from '../../traversal/answered-whole.ts';
import type { GraphQuery, QueryContext, Traversal } from '../../traversal/graph-view.ts';
import { firstCarried } from '../answer-size.ts';
import { claimOf, limited, withOtherVerdicts } from '../claim/claim.ts';
import { namedSources, quietReason, sourceLimits } from '../claim/sources.ts';
import { columnPaths, exposuresByOwner, type ImpactQuestion } from './answer.ts';
import { askImpact } from './ask-impact.ts';
import { foundIn, walkLimits } from './impact-claim.ts';

export async function answerImpact(
  query: GraphQuery<Traversal | 'names' | 'sources' | 'unfinished'>,
  connector: Connector,
  question: ImpactQuestion,
): Promise<Omit<ImpactAnswer, 'cost'>> {
  const [{ suppressed, walk, ...answer }, { sources, ...coverage }] = await Promise.all([
    answeredWhole(query, (consistent) => askImpact(consistent, connector, question)),
    coverageOf(query, question.workspace, connector.id, question.asOf),
  ]);
  const onTheWay = {
    owners: ownersOf(connector, answer),
    relations: [answer.root, ...(question.direction === 'upstream' ? answer.upstream : answer.downstream)].map(
      ({ relation_ref }) => relation_ref,
    ),
    context: query.context,
    asOf: question.asOf,
  };
  const limits = [...walkLimits(walk), ...sourceLimits(sources, onTheWay)];
  const claim = claimOf(foundIn(walk, answer), limits, sources.until);
  return withVerdicts(cutAnswer({ ...answer, claim, coverage: { ...coverage, suppressed } }), question.verdicts ?? []);
}

/** Only the edges of some verdicts, and the relations at their ends; of any if none is named (C-VERDICT-5). */
function withVerdicts(answer: Answer, verdicts: readonly Verdict[]): Answer {
  if (verdicts.length === 0) return answer;
  const edges = answer.edges.filter(({ verdict }) => verdict !== null && verdicts.includes(verdict));
  const ends = new Set(edges.flatMap(({ upstream, downstream }) => [upstream, downstream]));
  const atEnds = (items: Answer['upstream']) => items.filter(({ relation_ref }) => ends.has(relation_ref));
  const [upstream, downstream] = [atEnds(answer.upstream), atEnds(answer.downstream)];
  const claim = withOtherVerdicts(answer.claim, answer.edges.length - edges.length);
  return { ...answer, edges, upstream, downstream, exposures: exposuresByOwner(downstream), claim };
}

type Answer = Omit<ImpactAnswer, 'cost'>;

/** The connectors on the way. */
const ownersOf = (connector: Connector, { upstream, downstream }: Pick<Answer, 'upstream' | 'downstream'>) =>
  new Set([connector.id, ...[...upstream, ...downstream].flatMap(({ connector_id }) => connector_id ?? [])]);

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
    claim: limited(answer.claim, limitOf('cut_by_size')),
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
    exposures: exposuresByOwner(downstream),
    edges: answer.edges.filter((edge) => remaining.has(edge.upstream) && remaining.has(edge.downstream)),
    precision: { ...answer.precision, reasons: answer.precision.reasons.slice(0, most) },
    truncated: { ...answer.truncated, unexplored: answer.truncated.unexplored + left },
  };
}

const mostScopes = 200;
const historiesInFlight = 16;

/** What a connector's evidence comes from, so that absence can be interpreted. Feeds are shown in their current state. */
async function coverageOf(
  query: GraphQuery<'sources'>,
  workspace: WorkspaceId,
  connector: ConnectorId,
  asOf: string | null,
): Promise<Omit<Coverage, 'suppressed'> & { readonly sources: Sources }> {
  const now = new Date(query.context.now);
  const [sources, heads] = await Promise.all([
    namedSources(query, workspace),
    query.reader.scopes.ofConnector(query.context.graph, connector, mostScopes + 1),
  ]);
  const feeds = sources.records.filter(
    ({ provider: { connector_id: owner } }) => owner === null || owner === connector,
  );
  const stating = heads.slice(0, mostScopes).filter((head) => !isForgotten(query.context, head, asOf));
  return {
    sources,
    feeds: feeds.flatMap((record) => quietFeed(record, now)),
    feeds_checked: feeds.length,
    scopes: await inParallel(historiesInFlight, stating, async (head) => ({
      scope_key: head.scopeKey,
      provider_type: head.providerType,
      provider_instance_id: head.providerInstanceId,
      last_complete_snapshot_at: await lastComplete(query, head, asOf),
    })),
    complete: sources.isWhole && !sources.waits && heads.length <= mostScopes,
  };
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
