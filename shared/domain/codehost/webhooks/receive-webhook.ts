import * as v from 'valibot';
import { type WebhookHeaders, webhookProofs } from '../../../contract/codehost-checks.ts';
import { AppConfigId, idOrNull, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { isJsonObject, malformedJson, readJson } from '../../base/json/read-json.ts';
import { appOf, serviceAppId } from '../apps.ts';
import type { CodeHost, HostEvent } from '../code-host.ts';
import type { CodehostPorts, CodehostQueue } from '../ports.ts';
import type { AppSecrets } from '../records.ts';

export type ReceivePorts = Pick<CodehostPorts, 'registry' | 'serviceApp' | 'secrets' | 'hosts' | 'clock'> & {
  readonly webhooks: Omit<WebhookStore, 'body'>;
  readonly codehostQueue: CodehostQueue;
};

type Received = { readonly configId: string; readonly headers: WebhookHeaders; readonly bytes: Uint8Array };

/**
 * Keeps a webhook's bytes and queues it, once for each delivery: bytes first, then the message, then the mark that it was
 * seen, so that one which fails in between is taken when it comes again. Throws `unauthorized` unless it comes from the
 * host by a secret that holds, `validation_error` and `invalid_json`.
 */
export async function receiveWebhook(ports: ReceivePorts, { configId, headers, bytes }: Received) {
  const id = idOrNull(AppConfigId, configId);
  if (id === null || webhookProofs.every((name) => headers[name] === undefined)) throw unsigned();
  const workspace = id === serviceAppId ? null : await workspaceOf(ports, id);
  const app = workspace === null ? ports.serviceApp : await appOf(ports, workspace, id);
  const secrets = app && (await ports.secrets.get(app.secrets_ref));
  if (!app || !secrets) throw unsigned();
  const { webhooks } = ports.hosts[app.kind];
  const now = ports.clock.now();
  if (!webhooks.isFrom(holding(secrets, now), { headers, bytes, now })) throw unsigned();
  const { event, delivery_id } = named(webhooks.names, headers);
  const payload = readJson(bytes);
  const owner = workspace ?? (await workspaceOfInstallation(ports, id, webhooks.read(event, payload.value)));
  // Of an installation that no workspace has taken there is nothing to do.
  if (owner === null) return { delivery_id, duplicate: false };
  const place = { workspace_id: owner, config_id: id, delivery_id };
  if ((await ports.webhooks.find(place)) !== null) return { delivery_id, duplicate: true };
  if (!payload.ok) throw malformedJson('invalid_json', payload);
  if (!isJsonObject(payload.value))
    throw new Problem('validation_error', { errors: [{ path: '', message: 'must be an object' }] });
  await ports.webhooks.keepBody(place, bytes);
  await ports.codehostQueue.send({ version: 1, kind: 'webhook', ...place, event });
  const isFirst = await ports.webhooks.add({ ...place, event, received_at: now.toISOString() });
  return { delivery_id, duplicate: !isFirst };
}

const unsigned = () => new Problem('unauthorized', { message: 'The signature or token of the webhook is not valid.' });

async function workspaceOf({ registry }: ReceivePorts, id: AppConfigId): Promise<WorkspaceId> {
  const place = await registry.appPlaces.find({ id });
  if (place === null) throw unsigned();
  return place.record.workspace_id;
}

function holding({ webhook_secrets }: AppSecrets, now: Date): readonly string[] {
  const at = now.toISOString();
  return webhook_secrets
    .filter(({ valid_until }) => valid_until === null || valid_until > at)
    .map(({ secret }) => secret);
}

function named(names: CodeHost['webhooks']['names'], headers: WebhookHeaders) {
  const event = headers[names.event];
  const delivery_id = names.delivery.map((name) => headers[name]).find((value) => value !== undefined);
  if (event !== undefined && delivery_id !== undefined) return { event, delivery_id };
  const missing = event === undefined ? names.event : names.delivery[0];
  throw new Problem('validation_error', { errors: [{ path: `/headers/${missing}`, message: 'is required' }] });
}

async function workspaceOfInstallation({ registry }: ReceivePorts, config_id: AppConfigId, event: HostEvent | null) {
  if (event === null || event.installationId === null) return null;
  const place = await registry.installationPlaces.find({ config_id, installation_id: event.installationId });
  return place?.record.workspace_id ?? null;
}

/** A delivery of the host, under the app that it was sent to. */
export const Webhook = v.object({
  workspace_id: WorkspaceId,
  config_id: AppConfigId,
  delivery_id: v.string(),
  event: v.string(),
  received_at: v.string(),
});
export type Webhook = v.InferOutput<typeof Webhook>;
export type WebhookPlace = Omit<Webhook, 'event' | 'received_at'>;

export type WebhookStore = {
  /** Null of one that was never marked as received. */
  readonly find: (place: WebhookPlace) => Promise<Webhook | null>;
  readonly keepBody: (place: WebhookPlace, bytes: Uint8Array) => Promise<void>;
  readonly body: (place: WebhookPlace) => Promise<Uint8Array | null>;
  /** False if the delivery was marked as received meanwhile. */
  readonly add: (webhook: Webhook) => Promise<boolean>;
};
