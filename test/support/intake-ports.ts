import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { backlogReader } from '../../shared/adapters/dynamodb/deliveries/backlog-reader.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { dueDeliveries } from '../../shared/adapters/dynamodb/deliveries/due-deliveries.ts';
import { acceptanceReader, scopeAcceptances } from '../../shared/adapters/dynamodb/deliveries/listed-deliveries.ts';
import { activityLog, providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { payloadReader } from '../../shared/adapters/payloads.ts';
import { putPayload } from '../../shared/adapters/s3/raw.ts';
import { projectionQueues } from '../../shared/adapters/sqs/projection.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { type Connector, connectorDefaults } from '../../shared/domain/lineage/names/connector.ts';

const connectorIds = ['warehouse', 'lake'] as ConnectorId[];
const queueUrls = () => ({
  projection: process.env['PROJECTION_QUEUE_URL'] ?? '',
  documents: process.env['DOCUMENTS_QUEUE_URL'] ?? '',
  notifications: process.env['NOTIFICATIONS_QUEUE_URL'] ?? '',
});

/** The stores of intake and of its workers, as a fresh process would make them, and a clock that tests set. */
export function intakePorts(client = dynamodb()) {
  const table = { client, name: process.env['TABLE_NAME'] ?? '' };
  const bucket = { client: s3(), name: process.env['RAW_BUCKET'] ?? '' };
  const clock = { at: new Date(), now: () => clock.at };
  const deliveries = deliveryStore(table);
  const known = acceptanceReader(table);
  return {
    clock,
    connectors: {
      get: async (workspace: WorkspaceId, id: ConnectorId) =>
        connectorIds.includes(id) ? connector(workspace, id) : null,
      list: async (workspace: WorkspaceId) => connectorIds.map((id) => connector(workspace, id)),
    },
    linkedProjects: { has: async (_: WorkspaceId, project: string) => project === 'linked' },
    acceptances: scopeAcceptances(table),
    known: async (workspace: WorkspaceId, ids: Parameters<typeof known>[1]) => ({
      ...(await known(workspace, ids)),
      connector: ids.connector && connectorIds.includes(ids.connector) ? connector(workspace, ids.connector) : null,
    }),
    deliveries,
    // Tests make workspaces up: those with deliveries are looked for, and not those of the registry.
    due: dueDeliveries(table, () => workspacesWithDeliveries(table)),
    providers: providerStore(table),
    activity: activityLog(table),
    backlog: backlogReader(table),
    payloads: { put: putPayload(bucket), ...payloadReader(table, bucket) },
    queue: projectionQueues({ client: sqs(), urls: queueUrls() }),
    onSendFailed: () => undefined,
  };
}

async function workspacesWithDeliveries(table: Table): Promise<{ id: WorkspaceId }[]> {
  const { Items = [] } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      FilterExpression: 'attribute_exists(received_at)',
      ProjectionExpression: 'workspace_id',
    }),
  );
  const ids = new Set(Items.flatMap((item) => item['workspace_id']?.S ?? []));
  return [...ids].map((id) => ({ id: id as WorkspaceId }));
}

export type TestPorts = ReturnType<typeof intakePorts>;

const connector = (workspace: WorkspaceId, id: ConnectorId): Connector => ({
  ...connectorDefaults,
  id,
  workspace_id: workspace,
  kind: 'postgres',
  name: id,
  namespaces: [],
  datahub_platform_instances: [],
});

/** Takes every message that is visible now from the queues of the projection, or one of them. */
export async function drainQueue(
  names: readonly (keyof ReturnType<typeof queueUrls>)[] = ['projection', 'documents'],
): Promise<unknown[]> {
  const drained = await Promise.all(names.map((name) => drain(queueUrls()[name])));
  return drained.flat();
}

async function drain(queueUrl: string): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return bodies;
    for (const { Body, ReceiptHandle } of Messages) {
      bodies.push(JSON.parse(Body ?? ''));
      await sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
}
