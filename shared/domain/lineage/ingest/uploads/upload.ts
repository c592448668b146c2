import * as v from 'valibot';
import { ConnectorId, UploadId, WorkspaceId } from '../../../../contract/ids.ts';
import { limits } from '../../../../contract/limits.ts';
import { Problem } from '../../../../contract/problems.ts';
import type { UploadRequest, UploadTicket } from '../../../../contract/uploads.ts';
import { sentKinds } from '../../../../contract/vocabulary.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { requireConnector } from '../open-delivery.ts';
import type { IntakePorts } from '../ports.ts';

export const Upload = v.object({
  upload_id: UploadId,
  workspace_id: WorkspaceId,
  kind: v.picklist(sentKinds),
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

export async function announceUpload(
  ports: Pick<IntakePorts, 'clock' | 'connectors'> & UploadPorts,
  workspace: WorkspaceId,
  request: UploadRequest,
): Promise<UploadTicket> {
  const connectorId = 'connector_id' in request ? request.connector_id : undefined;
  checkLength(request);
  const connector = connectorId === undefined ? null : await requireConnector(ports, workspace, connectorId);
  const now = ports.clock.now();
  const upload: Upload = {
    upload_id: v.parse(UploadId, ports.newId()),
    workspace_id: workspace,
    kind: request.kind,
    content_length: request.content_length,
    sha256: request.sha256,
    content_encoding: ('content_encoding' in request && request.content_encoding) || null,
    idempotency_key: request.idempotency_key ?? null,
    connector_id: connector?.id ?? null,
    provider_key: ('provider_key' in request && request.provider_key) || null,
    complete_before: after(now, limits.upload.completeWithin),
  };
  const { url, headers } = await ports.place.sign(upload, limits.upload.putWithin);
  await ports.uploads.add(upload);
  return {
    upload_id: upload.upload_id,
    workspace_id: workspace,
    method: 'PUT',
    url,
    headers: { ...headers },
    expires_at: after(now, limits.upload.putWithin),
    complete_before: upload.complete_before,
  };
}

function checkLength({ kind, content_length }: UploadRequest): void {
  const isOpenLineage = kind === 'openlineage_event' || kind === 'openlineage_batch';
  const { bodyBytes } = isOpenLineage ? limits.openlineage : limits.declared;
  if (content_length > bodyBytes) throw new Problem(isOpenLineage ? 'openlineage_body_too_large' : 'body_too_large');
}

const after = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString();
