import type { WorkspaceId } from '../../../../contract/ids.ts';
import type { DetailStore, EdgeDetail } from '../../graph/detail-store.ts';
import { type Forgotten, forgettingAt } from '../../graph/forgotten.ts';
import { type NodeId, scopeId } from '../../graph/ids.ts';
import type { Urn } from '../../graph/node.ts';
import { type Order, zeroOrder } from '../../graph/order.ts';
import type { RecordedOrder, ScopeHead, ScopeStore } from '../../graph/scope-store.ts';
import { edgeName } from '../../projection/edges.ts';
import { type ListedEdge, listedEdges } from '../../projection/listing.ts';
import { seenAs } from '../../traversal/details-seen.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { GraphVersion, VersionEdge } from './graph-version.ts';

export type ScopePorts = {
  readonly scopes: Pick<ScopeStore, 'heads' | 'orders'>;
  readonly details: Pick<DetailStore, 'get'>;
  readonly forgotten: Forgotten;
  readonly isSpent?: () => boolean;
};

export type LiveScope = {
  /** Null where nothing was ever taken in under the scope. */
  readonly head: ScopeHead | null;
  readonly side: GraphVersion;
  /** The model that makes a relation, by the relation's URN. */
  readonly producers: ReadonlyMap<Urn, string>;
  /** The orders that it says now, oldest first. */
  readonly effective: readonly RecordedOrder[];
};

/** What one declared scope says now: the edges that the last complete snapshot and the partial deliveries since list. */
export async function liveScope(
  ports: ScopePorts,
  view: GraphView,
  workspace: WorkspaceId,
  scopeKey: string,
): Promise<LiveScope> {
  const scope = scopeId(scopeKey);
  const [found = null] = await ports.scopes.heads(workspace, [scope], { consistent: true });
  const until = forgettingAt(ports.forgotten, scope, null)?.order ?? null;
  // What is forgotten is as if it had never been taken in.
  const isForgotten = until !== null && found !== null && found.order <= until;
  const head = isForgotten && found.started <= until ? null : found;
  const orders = head ? await ports.scopes.orders(workspace, scope, head.listed) : [];
  // A complete order is recorded before it takes effect; a partial one that is older than the head's has ended.
  const effective = orders.filter(
    ({ complete, order }) =>
      head !== null && !(isForgotten && order <= until) && (order === head.listed || (!complete && order > head.order)),
  );
  const listed = distinct(effective.flatMap(({ listing }) => listedEdges(listing)));
  await view.nodes.load(listed.flatMap(({ from, to }) => [from, to]));
  const orderNow = head?.order ?? zeroOrder;
  const details = await detailsOf(
    ports,
    workspace,
    listed.map(({ from, to }) => ({ from, to, scope })),
    (order) => order <= orderNow || effective.some((one) => one.order === order),
  );
  const edges = new Map<string, VersionEdge>();
  const producers = new Map<Urn, string>();
  for (const one of listed) {
    const [from, to] = [view.nodes.urnOf(one.from), view.nodes.urnOf(one.to)];
    if (from === undefined || to === undefined) continue;
    const detail = details.get(nameOf(one)) ?? null;
    edges.set(edgeName({ from, to }), { from, to, details: [detail] });
    if (detail) producers.set(to, detail.producer.name);
  }
  return { head, side: { edges, relations: new Set(), inventory: new Map() }, producers, effective };
}

const edgesPerRead = 10_000;

const nameOf = ({ from, to }: { readonly from: NodeId; readonly to: NodeId }) => `${from}${to}`;

const distinct = (edges: readonly ListedEdge[]): ListedEdge[] => [
  ...new Map(edges.map((edge) => [nameOf(edge), edge])).values(),
];

async function detailsOf(
  { details, isSpent = () => false }: ScopePorts,
  workspace: WorkspaceId,
  edges: Parameters<DetailStore['get']>[1],
  hasTakenEffect: (order: Order) => boolean,
): Promise<ReadonlyMap<string, EdgeDetail>> {
  const found = new Map<string, EdgeDetail>();
  // Columns of edges that were not read any more are not known.
  for (let from = 0; from < edges.length && !isSpent(); from += edgesPerRead) {
    const read = await details.get(workspace, edges.slice(from, from + edgesPerRead));
    for (const one of read) found.set(nameOf(one), seenAs(one, hasTakenEffect).detail);
  }
  return found;
}
