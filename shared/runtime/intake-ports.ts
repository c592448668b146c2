import { dynamodb, s3, sqs } from '../adapters/aws.ts';
import { deliveryStore } from '../adapters/dynamodb/deliveries.ts';
import { knownReader, scopeAcceptances } from '../adapters/dynamodb/intake.ts';
import { activityLog } from '../adapters/dynamodb/provider-activity.ts';
import { providerStore } from '../adapters/dynamodb/providers.ts';
import { registry } from '../adapters/dynamodb/registry.ts';
import { payloadStore } from '../adapters/s3/raw.ts';
import { projectionQueue } from '../adapters/sqs/projection.ts';
import type { DeclaredPorts } from '../domain/intake/ports.ts';
import { environment } from './environment.ts';
import { logger } from './logger.ts';
import { metricNames, metrics } from './metrics.ts';

/** What acceptance works with in a deployed function. */
export function intakePorts(): DeclaredPorts {
  const { TABLE_NAME, RAW_BUCKET, PROJECTION_QUEUE_URL } = environment(
    'TABLE_NAME',
    'RAW_BUCKET',
    'PROJECTION_QUEUE_URL',
  );
  const table = { client: dynamodb(), name: TABLE_NAME };
  const { connectors, linkedProjects } = registry(table);
  return {
    clock: { now: () => new Date() },
    connectors: {
      get: async (workspace_id, id) => (await connectors.find({ workspace_id, id }))?.record ?? null,
      list: connectors.list,
    },
    linkedProjects: {
      has: async (workspace_id, project_id) => (await linkedProjects.find({ workspace_id, project_id })) !== null,
    },
    acceptances: scopeAcceptances(table),
    known: knownReader(table),
    deliveries: deliveryStore(table),
    providers: providerStore(table),
    activity: activityLog(table),
    payloads: payloadStore({ client: s3(), bucket: RAW_BUCKET }),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    sendFailed: ({ workspace_id, delivery_id }, error) => {
      metrics.addMetric(metricNames.sendFailed, 'Count', 1);
      const name = error instanceof Error ? error.name : 'unknown';
      logger.warn('message not sent; the sweep will', { workspace_id, delivery_id, error: name });
    },
  };
}
