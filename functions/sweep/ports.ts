import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { backlogReader, dueDeliveries } from '../../shared/adapters/dynamodb/due-deliveries.ts';
import { gapStore } from '../../shared/adapters/dynamodb/gaps.ts';
import { pageReader } from '../../shared/adapters/dynamodb/graph/page-reader.ts';
import { activityLog } from '../../shared/adapters/dynamodb/provider-activity.ts';
import { providerStore } from '../../shared/adapters/dynamodb/providers.ts';
import { recountStore } from '../../shared/adapters/dynamodb/recounts.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { snapshotLog } from '../../shared/adapters/dynamodb/snapshot-log.ts';
import { sweepPlaces } from '../../shared/adapters/dynamodb/sweep-places.ts';
import { graphWriters } from '../../shared/adapters/graph-writers.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { ScanPorts } from '../../shared/domain/gaps/scan-gaps.ts';
import type { SnapshotLog } from '../../shared/domain/gaps/snapshot-mark.ts';
import { normalizerVersion } from '../../shared/domain/lineage/normalizer.ts';
import type { RecountStore } from '../../shared/domain/policy/ports.ts';
import type { CollectPorts } from '../../shared/domain/sweep/collect-dead-orders.ts';
import type { ForgetPorts } from '../../shared/domain/sweep/forget-observations.ts';
import type { SweepPlaces } from '../../shared/domain/sweep/places.ts';
import type { SweepPorts as DuePorts } from '../../shared/domain/sweep/resend-due.ts';
import { environment } from '../../shared/runtime/environment.ts';

export type SweepPorts = Omit<DuePorts, 'queue'> &
  ScanPorts &
  CollectPorts &
  ForgetPorts & {
    readonly queue: ReturnType<typeof projectionQueue>;
    readonly recounts: RecountStore;
    readonly snapshots: SnapshotLog;
    readonly places: SweepPlaces;
  };

/** What the sweep works with in a deployed function. */
export function sweepPorts(): SweepPorts {
  const { TABLE_NAME, RAW_BUCKET, PROJECTION_QUEUE_URL } = environment(
    'TABLE_NAME',
    'RAW_BUCKET',
    'PROJECTION_QUEUE_URL',
  );
  const table = { client: dynamodb(), name: TABLE_NAME };
  const { claims, details, scopes } = graphWriters(table, { client: s3(), name: RAW_BUCKET });
  return {
    claims,
    details,
    scopes,
    due: dueDeliveries(table),
    deliveries: deliveryStore(table),
    activity: activityLog(table),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    recounts: recountStore(table),
    workspaces: () => registry(table).workspaces.all(),
    connectors: (workspace) => registry(table).connectors.list(workspace),
    pages: pageReader(table),
    providers: providerStore(table),
    backlog: backlogReader(table),
    gaps: gapStore(table),
    snapshots: snapshotLog(table),
    places: sweepPlaces(table),
    normalizerVersion,
  };
}
