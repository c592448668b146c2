import type { UploadId, WorkspaceId } from '../../../contract/ids.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Upload } from './upload.ts';

/** Announced uploads; one that is past its time may still be found. */
export type UploadStore = {
  readonly add: (upload: Upload) => Promise<void>;
  readonly find: (workspace: WorkspaceId, id: UploadId) => Promise<Upload | null>;
};

/** Where a sender puts bytes, by a URL that takes those of the announced length and digest alone. */
export type UploadPlace = {
  readonly sign: (
    upload: Upload,
    seconds: number,
  ) => Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>;
  /** The bytes as they come; null where nothing was put. */
  readonly read: (upload: Upload) => Promise<AsyncIterable<Uint8Array> | null>;
  /** Copies the bytes to where those of a delivery are kept. */
  readonly keep: (upload: Upload, delivery: Delivery) => Promise<void>;
};

export type UploadPorts = {
  readonly newId: () => string;
  readonly uploads: UploadStore;
  readonly place: UploadPlace;
};
