import type { WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { Completeness } from '../../contract/vocabulary.ts';
import { scopeId } from '../graph/ids.ts';
import type { ScopeIdentity } from '../graph/scope-store.ts';
import type { Connector } from '../identity/connector.ts';
import { canonicalDigest } from '../json/canonical-digest.ts';
import { noActivity } from '../providers/activity.ts';
import type { Provider } from '../providers/provider.ts';
import type { AcquisitionBody, AcquisitionCounts, AcquisitionTool } from './acquisition.ts';
import { checkLinkedProject, checkPlatform, checkSnapshot, type DeclaredRequest, keyOf } from './declared-request.ts';
import type { Delivery } from './deliveries/delivery.ts';
import { declaredDeliveryId, plainProviderId } from './delivery-id.ts';
import { countDuplicate, newDelivery, type Opened, openDelivery } from './open-delivery.ts';
import type { DeclaredIntakePorts } from './ports.ts';
import { unknownConnector } from './require-connector.ts';

/** The receipt of a declared route, or why nothing was taken in: C-INGEST-1, C-INGEST-11. */
export type DeclaredReceipt<Counts> =
  | ({
      readonly ok: true;
      readonly delivery_id: string;
      readonly status: 'accepted';
      readonly accepted: true;
      readonly duplicate: boolean;
      readonly item_count: number;
      readonly invalid_item_count: number;
      readonly dispatch_requested: boolean;
      readonly completeness: Completeness;
      readonly scope_key: string;
    } & Counts)
  | { readonly ok: true; readonly accepted: false; readonly skipped: 'provider_paused' | 'provider_disabled' };

/**
 * Accepts an export of a declared tool, durably and once: C-DECLARED-2, C-INGEST-5, C-INGEST-8. The same key with the
 * same content is the same delivery; without a key the same partial content is, until a complete snapshot of its scope
 * is accepted. Throws `validation_error`, `not_found`, `lineage_snapshot_invalid`,
 * `lineage_connector_mismatch` and `lineage_idempotency_conflict`.
 */
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
  const counted = tool.count(body, { connector, connectors });
  const scope = tool.scopeOf(body);
  checkSnapshot(request, scope, counted);
  const key = keyOf(request);
  const feed = feedOf(tool, workspace, connector, ports.clock.now());
  const scopeKey = `connector:${connector.id}:${scope.name}`;
  const digest = digestOf(tool, request);
  const epoch = await ports.acceptances.epoch(workspace, scopeId(scopeKey));
  const contentId = declaredDeliveryId(workspace, connector.id, tool.kind, { digest, scopeKey, epoch });
  const id = key === null ? contentId : declaredDeliveryId(workspace, connector.id, tool.kind, { key });
  const byContent = key === null;
  const known = await ports.known(workspace, { delivery: id, byContent, provider: feed.id, connector: null });
  // What was accepted stays so, also if the connector is of another kind by now.
  if (!known.delivery) checkPlatform(tool, connector, body);
  const provider = known.provider ?? (await ports.providers.create(feed));
  // What was accepted stays so, whatever its feed takes in now.
  if (provider.status !== 'active' && !known.delivery) return skip(ports, provider, provider.status);
  const opened = known.delivery
    ? { delivery: known.delivery, duplicate: true, dispatched: false }
    : await open(ports, request, provider, { scopeKey, digest, counted, id, contentId, kind: tool.kind });
  if (opened.duplicate) await checkSame(ports, opened.delivery, digest);
  return receiptOf(opened, body.completeness, scopeKey, counted);
}

/** What makes content the same: all that the body says but its key. */
function digestOf<Body extends AcquisitionBody>(
  { document, defaults = {} }: AcquisitionTool<Body, unknown>,
  { body, documentDigest }: DeclaredRequest<Body>,
): string {
  // How it is taken is no part of what it says.
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
  return {
    id: plainProviderId(workspace, tool.kind, connector.id),
    workspace_id: workspace,
    connector_id: connector.id,
    provider_type: tool.kind,
    display_name: `${tool.displayName} of ${connector.name}`,
    status: 'active',
    status_at: now.toISOString(),
  };
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
  readonly counted: AcquisitionCounts<unknown>;
};

async function open<Body extends AcquisitionBody>(
  ports: DeclaredIntakePorts,
  { workspace, body, payload, requestId }: DeclaredRequest<Body>,
  provider: Provider,
  { id, contentId, kind, scopeKey, digest, counted }: Content,
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
    item_count: counted.itemCount,
    refused_item_count: counted.refusedItemCount,
    has_static_events: false,
    scope_key: scopeKey,
    completeness: body.completeness,
    order,
    content_digest: digest,
  });
  return openDelivery(ports, delivery, payload, contentId);
}

async function checkSame(ports: DeclaredIntakePorts, first: Delivery, digest: string): Promise<void> {
  if (first.content_digest !== digest) throw new Problem('lineage_idempotency_conflict');
  await countDuplicate(ports, first);
}

const receiptOf = <Counts>(
  { delivery, duplicate, dispatched }: Opened,
  completeness: Completeness,
  scopeKey: string,
  { counts, itemCount, refusedItemCount }: AcquisitionCounts<Counts>,
): DeclaredReceipt<Counts> => ({
  ok: true,
  delivery_id: delivery.delivery_id,
  status: 'accepted',
  accepted: true,
  duplicate,
  item_count: itemCount,
  invalid_item_count: refusedItemCount,
  dispatch_requested: dispatched,
  completeness,
  scope_key: scopeKey,
  ...counts,
});
