import type { intakeRoutes } from '../../shared/contract/routes/intake.ts';
import { acceptOpenLineage, type OpenLineageRequest } from '../../shared/domain/intake/accept-openlineage.ts';
import type { IntakePorts } from '../../shared/domain/intake/ports.ts';
import type { Implementation, RequestOf } from '../../shared/runtime/implementation.ts';

/** Both routes take and answer the same but for the body. */
type Route = typeof intakeRoutes.postOpenLineageEvent;

/** Serves a route of OpenLineage intake. */
export const openLineage =
  (ports: IntakePorts, kind: OpenLineageRequest['kind']): Implementation<Route> =>
  async (request) => ({ status: 202, body: await acceptOpenLineage(ports, asked(kind, request)) });

const asked = (
  kind: OpenLineageRequest['kind'],
  { workspace, query, headers, bytes, contentType, contentEncoding }: RequestOf<Route>,
): OpenLineageRequest => ({
  workspace,
  kind,
  connectorId: query.connector_id ?? null,
  providerKey: query.provider_key ?? null,
  idempotencyKey: headers['idempotency-key'] ?? null,
  payload: { bytes, contentType: contentType ?? 'application/json', contentEncoding },
});
