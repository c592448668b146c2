import { Problem } from '../../shared/contract/problems.ts';
import type { DocumentBody } from '../../shared/contract/route.ts';
import { intakeRoutes } from '../../shared/contract/routes/ingest.ts';
import { acceptDeclared } from '../../shared/domain/ingest/accept-declared.ts';
import { acceptOpenLineage, type OpenLineageRequest } from '../../shared/domain/ingest/accept-openlineage.ts';
import type { AcquisitionBody, AcquisitionTool } from '../../shared/domain/ingest/acquisition.ts';
import type { DeclaredIntakePorts } from '../../shared/domain/ingest/ports.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/ingest/tools.ts';
import type { UploadPorts } from '../../shared/domain/ingest/uploads/ports.ts';
import { readUpload, uploadPayload } from '../../shared/domain/ingest/uploads/read-upload.ts';
import type { Upload } from '../../shared/domain/ingest/uploads/upload.ts';
import { gathered } from '../../shared/domain/json/gather.ts';
import { readValidDocument } from '../../shared/runtime/read-fields.ts';

type AcceptPorts = DeclaredIntakePorts & Pick<UploadPorts, 'place'>;

/** With the request that says that its bytes are there. */
type CompletedUpload = Upload & { readonly requestId: string };

/** Accepts the bytes of an upload as the direct route of its kind would. Throws what that route refuses. */
export function acceptUpload(ports: AcceptPorts, upload: CompletedUpload) {
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

async function acceptEvents(ports: AcceptPorts, upload: CompletedUpload & Pick<OpenLineageRequest, 'kind'>) {
  const bytes = await readUpload(ports, upload, gathered);
  const payload = { bytes, contentType: 'application/json', contentEncoding: upload.content_encoding };
  return acceptOpenLineage(ports, { ...askedBy(upload), kind: upload.kind, payload });
}

async function acceptDocument<Body extends AcquisitionBody & { readonly workspace_id: string }, Counts>(
  ports: AcceptPorts,
  upload: CompletedUpload,
  route: DocumentBody<Body>,
  tool: AcquisitionTool<Body, Counts>,
) {
  const read = await readUpload(ports, upload, (chunks) => readValidDocument(route, chunks, upload.content_encoding));
  if (read.body.workspace_id !== upload.workspace_id) throw otherWorkspace();
  return acceptDeclared(ports, tool, { ...askedBy(upload), ...read, payload: uploadPayload(ports, upload) });
}

const otherWorkspace = () =>
  new Problem('validation_error', {
    errors: [{ path: '/workspace_id', message: 'must be the workspace of the upload' }],
  });

const askedBy = ({ workspace_id, connector_id, provider_key, idempotency_key, requestId }: CompletedUpload) => ({
  workspace: workspace_id,
  connectorId: connector_id,
  providerKey: provider_key,
  idempotencyKey: idempotency_key,
  requestId,
});
