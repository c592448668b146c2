import * as v from 'valibot';
import { UploadId, type WorkspaceId } from '../../../../contract/ids.ts';
import { limits } from '../../../../contract/limits.ts';
import { Problem } from '../../../../contract/problems.ts';
import type { UploadRequest, UploadTicket } from '../../../../contract/uploads.ts';
import { requireConnector } from '../open-delivery.ts';
import type { IntakePorts } from '../ports.ts';
import type { Upload, UploadPorts } from './upload.ts';

export async function announceUpload(
  ports: Pick<IntakePorts, 'clock' | 'connectors'> & UploadPorts,
  workspace: WorkspaceId,
  request: UploadRequest,
): Promise<UploadTicket> {
  const connectorId = 'connector_id' in request ? request.connector_id : undefined;
  checkLength(request);
  const connector =
    connectorId === undefined ? null : await requireConnector(ports, workspace, connectorId, '/connector_id');
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
