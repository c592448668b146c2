import { intakeRoutes } from '../../shared/contract/lineage.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { DocumentBody } from '../../shared/contract/route.ts';
import type { uploadRoutes } from '../../shared/contract/uploads.ts';
import { gathered } from '../../shared/domain/base/body.ts';
import { acceptDeclared } from '../../shared/domain/lineage/ingest/accept-declared.ts';
import { acceptOpenLineage, type OpenLineageRequest } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import type { AcquisitionBody, AcquisitionTool } from '../../shared/domain/lineage/ingest/acquisition.ts';
import type { DeclaredIntakePorts } from '../../shared/domain/lineage/ingest/ports.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/lineage/ingest/tools.ts';
import { findUpload, readUpload, uploadPayload } from '../../shared/domain/lineage/ingest/uploads/read-upload.ts';
import { announceUpload, type Upload, type UploadPorts } from '../../shared/domain/lineage/ingest/uploads/upload.ts';
import { readValidDocument } from '../../shared/runtime/body.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type UploadIntake = DeclaredIntakePorts & Pick<UploadPorts, 'place'>;

/** With the request that says that its bytes are there. */
type CompletedUpload = Upload & { readonly requestId: string };

/** Accepts the bytes of an upload as the direct route of its kind would. Throws what that route refuses. */
function acceptUpload(ports: UploadIntake, upload: CompletedUpload) {
  switch (upload.kind) {
    case 'openlineage_event':
    case 'openlineage_batch':
      return acceptEvents(ports, { ...upload, kind: upload.kind });
    case 'dbt_manifest':
      return acceptDocument(ports, upload, intakeRoutes.postDbtManifest.body, dbt);
    case 'sqlmesh_project':
      return acceptDocument(ports, upload, intakeRoutes.postSqlmeshProject.body, sqlmesh);
    case 'datahub_catalog':
      return acceptDocument(ports, upload, intakeRoutes.postDatahubExport.body, datahub);
  }
}

async function acceptEvents(ports: UploadIntake, upload: CompletedUpload & Pick<OpenLineageRequest, 'kind'>) {
  const bytes = await readUpload(ports, upload, gathered);
  const payload = { bytes, contentType: 'application/json', contentEncoding: upload.content_encoding };
  return acceptOpenLineage(ports, { ...requestedBy(upload), kind: upload.kind, payload });
}

async function acceptDocument<Body extends AcquisitionBody & { readonly workspace_id: string }, Counts>(
  ports: UploadIntake,
  upload: CompletedUpload,
  route: DocumentBody<Body>,
  tool: AcquisitionTool<Body, Counts>,
) {
  const read = await readUpload(ports, upload, (chunks) => readValidDocument(route, chunks, upload.content_encoding));
  if (read.body.workspace_id !== upload.workspace_id) throw otherWorkspace();
  return acceptDeclared(ports, tool, { ...requestedBy(upload), ...read, payload: uploadPayload(ports, upload) });
}

const otherWorkspace = () =>
  new Problem('validation_error', {
    errors: [{ path: '/workspace_id', message: 'must be the workspace of the upload' }],
  });

const requestedBy = ({ workspace_id, connector_id, provider_key, idempotency_key, requestId }: CompletedUpload) => ({
  workspace: workspace_id,
  connectorId: connector_id,
  providerKey: provider_key,
  idempotencyKey: idempotency_key,
  requestId,
});

export const uploadImplementations = (
  ports: DeclaredIntakePorts & UploadPorts,
): Implementations<typeof uploadRoutes> => ({
  createUpload: async ({ workspace, body }) => announceUpload(ports, workspace, body),
  completeUpload: async ({ workspace, params, requestId, now }) => {
    const upload = await findUpload(ports, workspace, params.upload_id, now);
    return acceptUpload(ports, { ...upload, requestId });
  },
});
