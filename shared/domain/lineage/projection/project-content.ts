import { Fault } from '../../../contract/problems.ts';
import { gathered, inflated } from '../../base/json/inflate.ts';
import type { SaidName } from '../generations/said.ts';
import { type Derivation, packDerivations, type StatedDerivation } from '../graph/derivation.ts';
import { type Forgotten, forgettingAt, nothingForgotten } from '../graph/forgotten.ts';
import { scopeId } from '../graph/ids.ts';
import type { Order } from '../graph/order.ts';
import type { AcquisitionPlace } from '../ingest/acquisition.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { DeliveryOutcome } from '../ingest/deliveries/finish-delivery.ts';
import type { Connector } from '../names/connector.ts';
import { documentOf, itemIndexOf, statementTextOf } from '../sources/item-index.ts';
import { readDeclaredBody } from '../sources/read-body.ts';
import { type DeclaredDocument, readDeclared } from '../sources/read-declared.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser, type SqlParser } from '../sql/types.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { type OpenLineagePorts, projectOpenLineage } from './project-openlineage.ts';
import type { SnapshotPorts } from './snapshot.ts';

export type ContentPorts = OpenLineagePorts & Pick<DeclaredProjectionPorts, 'sqlParser' | 'say' | 'forgotten'>;

/** Works the content of a delivery into the graph; may be repeated, for every write of the graph is commutative. */
export async function projectContent(
  ports: ContentPorts,
  delivery: Delivery,
  payload: AsyncIterable<Uint8Array>,
  connectors: readonly Connector[],
): Promise<DeliveryOutcome> {
  switch (delivery.kind) {
    case 'openlineage_event':
    case 'openlineage_batch':
      return projectOpenLineage(ports, delivery, await gathered(payload), connectors);
    case 'dbt_manifest':
    case 'sqlmesh_project':
    case 'datahub_catalog':
      return projectDeclared(ports, { ...delivery, kind: delivery.kind }, payload, connectors);
  }
}

type DeclaredProjectionPorts = SnapshotPorts & {
  /** Loaded when a document with SQL first asks for it. */
  readonly sqlParser: () => Promise<SqlParser>;
  /** Told what names the content uses before anything of it is written. */
  /** What is forgotten of the workspace's scopes. */
  readonly forgotten?: Forgotten;
  readonly say?: (names: readonly SaidName[]) => Promise<void>;
};

type DeclaredDelivery = Delivery & { readonly kind: DeclaredDocument['kind'] };

/** Projects a declared document under the order that its scope gave it at acceptance. */
async function projectDeclared(
  ports: DeclaredProjectionPorts,
  delivery: DeclaredDelivery,
  payload: AsyncIterable<Uint8Array>,
  connectors: readonly Connector[],
): Promise<DeliveryOutcome> {
  const connector = connectors.find(({ id }) => id === delivery.connector_id);
  if (!connector || !isOrdered(delivery))
    return { kind: 'failed', warnings: [{ code: 'connector_removed', message: 'The connector is no longer there.' }] };
  const { quarantined, unresolved, ...stated } = await derived(ports, delivery, payload, { connector, connectors });
  await ports.say?.([
    { kind: 'connector', id: connector.id },
    ...(delivery.kind === 'datahub_catalog' ? [datahub] : []),
  ]);
  const { scope } = snapshotOf(delivery);
  const forgottenUntil = forgettingAt(ports.forgotten ?? nothingForgotten, scope.scope, null)?.order ?? null;
  const snapshot = { ...snapshotOf(delivery), ...stated, shrinkGuard: connector.shrink_guard, forgottenUntil };
  const { state, at, warnings, retracted } = await loadSnapshot(ports, delivery.workspace_id, snapshot);
  if (state !== 'projected') return { kind: state, warnings };
  return {
    kind: 'processed',
    warnings,
    quarantined,
    unresolved,
    retractedEvidenceCount: retracted,
    lastEventAt: null,
    tookEffectAt: at,
  };
}

type OrderedDelivery = DeclaredDelivery & { readonly scope_key: string; readonly order: Order };

const isOrdered = (delivery: DeclaredDelivery): delivery is OrderedDelivery =>
  delivery.scope_key !== null && delivery.order !== null;

/** What the receipt tells of a snapshot. */
const snapshotOf = (delivery: OrderedDelivery) => ({
  scope: {
    scope: scopeId(delivery.scope_key),
    scopeKey: delivery.scope_key,
    kind: 'snapshot' as const,
    providerType: delivery.provider_type,
    providerInstanceId: delivery.provider_instance_id,
  },
  order: delivery.order,
  complete: delivery.completeness === 'complete',
  deliveryId: delivery.delivery_id,
  receivedAt: delivery.received_at,
  released: delivery.released,
});

const datahub: SaidName = { kind: 'datahub' };

/** What a document states; the document itself, with its SQL, is let go before that is written. */
async function derived(
  { sqlParser }: DeclaredProjectionPorts,
  delivery: DeclaredDelivery,
  payload: AsyncIterable<Uint8Array>,
  place: AcquisitionPlace,
) {
  const { document, importSource } = await requestOf(delivery, payload);
  const reading = readDeclared({ ...place, importSource }, document);
  const parser = reading.hasSql ? await sqlParser() : noParser;
  const { derivations, unresolved, schemas } = reading.derive({
    analyse: (statement, options) => analyseSql(parser, statement, options),
  });
  const quarantined = reading.invalidItems.map(({ index, code, errors: [first] }) => ({
    index,
    code,
    message: `${first?.path ?? ''}: ${first?.message ?? 'cannot be read'}`,
  }));
  // A small document is read whole for less than another object costs.
  const packed = delivery.payload.small
    ? {}
    : { packed: packDerivations(stated(delivery.kind, document, derivations)) };
  return { derivations, schemas, unresolved, quarantined, ...packed };
}

/** Derivations with what is told of the items of the document that state them. */
function stated(kind: DeclaredDelivery['kind'], document: DeclaredDocument, derivations: readonly Derivation[]) {
  const indexOf = itemIndexOf(kind, document);
  return derivations.map((one): StatedDerivation => {
    const { location } = one;
    return { ...one, itemIndex: indexOf(location), sql: statementTextOf(kind, document, location) };
  });
}

/** The request as it was accepted: the intake API validated its body against the route's schema before it kept the bytes. */
async function requestOf({ kind, payload }: DeclaredDelivery, chunks: AsyncIterable<Uint8Array>) {
  const read = await readDeclaredBody(kind, payload.content_encoding === 'gzip' ? inflated(chunks) : chunks);
  if (!read.ok) throw new Fault('accepted_body_not_json', 'an accepted body is no JSON');
  return documentOf(kind, read.body);
}
