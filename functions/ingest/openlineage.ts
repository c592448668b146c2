import type { LineageDeliveryReceipt } from '../../shared/contract/lineage.ts';
import type { intakeRoutes } from '../../shared/contract/routes/ingest.ts';
import { acceptOpenLineage, type OpenLineageRequest } from '../../shared/domain/ingest/accept-openlineage.ts';
import type { IntakePorts } from '../../shared/domain/ingest/ports.ts';
import type { RequestOf } from '../../shared/runtime/implementation.ts';

/** Both routes take the same but for the body. */
type EventRequest = RequestOf<typeof intakeRoutes.postOpenLineageEvent>;

/** Serves a route of OpenLineage intake. */
export const openLineage =
  (ports: IntakePorts, kind: OpenLineageRequest['kind']) =>
  async (request: EventRequest): Promise<{ readonly status: 202; readonly body: LineageDeliveryReceipt }> => ({
    status: 202,
    body: await acceptOpenLineage(ports, asked(kind, request)),
  });

const asked = (
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
