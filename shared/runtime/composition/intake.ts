import { randomUUID } from 'node:crypto';
import { accessReader } from '../../adapters/dynamodb/access-reader.ts';
import { deliveryStore } from '../../adapters/dynamodb/deliveries.ts';
import { acceptanceReader, scopeAcceptances } from '../../adapters/dynamodb/ingest.ts';
import { activityLog } from '../../adapters/dynamodb/provider-activity.ts';
import { providerStore } from '../../adapters/dynamodb/providers.ts';
import { registry } from '../../adapters/dynamodb/registry.ts';
import { uploadStore } from '../../adapters/dynamodb/uploads.ts';
import { oidcSessions } from '../../adapters/oidc-sessions.ts';
import { payloadStore } from '../../adapters/s3/raw.ts';
import { uploadPlace } from '../../adapters/s3/uploads.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import type { DeclaredIntakePorts } from '../../domain/ingest/ports.ts';
import { systemClock } from '../../domain/time/clock.ts';
import { environment } from '../environment.ts';
import type { HttpPorts } from '../http-ports.ts';
import { rateGuard } from '../rate-guard.ts';
import { onSendFailed } from '../report-failures.ts';
import { projections, rawBucket } from './stores.ts';
import { table } from './tables.ts';

/** Of all routes but those of collection: what the checks before an implementation need. */
export function httpPorts(): HttpPorts {
  const { OIDC_ISSUER, OIDC_AUDIENCE, OIDC_JWKS_URL, LINEAGE_RATE, LINEAGE_BURST } = environment(
    'OIDC_ISSUER',
    'OIDC_AUDIENCE',
    'OIDC_JWKS_URL',
    'LINEAGE_RATE',
    'LINEAGE_BURST',
  );
  return {
    ...accessReader(table()),
    session: oidcSessions({ issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, jwksUrl: OIDC_JWKS_URL }),
    clock: systemClock,
    newId: randomUUID,
    rateGuard: rateGuard<WorkspaceId>({ perSecond: LINEAGE_RATE, burst: LINEAGE_BURST }),
  };
}

export function ingestPorts(): DeclaredIntakePorts {
  const { connectors, linkedProjects } = registry(table());
  return {
    clock: systemClock,
    connectors: {
      get: async (workspace_id, id) => (await connectors.find({ workspace_id, id }))?.record ?? null,
      list: connectors.list,
    },
    linkedProjects: {
      has: async (workspace_id, project_id) => (await linkedProjects.find({ workspace_id, project_id })) !== null,
    },
    acceptances: scopeAcceptances(table()),
    known: acceptanceReader(table()),
    deliveries: deliveryStore(table()),
    providers: providerStore(table()),
    activity: activityLog(table()),
    payloads: payloadStore(rawBucket()),
    queue: projections(),
    onSendFailed,
  };
}

export const uploadPorts = () => ({
  ...ingestPorts(),
  newId: randomUUID,
  uploads: uploadStore(table()),
  place: uploadPlace(rawBucket()),
});
