import type { WorkspaceId } from '../../../contract/ids.ts';
import type { AcceptedAcquisition, DuplicateOf, SkippedAcquisition } from '../../../contract/lineage.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import type { Completeness, Standing } from '../../../contract/vocabulary.ts';
import { canonicalDigest } from '../../base/digest.ts';
import { scopeId } from '../graph/node.ts';
import { forgettingAt } from '../graph/order.ts';
import type { ScopeIdentity } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import { otherPlatforms } from '../names/platforms.ts';
import { noActivity } from '../providers/activity.ts';
import type { Provider } from '../providers/provider.ts';
import { snapshotProblem } from '../sources/other-file.ts';
import type { AcquisitionBody, AcquisitionReading, AcquisitionScope, AcquisitionTool } from './acquisition.ts';
import type { Delivery } from './deliveries/delivery.ts';
import {
  countDuplicate,
  declaredDeliveryId,
  keyedProvider,
  newDelivery,
  type Opened,
  openDelivery,
  type Payload,
  plainProviderId,
  unknownConnector,
} from './open-delivery.ts';
import type { DeclaredIntakePorts, SnapshotsAccepted } from './ports.ts';

/** The receipt of a declared route, or why nothing was accepted: C-INGEST-1, C-INGEST-11. */
export type DeclaredReceipt<Counts> = (AcceptedAcquisition & Counts) | SkippedAcquisition;

export async function acceptDeclared<Body extends AcquisitionBody, Counts>(
  ports: DeclaredIntakePorts,
  tool: AcquisitionTool<Body, Counts>,
  request: DeclaredRequest<Body>,
): Promise<DeclaredReceipt<Counts>> {
  const { workspace, body } = request;
  const fieldErrors = tool.fieldErrors(body);
  if (fieldErrors.length > 0) throw new Problem('validation_error', { errors: fieldErrors });
  const connectors = await ports.connectors.list(workspace);
  const connector = connectors.find(({ id }) => id === body.connector_id);
  if (!connector) throw unknownConnector('/connector_id');
  await checkLinkedProject(ports, workspace, tool.linkedProject(body));
  const reading = tool.read(body, { connector, connectors });
  const scope = tool.scopeOf(body);
  checkSnapshot(request, scope, reading);
  const key = keyOf(request);
  const feed = feedOf(tool, workspace, connector, ports.clock.now());
  const scopeKey = `connector:${connector.id}:${scope.name}`;
  const digest = digestOf(tool, request);
  const snapshots = await ports.acceptances.snapshots(workspace, scopeId(scopeKey));
  const contentId = declaredDeliveryId(workspace, tool.kind, { digest, scopeKey, epoch: snapshots.count });
  const id = key === null ? contentId : declaredDeliveryId(workspace, tool.kind, { key });
  const byContent = key === null;
  const known = await ports.known(workspace, { delivery: id, byContent, provider: feed.id, connector: null });
  if (known.delivery) checkBinding(known.delivery, connector);
  // What was accepted stays so, also if the connector is of another kind by now.
  if (!known.delivery && !body.force) checkPlatform(tool, connector, reading);
  const provider = known.provider ?? (await ports.providers.create(feed));
  // Accepted deliveries stay accepted, even if the feed is paused now.
  if (provider.status !== 'active' && !known.delivery) return skip(ports, provider, provider.status);
  const opened = known.delivery
    ? { delivery: known.delivery, duplicate: true, dispatched: false }
    : await open(ports, request, provider, { scopeKey, digest, reading, id, contentId, kind: tool.kind });
  const duplicateOf = opened.duplicate
    ? await repeated(ports, opened.delivery, { connector, digest, snapshots })
    : null;
  return receiptOf(opened, duplicateOf, { completeness: body.completeness, scopeKey, reading });
}

/** What makes content the same: all that the body says but its key. */
function digestOf<Body extends AcquisitionBody>(
  { document, defaults = {} }: AcquisitionTool<Body, unknown>,
  { body, documentDigest }: DeclaredRequest<Body>,
): string {
  // Options of ingestion are not part of the content.
  const { source_event_key: _, force: _force, ...content } = body;
  // What is given as it would be anyway says nothing more.
  const stated = Object.entries(content).filter(([name, value]) => value !== defaults[name]);
  return canonicalDigest({ ...Object.fromEntries(stated), [document]: documentDigest });
}

function feedOf<Body extends AcquisitionBody>(
  tool: AcquisitionTool<Body, unknown>,
  workspace: WorkspaceId,
  connector: Connector,
  now: Date,
): Provider {
  const keyed = keyedProvider(workspace, `${tool.displayName} of ${connector.name}`, connector.id, now);
  return { ...keyed, id: plainProviderId(workspace, tool.kind, connector.id), provider_type: tool.kind };
}

async function skip(
  ports: DeclaredIntakePorts,
  provider: Provider,
  status: 'paused' | 'disabled',
): Promise<DeclaredReceipt<never>> {
  await ports.activity.record(
    { workspace_id: provider.workspace_id, provider_instance_id: provider.id },
    { ...noActivity, last_received_at: ports.clock.now().toISOString() },
  );
  return { ok: true, accepted: false, skipped: `provider_${status}` };
}

type Content = Pick<Delivery, 'kind'> & {
  readonly id: Delivery['delivery_id'];
  readonly contentId: Delivery['delivery_id'];
  readonly scopeKey: string;
  readonly digest: string;
  readonly reading: AcquisitionReading<unknown>;
};

async function open<Body extends AcquisitionBody>(
  ports: DeclaredIntakePorts,
  { workspace, body, payload, requestId }: DeclaredRequest<Body>,
  provider: Provider,
  { id, contentId, kind, scopeKey, digest, reading }: Content,
): Promise<Opened> {
  const scope: ScopeIdentity = {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: 'snapshot',
    providerType: provider.provider_type,
    providerInstanceId: provider.id,
  };
  const order = await ports.acceptances.takeOrder(workspace, scope, body.completeness === 'complete');
  const delivery = newDelivery({ id, receivedAt: ports.clock.now(), requestId }, provider, payload, {
    kind,
    item_count: reading.itemCount,
    refused_item_count: reading.invalidItems.length,
    has_static_events: false,
    scope_key: scopeKey,
    completeness: body.completeness,
    order,
    content_digest: digest,
  });
  return openDelivery(ports, delivery, payload, contentId);
}

/** A key is bound to the connector of its first use. */
function checkBinding(first: Delivery, connector: Connector): void {
  if (first.connector_id !== connector.id) throw new Problem('lineage_provider_scope_conflict');
}

type Repeat = {
  readonly connector: Connector;
  readonly digest: string;
  readonly snapshots: SnapshotsAccepted;
};

/** Counts the repeat of a delivery. Throws the codes of C-INGEST-4 and C-INGEST-5 where it is none. */
async function repeated(
  ports: DeclaredIntakePorts,
  first: Delivery,
  { connector, digest, snapshots }: Repeat,
): Promise<DuplicateOf> {
  checkBinding(first, connector);
  if (first.content_digest !== digest) throw new Problem('lineage_idempotency_conflict');
  await countDuplicate(ports, first);
  return { delivery_id: first.delivery_id, state: await standingOf(ports, first, snapshots) };
}

/** Whether a snapshot was accepted, or the scope forgotten, since a delivery. */
async function standingOf(
  { acceptances }: DeclaredIntakePorts,
  { workspace_id, scope_key, order }: Delivery,
  { last }: SnapshotsAccepted,
): Promise<Standing> {
  if (last === null || order === null || last <= order) return 'in_effect';
  const forgotten = await acceptances.forgotten(workspace_id);
  return forgettingAt(forgotten, scopeId(scope_key ?? ''), null)?.order === last ? 'forgotten' : 'superseded';
}

const receiptOf = <Counts>(
  { delivery, duplicate, dispatched }: Opened,
  duplicateOf: DuplicateOf | null,
  {
    completeness,
    scopeKey,
    reading: { counts, itemCount, invalidItems },
  }: {
    readonly completeness: Completeness;
    readonly scopeKey: string;
    readonly reading: AcquisitionReading<Counts>;
  },
): DeclaredReceipt<Counts> => ({
  ok: true,
  delivery_id: delivery.delivery_id,
  status: 'accepted',
  accepted: true,
  duplicate,
  ...(duplicateOf && { duplicate_of: duplicateOf }),
  item_count: itemCount,
  invalid_item_count: invalidItems.length,
  dispatch_requested: dispatched,
  completeness,
  scope_key: scopeKey,
  ...counts,
});

type DeclaredRequest<Body> = {
  readonly workspace: WorkspaceId;
  /** With as much of the document as is read. */
  readonly body: Body;
  /** Of the whole document. */
  readonly documentDigest: string;
  readonly idempotencyKey: string | null;
  readonly payload: Payload;
  /** For finding the delivery in logs. */
  readonly requestId?: string;
};

/** Throws `not_found`. */
async function checkLinkedProject(
  { linkedProjects }: DeclaredIntakePorts,
  workspace: WorkspaceId,
  project: string | null,
): Promise<void> {
  if (project === null || (await linkedProjects.has(workspace, project))) return;
  throw new Problem('not_found', {
    errors: [{ path: '/project_id', message: 'must be a linked project of the workspace' }],
  });
}

/** Names of another platform would be nobody's (C-DECLARED-18). `lineage_connector_mismatch` names both platforms. */
function checkPlatform(
  { displayName }: { readonly displayName: string },
  { kind }: Connector,
  { platforms }: AcquisitionReading<unknown>,
): void {
  const others = otherPlatforms(kind, platforms);
  if (others === null) return;
  const otherKinds = others.join(', ');
  throw new Problem('lineage_connector_mismatch', {
    message: `The ${displayName} is of ${otherKinds}, and the connector is of kind ${kind}.`,
    errors: [{ path: '/connector_id', message: `must be a connector of kind ${otherKinds}` }],
    hint: `Send it to a connector of kind ${otherKinds}. If this one is meant, send it with "force": true (--force).`,
  });
}

/** Another file states nothing. A complete snapshot retracts what it leaves out: its scope, its key and every item must be certain. */
function checkSnapshot<Body extends AcquisitionBody>(
  { body, idempotencyKey }: DeclaredRequest<Body>,
  scope: AcquisitionScope,
  { shapeErrors, otherFile }: AcquisitionReading<unknown>,
): void {
  const errors: FieldError[] = [];
  const isComplete = body.completeness === 'complete';
  if (isComplete && !scope.given) errors.push({ path: scope.path, message: 'is required for a complete snapshot' });
  if (isComplete && idempotencyKey === null && body.source_event_key === undefined) {
    errors.push({ path: '/source_event_key', message: 'or an Idempotency-Key is required for a complete snapshot' });
  }
  if (isComplete) errors.push(...shapeErrors.slice(0, listedErrors));
  const problem = snapshotProblem(otherFile, errors, shapeErrors.length > 0 ? partialHint : undefined);
  if (problem !== null) throw problem;
}

const partialHint = 'Correct these entries. A partial delivery (--partial) takes the others, and retracts nothing.';

const listedErrors = 100;

/** The key that the body and the header give it; null where neither does. */
function keyOf<Body extends AcquisitionBody>({ body, idempotencyKey }: DeclaredRequest<Body>): string | null {
  const field = body.source_event_key ?? null;
  if (field !== null && idempotencyKey !== null && field !== idempotencyKey) {
    throw new Problem('lineage_idempotency_conflict', {
      errors: [{ path: '/source_event_key', message: 'must be equal to the Idempotency-Key header' }],
    });
  }
  return idempotencyKey ?? field;
}
