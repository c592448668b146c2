import { Problem } from '../../shared/contract/problems.ts';
import type { JsonBody } from '../../shared/contract/route.ts';
import { intakeRoutes } from '../../shared/contract/routes/intake.ts';
import { acceptDeclared } from '../../shared/domain/intake/accept-declared.ts';
import { acceptOpenLineage } from '../../shared/domain/intake/accept-openlineage.ts';
import type { AcquisitionBody, AcquisitionTool } from '../../shared/domain/intake/acquisition.ts';
import type { Payload } from '../../shared/domain/intake/open-delivery.ts';
import type { DeclaredPorts } from '../../shared/domain/intake/ports.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/intake/tools.ts';
import type { Upload } from '../../shared/domain/uploads/upload.ts';
import { readValidJson } from '../../shared/runtime/read-fields.ts';

/** Accepts the bytes of an upload as the direct route of its kind would. Throws what that route refuses. */
export function acceptUpload(ports: DeclaredPorts, upload: Upload, payload: Payload) {
  switch (upload.kind) {
    case 'openlineage_event':
    case 'openlineage_batch':
      return acceptOpenLineage(ports, { ...askedBy(upload), kind: upload.kind, payload });
    case 'dbt_manifest':
      return acceptDocument(ports, upload, payload, intakeRoutes.postDbtManifest.body, dbt);
    case 'sqlmesh_project':
      return acceptDocument(ports, upload, payload, intakeRoutes.postSqlmeshProject.body, sqlmesh);
    case 'datahub_catalog':
      return acceptDocument(ports, upload, payload, intakeRoutes.postDatahubExport.body, datahub);
  }
}

async function acceptDocument<Body extends AcquisitionBody & { readonly workspace_id: string }, Counts>(
  ports: DeclaredPorts,
  upload: Upload,
  payload: Payload,
  route: JsonBody<Body>,
  tool: AcquisitionTool<Body, Counts>,
) {
  const body = await readValidJson(route, payload.bytes, upload.content_encoding);
  if (body.workspace_id !== upload.workspace_id) throw otherWorkspace();
  return acceptDeclared(ports, tool, { ...askedBy(upload), body, payload });
}

const otherWorkspace = () =>
  new Problem('validation_error', {
    errors: [{ path: '/workspace_id', message: 'must be the workspace of the upload' }],
  });

const askedBy = ({ workspace_id, connector_id, provider_key, idempotency_key }: Upload) => ({
  workspace: workspace_id,
  connectorId: connector_id,
  providerKey: provider_key,
  idempotencyKey: idempotency_key,
});
