import type { ProjectDelivery } from '../../../contract/messages.ts';
import { Fault } from '../../../contract/problems.ts';
import { gathered, inflated } from '../../base/body.ts';
import type { ReadWriteLock } from '../../base/concurrency.ts';
import { OutOfTime } from '../../base/time/timestamp.ts';
import type { UsedName } from '../generations/graph-record.ts';
import { type Derivation, packDerivations, type StatedDerivation } from '../graph/derivation.ts';
import { scopeId } from '../graph/node.ts';
import { forgettingAt, type Order } from '../graph/order.ts';
import type { AcquisitionPlace } from '../ingest/acquisition.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import {
  type AttemptMode,
  abortAttempt,
  attemptModeOf,
  beginAttempt,
  type DeliveryOutcome,
  failDelivery,
  findOpen,
  finishDelivery,
} from '../ingest/deliveries/finish-delivery.ts';
import type { DeliveryStore, PayloadStore, ProjectionQueue } from '../ingest/deliveries/ports.ts';
import type { ActivityLog } from '../providers/activity.ts';
import { documentOf, itemIndexOf, statementTextOf } from '../sources/item-index.ts';
import { type DeclaredDocument, readDeclared, readDeclaredBody } from '../sources/read-body.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import { noParser } from '../sql/types.ts';
import { byNames, type NamesInForce } from './edges.ts';
import { type GraphHistory, recordChange } from './graph-history.ts';
import { loadSnapshot } from './load-snapshot.ts';
import type { GraphWriters, ProjectionContext } from './ports.ts';
import { projectOpenLineage } from './project-openlineage.ts';
import { failureOf, isItemFailure } from './read-items.ts';
import { recordSnapshotStatus, type SnapshotLog } from './snapshot-status.ts';
import { type Touched, watchTouched } from './touched-nodes.ts';

/** Works the content of a delivery into the graph; may be repeated, for every write of the graph is commutative. */
export async function projectContent(
  writers: GraphWriters,
  context: ProjectionContext,
  delivery: Delivery,
  payload: AsyncIterable<Uint8Array>,
): Promise<DeliveryOutcome> {
  switch (delivery.kind) {
    case 'openlineage_event':
    case 'openlineage_batch':
      return projectOpenLineage(writers, context, delivery, await gathered(payload));
    case 'dbt_manifest':
    case 'sqlmesh_project':
    case 'datahub_catalog':
    case 'collection':
      return projectDeclared(writers, context, { ...delivery, kind: delivery.kind }, payload);
  }
}

type DeclaredDelivery = Delivery & { readonly kind: DeclaredDocument['kind'] };

/** Projects a declared document under the order that its scope gave it at acceptance. */
async function projectDeclared(
  writers: GraphWriters,
  { graph, forgotten, connectors, recordNames }: ProjectionContext,
  delivery: DeclaredDelivery,
  payload: AsyncIterable<Uint8Array>,
): Promise<DeliveryOutcome> {
  const connector = connectors.find(({ id }) => id === delivery.connector_id);
  if (!connector || !isOrdered(delivery))
    return { kind: 'failed', warnings: [{ code: 'connector_removed', message: 'The connector is no longer there.' }] };
  const place = { connector, connectors };
  const { quarantined, unresolved, remarks, ...stated } = await derived(writers, delivery, payload, place);
  const ofConnector: UsedName = { kind: 'connector', id: connector.id };
  await recordNames(delivery.kind === 'datahub_catalog' ? [ofConnector, { kind: 'datahub' }] : [ofConnector]);
  const { scope_key: scopeKey, provider_type: providerType, provider_instance_id: providerInstanceId } = delivery;
  const scope = scopeId(scopeKey);
  const {
    state,
    at,
    retracted,
    changes = null,
    ...loaded
  } = await loadSnapshot(writers, {
    graph,
    scope: { scope, scopeKey, kind: 'snapshot', providerType, providerInstanceId },
    order: delivery.order,
    complete: delivery.completeness === 'complete',
    deliveryId: delivery.delivery_id,
    receivedAt: delivery.received_at,
    released: delivery.released,
    ...stated,
    shrinkGuard: connector.shrink_guard,
    forgottenUntil: forgettingAt(forgotten, scope, null)?.order ?? null,
  });
  const warnings = [...remarks, ...loaded.warnings];
  if (state !== 'projected') return { kind: state, warnings };
  return {
    kind: 'processed',
    warnings,
    quarantined,
    unresolved,
    retractedEvidenceCount: retracted,
    lastEventAt: null,
    tookEffectAt: at,
    changes,
  };
}

const isOrdered = (
  delivery: DeclaredDelivery,
): delivery is DeclaredDelivery & { readonly scope_key: string; readonly order: Order } =>
  delivery.scope_key !== null && delivery.order !== null;

/** What a document states; the document itself, with its SQL, is let go before that is written. */
async function derived(
  { sqlParser }: GraphWriters,
  delivery: DeclaredDelivery,
  payload: AsyncIterable<Uint8Array>,
  place: AcquisitionPlace,
) {
  const { document, importSource } = await requestOf(delivery, payload);
  const reading = readDeclared({ ...place, importSource }, document);
  const parser = reading.hasSql ? await sqlParser() : noParser;
  const {
    derivations,
    unresolved,
    schemas,
    reads = [],
  } = reading.derive({
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
  return { derivations, schemas, reads, unresolved, quarantined, remarks: reading.warnings ?? [], ...packed };
}

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

export type WorkerPorts = GraphWriters &
  NamesInForce & {
    readonly deliveries: DeliveryStore;
    readonly payloads: Pick<PayloadStore, 'stream'>;
    readonly activity: ActivityLog;
    readonly snapshots: SnapshotLog;
    readonly history: Pick<GraphHistory, 'add'>;
    readonly queue: ProjectionQueue;
    /** Of all attempts of this process. */
    readonly lock: ReadWriteLock;
    /** Called with the nodes that a projected delivery touched; never throws. */
    readonly onTouched: (delivery: Delivery, touched: Touched, generation: number) => Promise<void>;
    /** Called for a delivery that an attempt ended. */
    readonly onProjected: (delivery: Delivery, now: Date) => void;
    /** Called for an attempt that broke, which is tried again. */
    readonly onAttemptFailed: (delivery: Delivery, error: unknown) => void;
  };

/** May run twice or overlap: writes commute, and only an open delivery is ended. Throws OutOfTime if it is too late. */
export async function projectDelivery(
  ports: WorkerPorts,
  message: ProjectDelivery,
  { receiveCount, timeIsUp = () => false }: { readonly receiveCount: number; readonly timeIsUp?: () => boolean },
): Promise<void> {
  const delivery = await findOpen(ports, message);
  if (!delivery) return;
  const mode = attemptModeOf(delivery, receiveCount);
  await ports.lock[mode](async () => {
    // It may have waited long for exclusive access, or for an exclusive one.
    if (timeIsUp()) throw new OutOfTime();
    const current = mode === 'exclusive' ? await findOpen(ports, message) : delivery;
    if (current) await attempt(ports, current, mode);
  });
}

async function attempt(ports: WorkerPorts, open: Delivery, mode: AttemptMode): Promise<void> {
  const delivery = await beginAttempt(ports, open, { mode, now: ports.clock.now() });
  if (!delivery) return;
  try {
    const watched = watchTouched(ports);
    const { outcome, generation } = await byNames(ports, delivery, async (context) =>
      projectContent(watched.ports, context, delivery, await ports.payloads.stream(delivery)),
    );
    await recordSnapshotStatus(ports, delivery, outcome);
    await recordChange(ports, delivery, outcome);
    const now = ports.clock.now();
    if (await finishDelivery(ports, { ...delivery, generation }, outcome, now)) ports.onProjected(delivery, now);
    await ports.onTouched(delivery, watched.touched, generation);
  } catch (error) {
    ports.onAttemptFailed(delivery, error);
    const now = ports.clock.now();
    // What no further attempt can do better is not tried again.
    if (isItemFailure(error)) await failDelivery(ports, delivery, now, failureOf(error));
    else await abortAttempt(ports, delivery, { failure: failureOf(error), now });
  }
}
