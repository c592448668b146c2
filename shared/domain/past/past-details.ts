import type { WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../concurrency/in-parallel.ts';
import type { EdgeDetail, EdgeInScope } from '../graph/detail-store.ts';
import type { Order } from '../graph/order.ts';
import type { Connector } from '../identity/connector.ts';
import { edgeIds, edgesOf } from '../projection/edges.ts';
import { sortedBy } from '../sorted-by.ts';
import { openPast, type PastPorts, type StatedThen } from './open-past.ts';

/** An edge as an order of a snapshot scope stated it. */
export type PastEdge = EdgeInScope & {
  readonly order: Order;
  /** Whose bytes say so; null where that is not on record. */
  readonly deliveryId: string | null;
  /** When the order took effect, as ISO time. */
  readonly at: string;
};

/** What was stated of edges of which newer orders have stated something else since, in their order; null where that is not kept. */
export type PastDetails = (edges: readonly PastEdge[]) => Promise<(EdgeDetail | null)[]>;

const ordersInFlight = 16;

/** Past details by what is kept of the documents of that time, or else by their bytes; an order is opened once a question. */
export function pastDetails(
  ports: PastPorts,
  place: { readonly workspace: WorkspaceId; readonly connectors: readonly Connector[] },
): PastDetails {
  const opened = new Map<string, StatedThen>();
  const open = (edge: PastEdge): StatedThen => {
    const known = opened.get(orderOf(edge)) ?? openPast(ports, place, edge);
    opened.set(orderOf(edge), known);
    return known;
  };
  return async (edges) => {
    const found = new Map<PastEdge, EdgeDetail | null>();
    const orders = [...Map.groupBy(edges, orderOf).values()];
    await inParallel(ordersInFlight, orders, async (ofOrder) => {
      // In the order in which they are packed, one after the other: each block is read once.
      for (const edge of sortedBy(ofOrder, ({ to }) => to)) found.set(edge, await statedOf(edge, open(edge)));
    });
    return edges.map((edge) => found.get(edge) ?? null);
  };
}

const orderOf = ({ scope, order }: PastEdge): string => `${scope} ${order}`;

async function statedOf({ from, to, deliveryId, at }: PastEdge, opened: StatedThen): Promise<EdgeDetail | null> {
  const derivations = await (await opened)?.(to);
  const stated = edgesOf(derivations ?? [], { deliveryId, observedAt: at, unmappedIsUnknown: false });
  return stated.find((edge) => edgeIds(edge).from === from)?.detail ?? null;
}
