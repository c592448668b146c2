import type { intakeRoutes, LineageDeliveryReceipt } from '../../shared/contract/lineage.ts';
import { acceptDeclared, type DeclaredReceipt } from '../../shared/domain/lineage/ingest/accept-declared.ts';
import { acceptOpenLineage, type OpenLineageRequest } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import type { AcquisitionBody, AcquisitionTool } from '../../shared/domain/lineage/ingest/acquisition.ts';
import { payloadOf } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import type { DeclaredIntakePorts, IntakePorts } from '../../shared/domain/lineage/ingest/ports.ts';
import { datahub, dbt, sqlmesh } from '../../shared/domain/lineage/ingest/tools.ts';
import type { Implementations, RequestOf } from '../../shared/runtime/implementation.ts';

type EventRequest = RequestOf<typeof intakeRoutes.postOpenLineageEvent>;

const openLineage =
  (ports: IntakePorts, kind: OpenLineageRequest['kind']) =>
  async (request: EventRequest): Promise<LineageDeliveryReceipt> =>
    acceptOpenLineage(ports, send(kind, request));

const send = (
  kind: OpenLineageRequest['kind'],
  { workspace, query, headers, bytes, contentType, contentEncoding, requestId }: EventRequest,
): OpenLineageRequest => ({
  workspace,
  kind,
  connectorId: query.connector_id ?? null,
  providerKey: query.provider_key ?? null,
  idempotencyKey: headers['idempotency-key'] ?? null,
  payload: { bytes, contentType: contentType ?? 'application/json', contentEncoding },
  requestId,
});

type DocumentRequest<Body> = Omit<RequestOf<typeof intakeRoutes.postDbtManifest>, 'body'> & { readonly body: Body };

export const declared =
  <Body extends AcquisitionBody, Counts>(ports: DeclaredIntakePorts, tool: AcquisitionTool<Body, Counts>) =>
  async (request: DocumentRequest<Body>): Promise<DeclaredReceipt<Counts>> => {
    const { workspace, body, documentDigest, headers, bytes, contentType, contentEncoding, requestId } = request;
    const payload = payloadOf(ports, { bytes, contentType: contentType ?? 'application/json', contentEncoding });
    const idempotencyKey = headers['idempotency-key'] ?? null;
    const query = { workspace, body, documentDigest, idempotencyKey, payload, requestId };
    return acceptDeclared(ports, tool, query);
  };

export const intakeImplementations = (ports: DeclaredIntakePorts): Implementations<typeof intakeRoutes> => ({
  postOpenLineageEvent: openLineage(ports, 'openlineage_event'),
  postOpenLineageBatch: openLineage(ports, 'openlineage_batch'),
  postDatahubExport: declared(ports, datahub),
  postSqlmeshProject: declared(ports, sqlmesh),
  postDbtManifest: declared(ports, dbt),
});
