import { s3, sqs } from '../../adapters/aws.ts';
import { namesReader } from '../../adapters/dynamodb/graph-records.ts';
import { policiesOf } from '../../adapters/dynamodb/policies.ts';
import { registry } from '../../adapters/dynamodb/registry.ts';
import type { Table } from '../../adapters/dynamodb/table.ts';
import type { Bucket } from '../../adapters/s3/bucket.ts';
import { projectionQueue } from '../../adapters/sqs/projection.ts';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { environment } from '../environment.ts';

// The stores that a function's environment names. Each asks for its own name alone: a missing one fails the start of
// the functions that use it. What a function does not use is left out of its bundle.

export const rawBucket = (): Bucket => ({ client: s3(), name: environment('RAW_BUCKET').RAW_BUCKET });

export const projections = () => {
  const { PROJECTION_QUEUE_URL } = environment('PROJECTION_QUEUE_URL');
  return projectionQueue({ client: sqs(), url: PROJECTION_QUEUE_URL });
};

/** What is known of the graph beside what is in it. */
export const settings = (from: Table) => ({
  namesOf: namesReader(registry(from)),
  connectorsOf: (workspace: WorkspaceId) => registry(from).connectors.list(workspace),
  policiesOf: (workspace: WorkspaceId, connectors: readonly ConnectorId[]) => policiesOf(from, workspace, connectors),
});
