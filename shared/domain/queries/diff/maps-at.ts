import { DeliveryId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import type { Derivation } from '../../graph/derivation.ts';
import { type DerivationStore, type DerivationsOf, openDerivations } from '../../graph/derivation-store.ts';
import { nodeId, scopeId } from '../../graph/ids.ts';
import { urnOf } from '../../graph/node.ts';
import { zeroOrder } from '../../graph/order.ts';
import type { PastOrder, ScopeStore } from '../../graph/scope-store.ts';
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
  readonly derivations: Pick<DerivationStore, 'range'>;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  /** Loaded when a document with SQL first asks for it. */
  readonly sqlParser: () => Promise<SqlParser>;
};

type Detail = VersionEdge['details'][number];

/** Larger documents are not read again within one answer. */
const maxPayloadBytes = 32 * 1024 * 1024;

const notRetained: Detail = {
  columns: [],
  unresolved: [{ outputColumn: null, reason: 'column_map_of_that_time_not_kept' }],
};

/**
 * What a piece of evidence said of columns at a moment. The store keeps the newest map of an edge and scope; where a
 * newer one has taken its place, it is found in what is kept of the documents of that time, or else in their bytes.
 */
export function columnMapsAt(
  ports: ColumnMapPorts,
  { workspace, connectors }: { readonly workspace: WorkspaceId; readonly connectors: readonly Connector[] },
  at: string,
): (evidence: Evidence) => Promise<Detail> {
  const scopes = new Map<string, Promise<ScopeAt>>();
  const scopeAt = async (scopeKey: string): Promise<ScopeAt> => {
    const { known, holding } = await ordersAt(ports, workspace, scopeKey, at);
    const scope = scopeId(scopeKey);
    const open = async ({ order, deliveryId }: PastOrder): Promise<DerivationsOf<Derivation> | null> =>
      (await openDerivations(ports, workspace, { scope, order })) ??
      (await derivedAgain(ports, workspace, connectors, deliveryId));
    return { known, holding: holding.map((one) => once(() => open(one))) };
  };
  return async (evidence) => {
    const { scopeKey, detail } = evidence;
    if (!detail) return null;
    if (!scopeKey.startsWith('connector:')) return detail.observedAt <= at ? detail : notRetained;
    const scope = scopes.get(scopeKey) ?? scopeAt(scopeKey);
    scopes.set(scopeKey, scope);
    const { known, holding } = await scope;
    // What a delivery said and no later one said otherwise is not written again.
    return known.has(detail.deliveryId) ? detail : ((await newestOf(holding, evidence)) ?? notRetained);
  };
}

/** A declared scope at a moment. */
type ScopeAt = {
  /** The deliveries that had taken effect. */
  readonly known: ReadonlySet<string>;
  /** What each order stated that held the scope up then, newest first; null where its document is not there any more, or too large to be read again. */
  readonly holding: readonly (() => Promise<DerivationsOf<Derivation> | null>)[];
};

async function ordersAt({ scopes }: ColumnMapPorts, workspace: WorkspaceId, scopeKey: string, at: string) {
  const orders = await scopes.history(workspace, scopeId(scopeKey), zeroOrder);
  const by = orders.filter((one) => one.at !== null && one.at <= at);
  const newest = by.findLast(({ complete }) => complete)?.order ?? zeroOrder;
  return {
    known: new Set(by.flatMap(({ deliveryId }) => deliveryId ?? [])),
    holding: by.filter(({ order }) => order >= newest).reverse(),
  };
}

/** What the newest order that states the edge says of its columns; null where none does, or a document is not there. */
async function newestOf(holding: ScopeAt['holding'], { from, to }: Evidence): Promise<Detail> {
  for (const open of holding) {
    const derivations = await open();
    if (derivations === null) return null;
    const claims = edgesOf(await derivations(to), columnsAlone);
    const stated = claims.find((claim) => edgeIds(claim).from === from);
    if (stated) return stated.detail;
  }
  return null;
}

/** Where and when something was said is not asked. */
const columnsAlone = { deliveryId: '', observedAt: '', unmappedIsUnknown: false };

/** The derivations of a document that is read whole; null where it is not there any more, or too large. */
async function derivedAgain(
  ports: ColumnMapPorts,
  workspace: WorkspaceId,
  connectors: readonly Connector[],
  id: string | null,
): Promise<DerivationsOf<Derivation> | null> {
  const known = id === null ? null : idOrNull(DeliveryId, id);
  const delivery = known && (await ports.deliveries.get(workspace, known));
  const derivations = delivery && (await derivationsIn(ports, connectors, delivery));
  if (!derivations) return null;
  const byNode = Map.groupBy(derivations, ({ output }) => nodeId(urnOf(output)));
  return async (node) => byNode.get(node) ?? [];
}

async function derivationsIn(ports: ColumnMapPorts, connectors: readonly Connector[], delivery: Delivery) {
  const connector = connectors.find(({ id }) => id === delivery.connector_id);
  const payload = connector && (await readPayload(ports, delivery, maxPayloadBytes));
  if (!connector || payload?.kind !== 'read' || !isDeclared(delivery.kind)) return null;
  const { document, importSource } = documentOf(delivery.kind, payload.body);
  const parser = await ports.sqlParser();
  const { derivations } = readDeclared({ connector, connectors, importSource }, document).derive({
    analyse: (statement, options) => analyseSql(parser, statement, options),
  });
  return derivations;
}

const isDeclared = (kind: Delivery['kind']): kind is DeclaredDocument['kind'] =>
  kind === 'dbt_manifest' || kind === 'sqlmesh_project' || kind === 'datahub_catalog';
