import * as v from 'valibot';
import { idOf, WebhookId, type WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type {
  WebhookCreateRequest,
  WebhookPatchRequest,
  WebhookSecretResponse,
  WebhookTest,
} from '../../contract/webhooks.ts';
import { type AuditEntry, type Author, auditEntry, randomId, type StoredRecord } from '../workspaces/access/records.ts';
import { type AttemptPorts, isDelivered, postTo, secretOf } from './attempt-webhook.ts';
import { shownUrl, type Webhook, type WebhookRegistry, webhookView } from './webhook.ts';

export type ManageWebhookPorts = Pick<AttemptPorts, 'post' | 'key' | 'clock'> & {
  readonly registry: WebhookRegistry;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Whether webhooks may be sent to a URL, judged only by the URL. */
  readonly isAllowed: (url: string) => boolean;
};

const maxAttempts = 8;

/** Throws `conflict` where a workspace has as many as it may, and `validation_error` for a URL of no public host. */
export async function createWebhook(
  ports: ManageWebhookPorts,
  { workspace, userId }: Author,
  { workspace_id: _, ...given }: WebhookCreateRequest,
): Promise<WebhookSecretResponse> {
  requireAllowed(ports, given.url);
  const at = ports.clock.now().toISOString();
  const creation = { created_at: at, created_by: userId, updated_at: at, updated_by: userId };
  const id = v.parse(WebhookId, `whk_${randomId(ports)}`);
  const webhook: Webhook = { ...given, ...creation, workspace_id: workspace, id, secret_version: 1 };
  const { registry } = ports;
  const audit = registry.audit.create(auditOf(ports, 'webhook.create', webhook));
  const writes = [registry.webhooks.create(webhook), registry.counted(workspace, 1), audit];
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (await registry.commit(writes))
      return { ...webhookView(webhook), url: webhook.url, secret: await secretOf(ports.key, webhook) };
    if ((await registry.webhooks.list(workspace)).length >= limits.webhook.most)
      throw new Problem('conflict', { message: `A workspace has at most ${limits.webhook.most} webhooks.` });
  }
  throw new Problem('conflict');
}

/** Throws `not_found`, `conflict`, and `validation_error` for a URL of no public host. */
export async function patchWebhook(
  ports: ManageWebhookPorts,
  { workspace, userId }: Author,
  id: string,
  { workspace_id: _, rotate_secret, ...patch }: WebhookPatchRequest,
): Promise<WebhookSecretResponse> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await requireWebhook(ports.registry, workspace, id);
    const url = changedUrl(ports, before.record, patch);
    const after: Webhook = {
      ...before.record,
      url: url ?? before.record.url,
      events: patch.events ?? before.record.events,
      format: patch.format ?? before.record.format,
      secret_version: before.record.secret_version + Number(rotate_secret),
      updated_at: ports.clock.now().toISOString(),
      updated_by: userId,
    };
    const action = rotate_secret ? 'webhook.rotate_secret' : 'webhook.update';
    const audit = ports.registry.audit.create(auditOf(ports, action, after));
    if (await ports.registry.commit([ports.registry.webhooks.replace(before, after), audit]))
      return {
        ...webhookView(after),
        ...(url !== null && { url }),
        secret: rotate_secret ? await secretOf(ports.key, after) : null,
      };
  }
  throw new Problem('conflict');
}

/** The address that a patch sets; null if it stays: a client may send back what a list showed. */
function changedUrl(ports: ManageWebhookPorts, before: Webhook, { url, format }: WebhookPatch): string | null {
  if (url === null || url === shownUrl(before)) {
    // Otherwise the next list would show the address of a chat.
    if (before.format === 'slack' && format === 'json')
      throw invalidUrl('must be set when the format is no longer slack');
    return null;
  }
  requireAllowed(ports, url);
  return url;
}

type WebhookPatch = Pick<WebhookPatchRequest, 'url' | 'format'>;

/** Throws `not_found`, also if another request deletes it meanwhile, and `conflict`. */
export async function deleteWebhook(
  ports: Pick<ManageWebhookPorts, 'registry' | 'clock' | 'randomBytes'>,
  { workspace, userId }: Author,
  id: string,
): Promise<void> {
  const { registry } = ports;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { record } = await requireWebhook(registry, workspace, id);
    const audit = registry.audit.create(auditOf(ports, 'webhook.delete', { ...record, updated_by: userId }));
    if (await registry.commit([registry.webhooks.remove(record), registry.counted(workspace, -1), audit])) return;
  }
  throw new Problem('conflict');
}

/** Sends a test at once, which is tried once and kept nowhere. Throws `not_found`. */
export async function testWebhook(ports: ManageWebhookPorts, workspace: WorkspaceId, id: string): Promise<WebhookTest> {
  const { record } = await requireWebhook(ports.registry, workspace, id);
  const notification = {
    id: randomId(ports),
    type: 'test',
    occurred_at: ports.clock.now().toISOString(),
    summary: 'This is a test. Notifications of the workspace are sent here.',
    data: {},
  };
  const attempt = await postTo(ports, record, notification);
  return { delivered: isDelivered(attempt), attempt };
}

/** The webhook as it was last written. Throws `not_found`. */
export async function requireWebhook(
  { webhooks }: Pick<WebhookRegistry, 'webhooks'>,
  workspace: WorkspaceId,
  text: string,
): Promise<StoredRecord<Webhook>> {
  const found = await webhooks.find({ workspace_id: workspace, id: idOf(WebhookId, text) });
  if (!found) throw new Problem('not_found');
  return found;
}

function requireAllowed({ isAllowed }: ManageWebhookPorts, url: string): void {
  if (!isAllowed(url)) throw invalidUrl('must be an https URL of a public host');
}

const invalidUrl = (message: string): Problem =>
  new Problem('validation_error', { errors: [{ path: '/url', message }] });

/** Without the URL: its path is often a secret. */
const auditOf = (
  ports: Pick<ManageWebhookPorts, 'clock' | 'randomBytes'>,
  action: string,
  { workspace_id, id, url, events, format, updated_by }: Webhook,
): AuditEntry =>
  auditEntry(ports, updated_by, { workspace_id, action, subject: { id, host: new URL(url).host, events, format } });
