import { dynamodb, sqs } from '../../shared/adapters/aws.ts';
import { policyStore } from '../../shared/adapters/dynamodb/policies.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import { connectorFinder } from '../../shared/domain/access/find-connector.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { logger } from '../../shared/runtime/logger.ts';
import { metricNames, metrics } from '../../shared/runtime/metrics.ts';
import type { PolicyPorts } from './policy.ts';

/** What policies work with in a deployed function. */
export function policyPorts(): PolicyPorts {
  const { TABLE_NAME, PROJECTION_QUEUE_URL } = environment('TABLE_NAME', 'PROJECTION_QUEUE_URL');
  const table = { client: dynamodb(), name: TABLE_NAME };
  return {
    policies: policyStore(table),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    connector: connectorFinder(registry(table)),
    recountUnsent: ({ workspace_id, connector_id, revision }, error) => {
      metrics.addMetric(metricNames.sendFailed, 'Count', 1);
      const name = error instanceof Error ? error.name : 'unknown';
      logger.warn('recount not sent; the sweep will', { workspace_id, connector_id, revision, error: name });
    },
  };
}
