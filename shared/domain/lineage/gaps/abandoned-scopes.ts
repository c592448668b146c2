import type { GapDetails } from '../../../contract/gaps.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type NamesReader, openedGraph } from '../generations/graph-record.ts';
import type { GraphId, NodeId } from '../graph/node.ts';
import { forgettingAt, isForgottenOrder, snapshotOrder } from '../graph/order.ts';
import type { ScopeHead, ScopeStore } from '../graph/scope-store.ts';
import { listedEdges } from '../projection/listing.ts';
import type { Provider } from '../providers/provider.ts';

export type AbandonedScopePorts = {
  readonly namesOf: NamesReader;
  readonly scopes: Pick<ScopeStore, 'ofConnector' | 'recorded' | 'predecessor'>;
};

export type AbandonedScopes = Required<Pick<GapDetails, 'scopes' | 'command'>>;

/** More are not compared: each costs a few reads at every scan. */
const mostScopes = 50;

/** The scopes of a feed of documents that nothing renews, while another one states the same relations: C-GAP-13. */
export async function abandonedScopes(
  { namesOf, scopes }: AbandonedScopePorts,
  { workspace_id: workspace, connector_id, id }: Provider,
  now: Date,
): Promise<AbandonedScopes | null> {
  if (connector_id === null) return null;
  const { graph, forgotten } = openedGraph(workspace, await namesOf(workspace));
  const isForgotten = ({ scope, order, started }: ScopeHead) => {
    const until = forgettingAt(forgotten, scope, null)?.order ?? null;
    return isForgottenOrder(until, { order: started, current: order });
  };
  const heads = (await scopes.ofConnector(graph, connector_id, mostScopes)).filter(
    (head) => head.kind === 'snapshot' && head.providerInstanceId === id && !isForgotten(head),
  );
  if (heads.length < 2) return null;
  const feeds = await Promise.all(heads.map((head) => feedingOf(scopes, graph, head)));
  const found: AbandonedScopes['scopes'] = [];
  for (const silent of feeds.filter((one) => isSilent(one, now))) {
    const newer = feeds.filter((one) => isFedSince(one, silent));
    const own = newer.length > 0 ? await relationsOf(scopes, graph, silent) : new Set<NodeId>();
    for (const other of newer) {
      const theirs = await relationsOf(scopes, graph, other);
      const shared = [...own].filter((node) => theirs.has(node)).length;
      if (shared === 0 || shared < own.size * sharedPart) continue;
      found.push({ scope_key: silent.head.scopeKey, replaced_by: other.head.scopeKey, last_accepted: silent.last });
      break;
    }
  }
  return found.length === 0 ? null : { scopes: found, command: forgetCommand(workspace, found[0]?.scope_key ?? '') };
}

/** Of the relations of a scope: another one that states fewer of them may be a neighbour. */
const sharedPart = 0.5;

const forgetCommand = (workspace: WorkspaceId, scopeKey: string): string =>
  `tributary admin scopes forget ${workspace} '${scopeKey.replaceAll("'", `'\\''`)}'`;

/** The two newest orders of a scope that took effect, and when. */
type Feeding = Awaited<ReturnType<typeof feedingOf>>;

async function feedingOf(scopes: AbandonedScopePorts['scopes'], graph: GraphId, head: ScopeHead) {
  const { scope, order, started, committedAt } = head;
  const before =
    committedAt === null ? snapshotOrder(Number(started) - 1) : await scopes.predecessor(graph, scope, order);
  const [newest, earlier] = await Promise.all([
    scopes.recorded(graph, scope, started),
    before && scopes.recorded(graph, scope, before),
  ]);
  const last = [committedAt ?? '', newest?.complete === false ? newest.at : ''].sort().at(-1) ?? '';
  return { head, orders: [head.listed, started, ...(before ? [before] : [])], last, previous: earlier?.at ?? null };
}

/** Twice its last pause without anything. What came once has no habit. */
function isSilent({ last, previous }: Feeding, now: Date): boolean {
  const pauseMs = previous === null ? 0 : Date.parse(last) - Date.parse(previous);
  return now.getTime() - Date.parse(last) > 2 * pauseMs;
}

/** Twice since, so that it is not the one that only came later; once is enough where no snapshot ever retracts the other. */
const isFedSince = (one: Feeding, { head, last }: Feeding): boolean =>
  one.head !== head &&
  one.head.committedAt !== null &&
  one.last > last &&
  (head.committedAt === null || (one.previous ?? '') > last);

async function relationsOf(
  scopes: AbandonedScopePorts['scopes'],
  graph: GraphId,
  { head, orders }: Feeding,
): Promise<Set<NodeId>> {
  const records = await Promise.all([...new Set(orders)].map((order) => scopes.recorded(graph, head.scope, order)));
  return new Set(records.flatMap((record) => (record ? listedEdges(record.listing) : [])).map(({ to }) => to));
}
