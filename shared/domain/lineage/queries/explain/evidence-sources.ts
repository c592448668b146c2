import { DeliveryId, idOrNull, type WorkspaceId } from '../../../../contract/ids.ts';
import { findOrAdd, sortedBy } from '../../../base/collections.ts';
import { inParallel } from '../../../base/concurrency.ts';
import { type DerivationsOf, openDerivations, type StatedDerivation } from '../../graph/derivation.ts';
import { nodeId, scopeId, urnOf } from '../../graph/node.ts';
import type { Delivery } from '../../ingest/deliveries/delivery.ts';
import { readPayload } from '../../ingest/deliveries/read-payload.ts';
import { type NamedDataset, resolveDataset } from '../../names/resolve-dataset.ts';
import { itemIndexOf, statementTextOf } from '../../sources/item-index.ts';
import type { Evidence } from '../../traversal/evidence.ts';
import type { GraphQuery, GraphReader, QueryContext } from '../../traversal/graph-view.ts';
import { type EvidenceStatements, observedBy, statementsOf } from './evidence-statements.ts';

/** The stores that name the source of evidence. */
export type Sources = 'deliveries' | 'derivations' | 'payloads';

export type EvidenceSource = {
  /** Null where there is no detail, or its receipt is no longer kept. */
  readonly delivery: Delivery | null;
  readonly itemIndex: number | null;
  readonly statements: EvidenceStatements;
  /** Why its payload was not looked into; null if it was. */
  readonly unread: string | null;
};

export const unsourced: EvidenceSource = {
  delivery: null,
  itemIndex: null,
  statements: { said_by: [], sql: null, parts: [] },
  unread: null,
};

/** Payloads without stored derivations are read whole, and are as large as their senders made them. */
const most = { payloads: 10, payloadBytes: 32 * 1024 * 1024 };
const [payloadsInFlight, readsInFlight] = [2, 16];

export async function evidenceSources(
  { reader, context }: GraphQuery<Sources>,
  workspace: WorkspaceId,
  evidence: readonly Evidence[],
): Promise<EvidenceSource[]> {
  const deliveries = await deliveriesOf(reader, workspace, evidence);
  const deliveryOf = ({ detail }: Evidence) => deliveries.get(detail?.deliveryId ?? '') ?? null;
  const find = storedDerivations(reader, context);
  const stored = await inParallel(readsInFlight, evidence, async (one) => {
    const delivery = deliveryOf(one);
    return delivery && (await find(delivery, one));
  });
  const whole = new Set(evidence.flatMap((one, i) => (stored[i] ? [] : (deliveryOf(one) ?? []))));
  const payloads = await payloadsOf(reader, [...whole]);
  return evidence.map((one, i): EvidenceSource => {
    const [delivery, found] = [deliveryOf(one), stored[i]];
    if (!delivery || !one.detail) return unsourced;
    const { kind } = delivery;
    if (found) {
      const { itemIndex, sql } = found;
      return { delivery, itemIndex, statements: statementsOf({ kind, detail: one.detail, sql }), unread: null };
    }
    return { ...readFrom(context, one, kind, payloads.get(delivery)), delivery };
  });
}

async function deliveriesOf(
  { deliveries }: Pick<GraphReader, 'deliveries'>,
  workspace: WorkspaceId,
  evidence: readonly Evidence[],
) {
  const deliveryIds = evidence.flatMap(({ detail }) => detail?.deliveryId ?? []);
  const ids = new Set(deliveryIds.flatMap((id) => idOrNull(DeliveryId, id) ?? []));
  const found = await inParallel(readsInFlight, [...ids], (id) => deliveries.get(workspace, id));
  return new Map(found.flatMap((delivery) => (delivery ? [[String(delivery.delivery_id), delivery] as const] : [])));
}

/** Finds the derivation behind a piece of evidence, in its document's stored derivations; null if there are none. */
function storedDerivations(reader: Pick<GraphReader, 'derivations'>, { graph }: QueryContext) {
  const opened = new Map<Delivery, Promise<DerivationsOf | null>>();
  return async (delivery: Delivery, { to, detail }: Evidence): Promise<StatedDerivation | null> => {
    const { scope_key: scopeKey, order, payload } = delivery;
    if (scopeKey === null || order === null || payload.small) return null;
    const place = { scope: scopeId(scopeKey), order };
    const open = await findOrAdd(opened, delivery, () => openDerivations(reader, graph, place));
    const derivations = await open?.(to);
    return derivations?.find(({ location }) => location === detail?.location) ?? null;
  };
}

const unreadReasons = { too_large: 'payload_too_large', missing: 'payload_not_kept' } as const;

type Payload = { readonly body: unknown; readonly unread: string | null };

/** The newest payloads, as many as an answer may read. */
async function payloadsOf(
  reader: Pick<GraphReader, 'payloads'>,
  deliveries: readonly Delivery[],
): Promise<Map<Delivery, Payload>> {
  const placeOf = ({ received_at, delivery_id }: Delivery) => `${received_at} ${delivery_id}`;
  const newest = sortedBy(deliveries, placeOf).reverse();
  const read = await inParallel(payloadsInFlight, newest.slice(0, most.payloads), async (one): Promise<Payload> => {
    const payload = await readPayload(reader, one, most.payloadBytes);
    if (payload.kind === 'read') return { body: payload.body, unread: null };
    return { body: undefined, unread: unreadReasons[payload.kind] };
  });
  const unread = { body: undefined, unread: 'too_many_payloads' };
  return new Map(newest.map((delivery, i) => [delivery, read[i] ?? unread]));
}

/** What a payload that was read whole tells. */
function readFrom(
  { connectors }: QueryContext,
  { detail, from, to }: Evidence,
  kind: Delivery['kind'],
  payload: Payload | undefined,
): Pick<EvidenceSource, 'itemIndex' | 'statements' | 'unread'> {
  if (!detail || payload?.unread !== null) return { ...unsourced, unread: payload?.unread ?? null };
  const { body } = payload;
  const itemIndex = itemIndexOf(kind, body)(detail.location);
  const item = { kind, detail, sql: statementTextOf(kind, body, detail.location) };
  const resolve = (dataset: NamedDataset) => resolveDataset([...connectors.values()], dataset);
  const isDownstream = (dataset: NamedDataset) => nodeId(urnOf(resolve(dataset).node)) === to;
  const isPart = (dataset: NamedDataset) => {
    const { node, isPart: is = false } = resolve(dataset);
    return is && [from, to].includes(nodeId(urnOf(node)));
  };
  const isObserved = kind === 'openlineage_event' || kind === 'openlineage_batch';
  const statements = isObserved ? observedBy({ ...item, body, isDownstream, isPart }) : statementsOf(item);
  return { itemIndex, statements, unread: null };
}
