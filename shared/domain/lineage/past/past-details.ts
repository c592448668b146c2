import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import { inParallel } from '../../base/concurrency.ts';
import type { OpenGraph } from '../generations/graph-record.ts';
import { type DerivationStore, type EdgeDetail, type EdgeInScope, openDerivations } from '../graph/derivation.ts';
import type { ScopeId } from '../graph/node.ts';
import type { Order } from '../graph/order.ts';
import type { Connector } from '../names/connector.ts';
import { edgeIds, edgesOf } from '../projection/edges.ts';
import type { DocumentReader, PastStatements } from './rederive-document.ts';

/** An edge, and the orders of its snapshot scope that may have stated it, newest first: the first that does decides. */
export type PastEdge = EdgeInScope & { readonly orders: readonly PastOrder[] };

export type PastOrder = {
  readonly order: Order;
  /** Whose bytes say so; null if that is not on record. */
  readonly deliveryId: string | null;
  /** When the order took effect, as ISO time. */
  readonly at: string;
};

/** Past statements about edges that newer orders have replaced, in order; null if not stored. */
export type PastDetails = (edges: readonly PastEdge[]) => Promise<(EdgeDetail | null)[]>;

const ordersInFlight = 16;

/** Past details from stored derivations of that time, or else from the documents' bytes; an order is opened once a question. */
export function pastDetails(query: PastQuery, workspace: WorkspaceId): PastDetails {
  const opened = new Map<string, PastStatements>();
  const open = (scope: ScopeId, past: PastOrder): PastStatements =>
    findOrAdd(opened, `${scope} ${past.order}`, () => openPast(query, workspace, { scope, ...past }));
  return async (edges) => {
    const found = new Map<PastEdge, EdgeDetail | null>();
    const alike = [...Map.groupBy(edges, ordersOf).values()];
    await inParallel(ordersInFlight, alike, async (ofOrders) => {
      // Sequentially in packing order: each block is read once.
      for (const edge of sortedBy(ofOrders, ({ to }) => to)) found.set(edge, await statedOf(edge, open));
    });
    return edges.map((edge) => found.get(edge) ?? null);
  };
}

const ordersOf = ({ scope, orders }: PastEdge): string => [scope, ...orders.map(({ order }) => order)].join(' ');

async function statedOf(
  { from, to, scope, orders }: PastEdge,
  open: (scope: ScopeId, past: PastOrder) => PastStatements,
): Promise<EdgeDetail | null> {
  for (const past of orders) {
    const derivations = await open(scope, past);
    if (derivations === null) return null;
    const { deliveryId, at } = past;
    const stated = edgesOf(await derivations(to), { deliveryId, observedAt: at, unmappedIsUnknown: false });
    const edge = stated.find((one) => edgeIds(one).from === from);
    if (edge) return edge.detail;
  }
  return null;
}

/** What those read again at most who compare whole times: some ten seconds of work. */
export const rereadBytes = 32 * 1024 * 1024;

/** The stores that say what newer statements have replaced. */
export type PastReader = DocumentReader & { readonly derivations: Pick<DerivationStore, 'range'> };

type PastQuery = { readonly reader: PastReader; readonly context: PastContext };
type PastContext = Pick<OpenGraph, 'graph'> & { readonly connectors: ReadonlyMap<ConnectorId, Connector> };

type OrderThen = { readonly scope: ScopeId; readonly order: Order; readonly deliveryId: string | null };

async function openPast({ reader, context }: PastQuery, workspace: WorkspaceId, past: OrderThen): PastStatements {
  const { scope, order, deliveryId } = past;
  const stored = await openDerivations(reader, context.graph, { scope, order });
  if (stored) return stored;
  // What reads documents takes longer to load than to answer most questions, which never need it.
  const { derivedAgain } = await import('./rederive-document.ts');
  return derivedAgain(reader, { workspace, connectors: [...context.connectors.values()] }, deliveryId);
}
