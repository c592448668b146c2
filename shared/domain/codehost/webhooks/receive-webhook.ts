import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { WebhookHeaders } from '../../../contract/codehost-checks.ts';
import { AppConfigId, idOrNull, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { readJson } from '../../base/json/read-json.ts';
import { type App, appOf, serviceAppId } from '../apps.ts';
import type { CodehostPorts, CodehostQueue } from '../ports.ts';
import type { AppSecrets } from '../records.ts';

export type ReceivePorts = Pick<CodehostPorts, 'registry' | 'serviceApp' | 'secrets' | 'clock'> & {
  readonly webhooks: Omit<WebhookStore, 'body'>;
  readonly codehostQueue: CodehostQueue;
};

type Received = { readonly configId: string; readonly headers: WebhookHeaders; readonly bytes: Uint8Array };

const Payload = v.object({ installation: v.optional(v.object({ id: v.union([v.number(), v.string()]) })) });

/**
 * Keeps a webhook's bytes and queues it, once for each delivery: bytes first, then the message, then the mark that it was
 * seen, so that one which fails in between is taken when it comes again. Throws `unauthorized` where no secret that holds
 * signed the bytes, `validation_error` and `invalid_json`.
 */
export async function receiveWebhook(ports: ReceivePorts, { configId, headers, bytes }: Received) {
  const id = idOrNull(AppConfigId, configId);
  const signature = headers['x-hub-signature-256'];
  if (id === null || signature === undefined) throw unsigned();
  const workspace = id === serviceAppId ? null : await workspaceOf(ports, id);
  const secrets = await ports.secrets.get(await secretsRefOf(ports, id, workspace));
  if (secrets === null || !isSignedBy(secrets, bytes, signature, ports.clock.now())) throw unsigned();
  const { event, delivery_id } = named(headers);
  const owner = workspace ?? (await workspaceOfInstallation(ports, id, bytes));
  // Of an installation that no workspace has taken there is nothing to do.
  if (owner === null) return { delivery_id, duplicate: false };
  const place = { workspace_id: owner, config_id: id, delivery_id };
  if ((await ports.webhooks.find(place)) !== null) return { delivery_id, duplicate: true };
  if (!readJson(bytes).ok) throw new Problem('invalid_json');
  await ports.webhooks.keepBody(place, bytes);
  await ports.codehostQueue.send({ version: 1, kind: 'webhook', ...place, event });
  const isFirst = await ports.webhooks.add({ ...place, event, received_at: ports.clock.now().toISOString() });
  return { delivery_id, duplicate: !isFirst };
}

const unsigned = () => new Problem('unauthorized', { message: 'The signature does not match the body.' });

async function workspaceOf({ registry }: ReceivePorts, id: AppConfigId): Promise<WorkspaceId> {
  const place = await registry.appPlaces.find({ id });
  if (place === null) throw unsigned();
  return place.record.workspace_id;
}

async function secretsRefOf(ports: ReceivePorts, id: AppConfigId, workspace: WorkspaceId | null): Promise<string> {
  if (workspace === null) return ports.serviceApp?.secrets_ref ?? '';
  const app: App | null = await appOf(ports, workspace, id);
  return app?.secrets_ref ?? '';
}

function named(headers: WebhookHeaders) {
  const { 'x-github-event': event, 'x-github-delivery': delivery_id } = headers;
  if (event !== undefined && delivery_id !== undefined) return { event, delivery_id };
  const missing = event === undefined ? 'x-github-event' : 'x-github-delivery';
  throw new Problem('validation_error', { errors: [{ path: `/headers/${missing}`, message: 'is required' }] });
}

async function workspaceOfInstallation({ registry }: ReceivePorts, config_id: AppConfigId, bytes: Uint8Array) {
  const payload = v.safeParse(Payload, readJson(bytes).value);
  if (!payload.success || payload.output.installation === undefined) return null;
  const place = await registry.installationPlaces.find({
    config_id,
    installation_id: String(payload.output.installation.id),
  });
  return place?.record.workspace_id ?? null;
}

/** A delivery of the host, under the app that it was sent to. */
export type WebhookPlace = {
  readonly workspace_id: WorkspaceId;
  readonly config_id: AppConfigId;
  readonly delivery_id: string;
};

export type Webhook = WebhookPlace & { readonly event: string; readonly received_at: string };

export type WebhookStore = {
  /** Null of one that was never marked as received. */
  readonly find: (place: WebhookPlace) => Promise<Webhook | null>;
  readonly keepBody: (place: WebhookPlace, bytes: Uint8Array) => Promise<void>;
  readonly body: (place: WebhookPlace) => Promise<Uint8Array | null>;
  /** False if the delivery was marked as received meanwhile. */
  readonly add: (webhook: Webhook) => Promise<boolean>;
};

const prefix = 'sha256=';

/**
 * Whether one of the webhook secrets that hold signed the bytes: HMAC-SHA-256, compared in constant time.
 * @param header `X-Hub-Signature-256`
 */
function isSignedBy(
  { webhook_secrets }: Pick<AppSecrets, 'webhook_secrets'>,
  bytes: Uint8Array,
  header: string,
  now: Date,
): boolean {
  if (!header.startsWith(prefix)) return false;
  const provided = Buffer.from(header.slice(prefix.length), 'hex');
  const at = now.toISOString();
  const holding = webhook_secrets.filter(({ valid_until }) => valid_until === null || valid_until > at);
  // Compare with every secret, so that timing does not reveal which one matches.
  const fits = holding.map(({ secret }) => {
    const expected = createHmac('sha256', secret).update(bytes).digest();
    return provided.length === expected.length && timingSafeEqual(provided, expected);
  });
  return fits.includes(true);
}
