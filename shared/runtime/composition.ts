import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dynamodb, s3, sqs } from '../adapters/aws.ts';
import { batchedNames } from '../adapters/batched-names.ts';
import { accessReader } from '../adapters/dynamodb/access-reader.ts';
import { batchGet } from '../adapters/dynamodb/batch-get.ts';
import { checkStore } from '../adapters/dynamodb/checks.ts';
import { connectorSummaries } from '../adapters/dynamodb/connector-summaries.ts';
import { batchedDeliveries, deliveryStore } from '../adapters/dynamodb/deliveries.ts';
import { backlogReader, dueDeliveries } from '../adapters/dynamodb/due-deliveries.ts';
import { eventCountReader } from '../adapters/dynamodb/event-counts.ts';
import { gapStore } from '../adapters/dynamodb/gaps.ts';
import { pageReader } from '../adapters/dynamodb/graph/reader.ts';
import { graphRecords, namesReader } from '../adapters/dynamodb/graph-records.ts';
import { heldDeliveries } from '../adapters/dynamodb/held-deliveries.ts';
import { acceptanceReader, scopeAcceptances } from '../adapters/dynamodb/ingest.ts';
import { healthKey } from '../adapters/dynamodb/keys/registry-keys.ts';
import { metered, metering } from '../adapters/dynamodb/metered.ts';
import { nameIndex } from '../adapters/dynamodb/name-index.ts';
import { policiesOf, policyStore } from '../adapters/dynamodb/policies.ts';
import { activityLog } from '../adapters/dynamodb/provider-activity.ts';
import { providerStore } from '../adapters/dynamodb/providers.ts';
import { recountStore } from '../adapters/dynamodb/recounts.ts';
import { registry } from '../adapters/dynamodb/registry.ts';
import { newKnownRelations, relationDirectory } from '../adapters/dynamodb/relation-directory.ts';
import { saidNames } from '../adapters/dynamodb/said-names.ts';
import { signingSecret } from '../adapters/dynamodb/signing-secret.ts';
import { snapshotLog } from '../adapters/dynamodb/snapshot-log.ts';
import { sweepCheckpoints } from '../adapters/dynamodb/sweep-checkpoints.ts';
import type { Table } from '../adapters/dynamodb/table.ts';
import { uploadStore } from '../adapters/dynamodb/uploads.ts';
import { graphReaders } from '../adapters/graph-readers.ts';
import { graphWriters } from '../adapters/graph-writers.ts';
import { oidcSessions } from '../adapters/oidc-sessions.ts';
import { type Bucket, getObject } from '../adapters/s3/bucket.ts';
import { payloadStore } from '../adapters/s3/raw.ts';
import { uploadPlace } from '../adapters/s3/uploads.ts';
import { loadSqlParser } from '../adapters/sql-parser.ts';
import { projectionQueue } from '../adapters/sqs/projection.ts';
import type { ConnectorId, WorkspaceId } from '../contract/ids.ts';
import { connectorFinder } from '../domain/access/find-connector.ts';
import { noteTouched } from '../domain/agent-context/note-touched.ts';
import { sendTouchedChecks } from '../domain/checks/touched-checks.ts';
import { readWriteLock } from '../domain/concurrency/read-write-lock.ts';
import type { DeclaredIntakePorts } from '../domain/ingest/ports.ts';
import { ofGeneration } from '../domain/naming/generation.ts';
import type { StoreCheck } from '../domain/operations/health.ts';
import type { RecountPorts } from '../domain/operations/recount/recount-step.ts';
import type { WorkerPorts } from '../domain/projection/project-delivery.ts';
import { normalizerVersion } from '../domain/sources/normalizer.ts';
import { systemClock } from '../domain/time/clock.ts';
import { environment } from './environment.ts';
import type { HttpPorts } from './http-ports.ts';
import { rateGuard } from './rate-guard.ts';
import {
  onAttemptFailed,
  onChecksSendFailed,
  onRecountSendFailed,
  onSendFailed,
  onSummaryFailed,
} from './report-failures.ts';
import { eventTable, table } from './tables.ts';

// Which adapters each deployed function works with. A function asks its environment for the stores that it uses and
// for no other: a missing name fails its start. What a function does not use is left out of its bundle.

export const rawBucket = (): Bucket => ({ client: s3(), name: environment('RAW_BUCKET').RAW_BUCKET });
export const projections = () => {
  const { PROJECTION_QUEUE_URL } = environment('PROJECTION_QUEUE_URL');
  return projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL });
};

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

/** What is known of the graph beside what is in it. */
export const settings = (from: Table) => ({
  namesOf: namesReader(registry(from)),
  connectorsOf: (workspace: WorkspaceId) => registry(from).connectors.list(workspace),
  policiesOf: (workspace: WorkspaceId, connectors: readonly ConnectorId[]) => policiesOf(from, workspace, connectors),
});

export function queriesPorts() {
  const read = { ...table(), client: metered(dynamodb()) };
  return {
    ...graphReaders(read, rawBucket()),
    ...settings(read),
    directory: relationDirectory(read, newKnownRelations()),
    names: nameIndex(read),
    deliveries: deliveryStore(read),
    payloads: payloadStore(rawBucket()),
    queue: projections(),
    connector: connectorFinder(registry(read)),
    providers: providerStore(read),
    backlog: backlogReader(read),
    gaps: gapStore(read),
    metering,
    onSendFailed,
  };
}

export function diffPorts() {
  const read = { ...table(), client: metered(dynamodb()) };
  return {
    ...graphReaders(read, rawBucket()),
    ...settings(read),
    directory: relationDirectory(read, newKnownRelations()),
    deliveries: deliveryStore(read),
    payloads: payloadStore(rawBucket()),
    sqlParser: loadSqlParser,
    metering,
  };
}

export const exportPorts = () => ({
  ...graphReaders(table(), rawBucket()),
  ...settings(table()),
  deliveries: deliveryStore(table()),
  payloads: payloadStore(rawBucket()),
  signingSecret: signingSecret(table()),
});

export const policyPorts = () => ({
  policies: policyStore(table()),
  queue: projections(),
  connector: connectorFinder(registry(table())),
  onRecountSendFailed,
});

export const accessPorts = () => ({
  registry: registry(table()),
  clock: systemClock,
  randomBytes,
  membership: accessReader(table()).membership,
  providers: providerStore(table()),
  policiesOf: settings(table()).policiesOf,
  deliveries: heldDeliveries(table()),
  checks: checkStore(table()),
  eventCounts: eventCountReader(eventTable()),
});

/** Reads of the stores cost, and anybody may ask for the health: it looks at them where the deployment wants it. */
export function systemPorts(): { readonly checks: readonly StoreCheck[] } {
  const [from, bucket] = [table(), rawBucket()];
  if (!environment('HEALTH_STORES').HEALTH_STORES) return { checks: [] };
  return {
    checks: [
      { name: 'table', read: () => batchGet(from, [healthKey]) },
      { name: 'objects', read: () => getObject(bucket, 'health') },
    ],
  };
}

export function projectorPorts(): WorkerPorts {
  const counting = { ...graphReaders(table(), rawBucket()), summaries: connectorSummaries(table()) };
  const checking = { checks: checkStore(table()), queue: projections() };
  return {
    ...graphWriters(table(), rawBucket()),
    clock: systemClock,
    deliveries: { ...deliveryStore(table()), ...batchedDeliveries(table()) },
    payloads: payloadStore(rawBucket()),
    activity: activityLog(table()),
    snapshots: snapshotLog(table()),
    queue: projections(),
    namesOf: batchedNames(namesReader(registry(table()))),
    graphs: graphRecords(table(), registry(table())),
    said: saidNames(table()),
    pause: delay,
    lock: readWriteLock(),
    onAttemptFailed,
    onTouched: async (delivery, touched, generation) => {
      await noteTouched(
        ofGeneration(counting, generation),
        delivery.workspace_id,
        [...touched.keys()],
        systemClock.now().toISOString(),
      ).catch(onSummaryFailed);
      await sendTouchedChecks(checking, delivery, touched).catch(onChecksSendFailed);
    },
  };
}

export function recountPorts(): RecountPorts {
  const { namesOf, policiesOf } = settings(table());
  return {
    ...graphReaders(table(), rawBucket()),
    clock: systemClock,
    recounts: recountStore(table()),
    queue: projections(),
    namesOf,
    policiesOf,
  };
}

export function sweepPorts() {
  const { claims, details, scopes } = graphWriters(table(), rawBucket());
  const { workspaces } = registry(table());
  return {
    claims,
    details,
    scopes,
    pages: pageReader(table()),
    due: dueDeliveries(table()),
    deliveries: deliveryStore(table()),
    activity: activityLog(table()),
    queue: projections(),
    recounts: recountStore(table()),
    workspaces: workspaces.all,
    namesOf: namesReader(registry(table())),
    graphs: graphRecords(table(), registry(table())),
    providers: providerStore(table()),
    backlog: backlogReader(table()),
    gaps: gapStore(table()),
    snapshots: snapshotLog(table()),
    checks: checkStore(table()),
    places: sweepCheckpoints(table()),
    normalizerVersion,
    onSendFailed,
    onRecountSendFailed,
  };
}
