import type { AppConfigId, WorkspaceId } from '../../../contract/ids.ts';

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
  readonly add: (webhook: Webhook) => Promise<void>;
};
