import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { dynamodb, s3, sqs } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { backlogReader, dueDeliveries } from '../../shared/adapters/dynamodb/due-deliveries.ts';
import { knownReader, scopeAcceptances } from '../../shared/adapters/dynamodb/intake.ts';
import { activityLog } from '../../shared/adapters/dynamodb/provider-activity.ts';
import { providerStore } from '../../shared/adapters/dynamodb/providers.ts';
import type { Meter } from '../../shared/adapters/dynamodb/table.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { type Connector, connectorDefaults } from '../../shared/domain/lineage/connector.ts';

const connectorIds = ['warehouse', 'lake'] as ConnectorId[];
const queueUrl = () => process.env['PROJECTION_QUEUE_URL'] ?? '';

/** The stores of intake and of its workers, as a fresh process would make them, and a clock that tests set. */
export function intakePorts(meter?: Meter) {
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const clock = { at: new Date(), now: () => clock.at };
  const deliveries = deliveryStore(table, meter);
  const known = knownReader(table, meter);
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
    due: dueDeliveries(table),
    providers: providerStore(table),
    activity: activityLog(table, meter),
    backlog: backlogReader(table),
    payloads: payloadStore({ client: s3(), bucket: process.env['RAW_BUCKET'] ?? '' }),
    queue: projectionQueue({ client: sqs(), url: queueUrl() }),
    sendFailed: () => undefined,
  };
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

/** Takes every message that is visible now from the projection queue. */
export async function drainQueue(): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl(), MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return bodies;
    for (const { Body, ReceiptHandle } of Messages) {
      bodies.push(JSON.parse(Body ?? ''));
      await sqs().send(new DeleteMessageCommand({ QueueUrl: queueUrl(), ReceiptHandle }));
    }
  }
}
