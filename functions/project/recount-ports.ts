import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/policies.ts';
import { recountStore } from '../../shared/adapters/dynamodb/recounts.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { graphReaders } from '../../shared/adapters/graph-readers.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { RecountPorts } from '../../shared/domain/policy/recount-step.ts';
import { environment } from '../../shared/runtime/environment.ts';

/** What recounts work with in a deployed function. */
export function recountPorts(): RecountPorts {
  const { TABLE_NAME, RAW_BUCKET, PROJECTION_QUEUE_URL } = environment(
    'TABLE_NAME',
    'RAW_BUCKET',
    'PROJECTION_QUEUE_URL',
  );
  const table = { client: dynamodb(), name: TABLE_NAME };
  return {
    ...graphReaders(table, { client: s3(), name: RAW_BUCKET }),
    recounts: recountStore(table),
    queue: projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL }),
    connectors: (workspace) => registry(table).connectors.list(workspace),
    policiesOf: (workspace, connectors) => policiesOf(table, workspace, connectors),
    time: { now: () => new Date() },
  };
}
