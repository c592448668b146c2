import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { backlogReader } from '../../adapters/dynamodb/deliveries/backlog-reader.ts';
import { batchedDeliveries } from '../../adapters/dynamodb/deliveries/deliveries.ts';
import { dueDeliveries } from '../../adapters/dynamodb/deliveries/due-deliveries.ts';
import { lastTouched } from '../../adapters/dynamodb/deliveries/evidence-mark.ts';
import { gapStore } from '../../adapters/dynamodb/deliveries/gaps.ts';
import { graphHistory } from '../../adapters/dynamodb/deliveries/graph-changes.ts';
import { snapshotLog } from '../../adapters/dynamodb/deliveries/listed-deliveries.ts';
import { activityLog, providerStore } from '../../adapters/dynamodb/deliveries/providers.ts';
import { smallPayloadQueue } from '../../adapters/dynamodb/deliveries/small-payloads.ts';
import { sweepCheckpoints } from '../../adapters/dynamodb/deliveries/unscheduled-deliveries.ts';
import { shapeReader } from '../../adapters/dynamodb/events/event-shapes.ts';
import { pageReader } from '../../adapters/dynamodb/graph/reader.ts';
import { graphRecords, namesReader } from '../../adapters/dynamodb/graph/scopes/scope-ends.ts';
import { unfinishedRunReader } from '../../adapters/dynamodb/graph/unfinished-runs.ts';
import { indexedColumns } from '../../adapters/dynamodb/names/name-indexes.ts';
import { usedNameStore, usedNames } from '../../adapters/dynamodb/names/used-names.ts';
import { announcementStore } from '../../adapters/dynamodb/registry/announcements.ts';
import { checkStore } from '../../adapters/dynamodb/registry/checks.ts';
import { connectorSummaries } from '../../adapters/dynamodb/registry/connector-summaries.ts';
import { recountStore } from '../../adapters/dynamodb/registry/policies.ts';
import { registry } from '../../adapters/dynamodb/registry/registry.ts';
import { collecting } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { coalesced } from '../../adapters/dynamodb/requests/coalesced.ts';
import { graphReaders, graphRewriter, graphWriters } from '../../adapters/graph-stores.ts';
import { payloadReader } from '../../adapters/payloads.ts';
import { nameListWriter } from '../../adapters/s3/name-lists.ts';
import { payloadArchives } from '../../adapters/s3/payload-archives.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { sendTouchedChecks } from '../../domain/agents/checks/scope.ts';
import { touchedNotes } from '../../domain/agents/context/note-touched.ts';
import { readWriteLock } from '../../domain/base/concurrency.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import type { CollectionStatements } from '../../domain/events/shapes/state-collection.ts';
import { unfinishedRunsRead } from '../../domain/lineage/gaps/ports.ts';
import { surveyGraph } from '../../domain/lineage/gaps/survey-graph.ts';
import { openedGraph } from '../../domain/lineage/generations/graph-record.ts';
import { nothingForgotten } from '../../domain/lineage/graph/order.ts';
import type { WorkerPorts } from '../../domain/lineage/projection/project-content.ts';
import { normalizerVersion } from '../../domain/lineage/sources/normalizer.ts';
import { openGraph } from '../../domain/lineage/traversal/open-graph.ts';
import { announcingDeliveries, announcingGaps } from '../../domain/notifications/happenings.ts';
import type { RecountPorts } from '../../domain/operations/recount/recount-step.ts';
import type { RewritePorts } from '../../domain/operations/rewrite/rewrite-step.ts';
import { environment } from '../environment.ts';
import {
  onAttemptFailed,
  onChecksSendFailed,
  onProjected,
  onRecountSendFailed,
  onSendFailed,
  onSummaryFailed,
} from '../report-failures.ts';
import { checkPorts } from './agent.ts';
import { ingestPorts } from './intake.ts';
import {
  announcingWritten,
  eventTable,
  projections,
  rawBucket,
  returningMessages,
  settings,
  storedDeliveries,
  table,
} from './stores.ts';

/** Deliveries that were begun together end a few milliseconds apart: what each then asks for is read once. */
const forOthersToEnd = () => delay(10);

export function projectorPorts(): WorkerPorts {
  const [reader, summaries] = [graphReaders(table(), rawBucket()), connectorSummaries(table())];
  const noteTouched = touchedNotes();
  const checking = { checks: { list: coalesced(checkStore(table()).list, forOthersToEnd) }, queue: projections() };
  return {
    ...graphWriters(table(), rawBucket()),
    clock: systemClock,
    deliveries: announcingDeliveries(
      { ...storedDeliveries(), ...batchedDeliveries(table(), environment('RECEIPTS_DAYS')) },
      announcingWritten(),
    ),
    payloads: payloadReader(table(), rawBucket()),
    activity: activityLog(table()),
    snapshots: snapshotLog(table()),
    history: graphHistory(table()),
    queue: projections(),
    namesOf: coalesced(namesReader(registry(table()))),
    graphs: { find: coalesced(graphRecords(table(), registry(table())).find, forOthersToEnd) },
    usedNames: usedNameStore(table()),
    pause: delay,
    lock: readWriteLock(),
    onProjected,
    onAttemptFailed,
    onTouched: async (delivery, touched, generation) => {
      await noteTouched(
        // A summary forgets no relation (G-AGENT-4).
        { reader, summaries, context: openedGraph(delivery.workspace_id, { generation, forgotten: nothingForgotten }) },
        delivery.workspace_id,
        touched,
        systemClock.now().toISOString(),
      ).catch(onSummaryFailed);
      await sendTouchedChecks(checking, delivery, touched.nodes).catch(onChecksSendFailed);
    },
  };
}

export function recountPorts(): RecountPorts {
  const { namesOf, policiesOf } = settings();
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
  const { claims, derivations, scopes } = graphWriters(table(), rawBucket());
  const { workspaces } = registry(table());
  const announce = announcingWritten();
  return {
    claims,
    derivations,
    scopes,
    pages: pageReader(table()),
    touched: lastTouched(table()),
    indexedColumns: indexedColumns(table()),
    nameLists: { put: nameListWriter(rawBucket()) },
    due: dueDeliveries(table()),
    deliveries: announcingDeliveries(storedDeliveries(), announce),
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
    survey: async (workspace: WorkspaceId, now: Date) =>
      surveyGraph(await openGraph({ ...graphReaders(table(), rawBucket()), ...settings() }, workspace, now), workspace),
    unfinished: async (workspace: WorkspaceId) => {
      const { graph } = openedGraph(workspace, await namesReader(registry(table()))(workspace));
      return unfinishedRunReader(table()).list(graph, unfinishedRunsRead);
    },
    gaps: announcingGaps(gapStore(table()), announce),
    snapshots: snapshotLog(table()),
    checks: checkStore(table()),
    places: sweepCheckpoints(table()),
    normalizerVersion,
    onSendFailed,
    onRecountSendFailed,
  };
}

/** What a graph is made anew with. */
export const rewritePorts = (): RewritePorts => ({
  ...graphRewriter(table(), rawBucket()),
  queue: projections(),
  clock: systemClock,
});

/** What the events of collection projects have, stated as other documents are. */
export const collectionStatements = (): CollectionStatements => ({
  ...ingestPorts(),
  projects: collecting(table()).collectionProjects,
  shapes: { read: shapeReader(eventTable()) },
  newId: randomUUID,
});

/** Of both functions that work the queues of the projection. */
export const projectionWorkerPorts = () => ({
  ...projectorPorts(),
  recount: recountPorts(),
  check: checkPorts(),
  rewrite: rewritePorts(),
  collection: collectionStatements(),
  handBack: returningMessages(),
});
