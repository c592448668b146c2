import * as v from 'valibot';
import { ConnectorId, UploadId, WorkspaceId } from '../../../contract/ids.ts';
import { deliveryKinds } from '../../../contract/vocabulary.ts';

/** A body that was announced and is accepted once its bytes are there. */
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
