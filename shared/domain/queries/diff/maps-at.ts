import { DeliveryId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import type { EdgeDetail } from '../../graph/detail-store.ts';
import { scopeId } from '../../graph/ids.ts';
import { zeroOrder } from '../../graph/order.ts';
import type { ScopeStore } from '../../graph/scope-store.ts';
import type { Connector } from '../../identity/connector.ts';
import type { Delivery } from '../../ingest/deliveries/delivery.ts';
import type { DeliveryStore, PayloadStore } from '../../ingest/deliveries/ports.ts';
import { readPayload } from '../../ingest/deliveries/read-payload.ts';
import { once } from '../../once.ts';
import { edgeIds, edgesOf } from '../../projection/edges.ts';
import { documentOf } from '../../sources/document-of.ts';
import { type DeclaredDocument, readDeclared } from '../../sources/read-declared.ts';
import { analyseSql } from '../../sql/analyse-sql.ts';
import type { SqlParser } from '../../sql/types.ts';
import type { Evidence } from '../../traversal/evidence.ts';
import type { VersionEdge } from './graph-version.ts';

export type ColumnMapPorts = {
  readonly scopes: Pick<ScopeStore, 'history'>;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  /** Loaded when a document with SQL first asks for it. */
  readonly sqlParser: () => Promise<SqlParser>;
};

type Detail = VersionEdge['details'][number];
type ColumnMaps = ReadonlyMap<string, EdgeDetail>;

/** Larger documents are not read again within one answer. */
const maxPayloadBytes = 32 * 1024 * 1024;

const notRetained: Detail = {
  columns: [],
  unresolved: [{ outputColumn: null, reason: 'column_map_of_that_time_not_kept' }],
};

/**
 * What a piece of evidence said of columns at a moment. The store keeps the newest map of an edge and scope; where a
 * newer one has taken its place, the declared documents of that time are read again from their bytes.
 */
export function columnMapsAt(
  ports: ColumnMapPorts,
  { workspace, connectors }: { readonly workspace: WorkspaceId; readonly connectors: readonly Connector[] },
  at: string,
): (evidence: Evidence) => Promise<Detail> {
  const scopes = new Map<string, Promise<{ known: readonly string[]; maps: () => Promise<ColumnMaps | null> }>>();
  const scopeAt = async (scopeKey: string) => {
    const { known, holding } = await deliveriesAt(ports, workspace, scopeKey, at);
    return { known, maps: once(() => rederive(ports, workspace, connectors, holding)) };
  };
  return async ({ scopeKey, detail, from, to }) => {
    if (!detail) return null;
    if (!scopeKey.startsWith('connector:')) return detail.observedAt <= at ? detail : notRetained;
    const scope = scopes.get(scopeKey) ?? scopeAt(scopeKey);
    scopes.set(scopeKey, scope);
    const { known, maps } = await scope;
    // What a delivery said and no later one said otherwise is not written again.
    if (known.includes(detail.deliveryId)) return detail;
    return (await maps())?.get(`${from}${to}`) ?? notRetained;
  };
}

/** The deliveries of a declared scope that had taken effect by a moment, and those that held it up then, oldest first. */
async function deliveriesAt(
  { scopes }: ColumnMapPorts,
  workspace: WorkspaceId,
  scopeKey: string,
  at: string,
): Promise<{ readonly known: readonly string[]; readonly holding: readonly string[] }> {
  const orders = await scopes.history(workspace, scopeId(scopeKey), zeroOrder);
  const by = orders.filter((one) => one.at !== null && one.at <= at);
  const newest = by.findLast(({ complete }) => complete)?.order ?? zeroOrder;
  const idsOf = (some: typeof by) => some.flatMap(({ deliveryId }) => deliveryId ?? []);
  return { known: idsOf(by), holding: idsOf(by.filter(({ order }) => order >= newest)) };
}

/** Null where one of the documents is not there any more, or too large to be read again. */
async function rederive(
  ports: ColumnMapPorts,
  workspace: WorkspaceId,
  connectors: readonly Connector[],
  deliveries: readonly string[],
): Promise<ColumnMaps | null> {
  const maps = new Map<string, EdgeDetail>();
  for (const id of deliveries) {
    const known = idOrNull(DeliveryId, id);
    const delivery = known && (await ports.deliveries.get(workspace, known));
    const claims = delivery && (await claimsOf(ports, connectors, delivery));
    if (!claims) return null;
    for (const claim of claims) {
      const { from, to } = edgeIds(claim);
      maps.set(`${from}${to}`, claim.detail);
    }
  }
  return maps;
}

async function claimsOf(ports: ColumnMapPorts, connectors: readonly Connector[], delivery: Delivery) {
  const connector = connectors.find(({ id }) => id === delivery.connector_id);
  const payload = connector && (await readPayload(ports, delivery, maxPayloadBytes));
  if (!connector || payload?.kind !== 'read' || !isDeclared(delivery.kind)) return null;
  const { document, importSource } = documentOf(delivery.kind, payload.body);
  const parser = await ports.sqlParser();
  const { derivations } = readDeclared({ connector, connectors, importSource }, document).derive({
    analyse: (statement, options) => analyseSql(parser, statement, options),
  });
  const context = { deliveryId: delivery.delivery_id, observedAt: delivery.received_at, unmappedIsUnknown: false };
  return edgesOf(derivations, context);
}

const isDeclared = (kind: Delivery['kind']): kind is DeclaredDocument['kind'] =>
  kind === 'dbt_manifest' || kind === 'sqlmesh_project' || kind === 'datahub_catalog';
