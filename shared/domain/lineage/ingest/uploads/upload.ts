import * as v from 'valibot';
import { ConnectorId, UploadId, WorkspaceId } from '../../../../contract/ids.ts';
import { deliveryKinds } from '../../../../contract/vocabulary.ts';
import type { Delivery } from '../deliveries/delivery.ts';

export const Upload = v.object({
  upload_id: UploadId,
  workspace_id: WorkspaceId,
  kind: v.picklist(deliveryKinds),
  content_length: v.number(),
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: v.string(),
  content_encoding: v.nullable(v.literal('gzip')),
  idempotency_key: v.nullable(v.string()),
  connector_id: v.nullable(ConnectorId),
  provider_key: v.nullable(v.string()),
  /** Until when it can be completed. */
  complete_before: v.string(),
});
export type Upload = v.InferOutput<typeof Upload>;

/** Announced uploads; one that is past its time may still be found. */
export type UploadStore = {
  readonly add: (upload: Upload) => Promise<void>;
  readonly find: (workspace: WorkspaceId, id: UploadId) => Promise<Upload | null>;
};

/** Where a sender puts bytes, by a URL that only accepts the announced length and digest. */
export type UploadPlace = {
  readonly sign: (
    upload: Upload,
    seconds: number,
  ) => Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>;
  /** The bytes as received; null if nothing was put. */
  readonly read: (upload: Upload) => Promise<AsyncIterable<Uint8Array> | null>;
  /** Copies the bytes to where those of a delivery are kept. */
  readonly keep: (upload: Upload, delivery: Delivery) => Promise<void>;
};

export type UploadPorts = {
  readonly newId: () => string;
  readonly uploads: UploadStore;
  readonly place: UploadPlace;
};
