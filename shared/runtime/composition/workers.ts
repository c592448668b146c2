import { setTimeout as delay } from 'node:timers/promises';
import { coalesced } from '../../adapters/coalesced.ts';
import { announcementStore } from '../../adapters/dynamodb/announcements.ts';
import { backlogReader } from '../../adapters/dynamodb/backlog-reader.ts';
import { checkStore } from '../../adapters/dynamodb/checks.ts';
import { connectorSummaries } from '../../adapters/dynamodb/connector-summaries.ts';
import { batchedDeliveries } from '../../adapters/dynamodb/deliveries.ts';
import { dueDeliveries } from '../../adapters/dynamodb/due-deliveries.ts';
import { gapStore } from '../../adapters/dynamodb/gaps.ts';
import { pageReader } from '../../adapters/dynamodb/graph/reader.ts';
import { graphRecords, namesReader } from '../../adapters/dynamodb/graph-records.ts';
import { activityLog } from '../../adapters/dynamodb/provider-activity.ts';
import { providerStore } from '../../adapters/dynamodb/providers.ts';
import { recountStore } from '../../adapters/dynamodb/recounts.ts';
import { registry } from '../../adapters/dynamodb/registry.ts';
import { saidNames, usedNames } from '../../adapters/dynamodb/said-names.ts';
import { smallPayloadQueue } from '../../adapters/dynamodb/small-payloads.ts';
import { snapshotLog } from '../../adapters/dynamodb/snapshot-log.ts';
import { sweepCheckpoints } from '../../adapters/dynamodb/sweep-checkpoints.ts';
import { graphReaders } from '../../adapters/graph-readers.ts';
import { graphWriters } from '../../adapters/graph-writers.ts';
import { payloadReader } from '../../adapters/payloads.ts';
import { payloadArchives } from '../../adapters/s3/payload-archives.ts';
import { touchedNotes } from '../../domain/agent-context/note-touched.ts';
import { sendTouchedChecks } from '../../domain/checks/touched-checks.ts';
import { readWriteLock } from '../../domain/concurrency/read-write-lock.ts';
import { nothingForgotten } from '../../domain/graph/forgotten.ts';
import { ofGeneration } from '../../domain/naming/generation.ts';
import { announcingDeliveries, announcingGaps } from '../../domain/notifications/announce.ts';
import type { RecountPorts } from '../../domain/operations/recount/recount-step.ts';
import type { WorkerPorts } from '../../domain/projection/project-delivery.ts';
import { normalizerVersion } from '../../domain/sources/normalizer.ts';
import { systemClock } from '../../domain/time/clock.ts';
import {
  onAttemptFailed,
  onChecksSendFailed,
  onRecountSendFailed,
  onSendFailed,
  onSummaryFailed,
} from '../report-failures.ts';
import { onProjected } from '../report-projected.ts';
import { announcingWritten, keptDeliveries, projections, rawBucket, settings } from './stores.ts';
import { table } from './tables.ts';

/** Deliveries that were begun together end a few milliseconds apart: what each then asks for is read once. */
const forOthersToEnd = () => delay(10);

export function projectorPorts(): WorkerPorts {
  const counting = { ...graphReaders(table(), rawBucket()), summaries: connectorSummaries(table()) };
  const noteTouched = touchedNotes();
  const checking = { checks: { list: coalesced(checkStore(table()).list, forOthersToEnd) }, queue: projections() };
  return {
    ...graphWriters(table(), rawBucket()),
    clock: systemClock,
    deliveries: announcingDeliveries({ ...keptDeliveries(), ...batchedDeliveries(table()) }, announcingWritten()),
    payloads: payloadReader(table(), rawBucket()),
    activity: activityLog(table()),
    snapshots: snapshotLog(table()),
    queue: projections(),
    namesOf: coalesced(namesReader(registry(table()))),
    graphs: { find: coalesced(graphRecords(table(), registry(table())).find, forOthersToEnd) },
    said: saidNames(table()),
    pause: delay,
    lock: readWriteLock(),
    onProjected,
    onAttemptFailed,
    onTouched: async (delivery, touched, generation) => {
      await noteTouched(
        // A summary forgets no relation (G-AGENT-4).
        { ...ofGeneration(counting, generation), forgotten: nothingForgotten },
        { workspace: delivery.workspace_id, generation },
        touched,
        systemClock.now().toISOString(),
      ).catch(onSummaryFailed);
      await sendTouchedChecks(checking, delivery, touched.nodes).catch(onChecksSendFailed);
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
  const { claims, details, derivations, scopes } = graphWriters(table(), rawBucket());
  const { workspaces } = registry(table());
  const announce = announcingWritten();
  return {
    claims,
    details,
    derivations,
    scopes,
    pages: pageReader(table()),
    due: dueDeliveries(table()),
    deliveries: announcingDeliveries(keptDeliveries(), announce),
    announcements: announcementStore(table()),
    announce,
    activity: activityLog(table()),
    queue: projections(),
    recounts: recountStore(table()),
    workspaces: workspaces.all,
    small: smallPayloadQueue(table()),
    archives: payloadArchives(rawBucket()),
    namesOf: namesReader(registry(table())),
    usedNames: usedNames(table()),
    graphs: graphRecords(table(), registry(table())),
    providers: providerStore(table()),
    backlog: backlogReader(table()),
    gaps: announcingGaps(gapStore(table()), announce),
    snapshots: snapshotLog(table()),
    checks: checkStore(table()),
    places: sweepCheckpoints(table()),
    normalizerVersion,
    onSendFailed,
    onRecountSendFailed,
  };
}
