import { randomUUID } from 'node:crypto';
import { acceptanceReader, scopeAcceptances } from '../../adapters/dynamodb/deliveries/listed-deliveries.ts';
import { activityLog, providerStore } from '../../adapters/dynamodb/deliveries/providers.ts';
import { uploadStore } from '../../adapters/dynamodb/deliveries/small-payloads.ts';
import { readUnitsKey, workspaceRateKey } from '../../adapters/dynamodb/keys/registry-keys.ts';
import { accessReader, linkedProjects, named } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { chargedReading } from '../../adapters/dynamodb/requests/metered.ts';
import { oidcSessions } from '../../adapters/oidc-sessions.ts';
import { putPayload, uploadPlace } from '../../adapters/s3/raw.ts';
import { limits } from '../../contract/limits.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import type { DeclaredIntakePorts } from '../../domain/lineage/ingest/ports.ts';
import { environment } from '../environment.ts';
import type { HttpPorts, Reader } from '../http-ports.ts';
import { sharedRateGuard, sharedUnitGuard } from '../rate-guard.ts';
import { onSendFailed } from '../report-failures.ts';
import { projections, rawBucket, storedDeliveries, table } from './stores.ts';

/** Of all routes but those of collection: what the checks before an implementation need. */
export function httpPorts(): HttpPorts {
  const rate = { perSecond: environment('LINEAGE_RATE'), burst: environment('LINEAGE_BURST') };
  const guard = sharedRateGuard(table(), workspaceRateKey);
  const units = sharedUnitGuard<ReturnType<typeof sharesOf>[number]>(table(), readUnitsKey);
  return {
    ...accessReader(table()),
    session: oidcSessions({
      issuer: environment('OIDC_ISSUER'),
      audience: environment('OIDC_AUDIENCE'),
      jwksUrl: environment('OIDC_JWKS_URL'),
    }),
    clock: systemClock,
    rateGuard: (workspace) => guard(workspace, Date.now, 1, rate),
    readUnits: {
      wait: (reader, now) => units.wait(sharesOf(reader), now),
      counted: (reader, now, work) =>
        chargedReading(work, async (read) => {
          if (read >= limits.readUnits.counted) await units.charge(sharesOf(reader), read, now);
        }),
    },
  };
}

/** What a reader takes read units from. */
const sharesOf = ({ workspace, caller }: Reader) => [
  { workspace, caller: null, rate: limits.readUnits.workspace },
  { workspace, caller, rate: limits.readUnits.caller },
];

export function ingestPorts(): DeclaredIntakePorts {
  const { connectors } = named(table());
  const linked = linkedProjects(table());
  return {
    clock: systemClock,
    connectors: {
      get: async (workspace_id, id) => (await connectors.find({ workspace_id, id }))?.record ?? null,
      list: connectors.list,
    },
    linkedProjects: {
      has: async (workspace_id, project_id) => (await linked.find({ workspace_id, project_id })) !== null,
    },
    acceptances: scopeAcceptances(table()),
    known: acceptanceReader(table()),
    deliveries: storedDeliveries(),
    providers: providerStore(table()),
    activity: activityLog(table()),
    payloads: { put: putPayload(rawBucket()) },
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
