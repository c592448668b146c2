import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { connectorsTogether } from '../../shared/adapters/connectors-together.ts';
import { deliveriesTogether, deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { activityLog } from '../../shared/adapters/dynamodb/provider-activity.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { snapshotLog } from '../../shared/adapters/dynamodb/snapshot-log.ts';
import { graphWriters } from '../../shared/adapters/graph-writers.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { WorkerPorts } from '../../shared/domain/projection/project-delivery.ts';
import { describeError } from '../../shared/runtime/describe-error.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { logger } from '../../shared/runtime/logger.ts';
import { metricNames, metrics } from '../../shared/runtime/metrics.ts';

/** What the projection works with in a deployed function. */
export function workerPorts(): WorkerPorts {
  const { TABLE_NAME, RAW_BUCKET, PROJECTION_QUEUE_URL } = environment(
    'TABLE_NAME',
    'RAW_BUCKET',
    'PROJECTION_QUEUE_URL',
  );
  const table = { client: dynamodb(), name: TABLE_NAME };
  const bucket = { client: s3(), name: RAW_BUCKET };
  return {
    ...graphWriters(table, bucket),
    time: { now: () => new Date() },
    deliveries: { ...deliveryStore(table), ...deliveriesTogether(table) },
    payloads: payloadStore({ client: bucket.client, bucket: bucket.name }),
    activity: activityLog(table),
    snapshots: snapshotLog(table),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    connectors: connectorsTogether(registry(table).connectors.list),
    attemptBroke: ({ workspace_id, delivery_id, attempts }, error) => {
      metrics.addMetric(metricNames.attemptBroke, 'Count', 1);
      logger.error('attempt broke', { workspace_id, delivery_id, attempts, error: describeError(error) });
    },
  };
}
