import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeEach, expect, it, vi } from 'vitest';
import { sqs } from '../../shared/adapters/aws.ts';
import { redrive } from '../../shared/adapters/sqs/redrive.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { type ProjectionMessage, queueOf } from '../../shared/contract/messages.ts';
import { type DeliveryKind, declaredKinds, deliveryKinds } from '../../shared/contract/vocabulary.ts';
import { failDelivery } from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { messageOf, retryDelivery } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { openDelivery } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import { resendDue } from '../../shared/domain/operations/sweep/resend-due.ts';
import { drainQueue, intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { anyDelivery, noPayload } from '../support/new-deliveries.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let ports: TestPorts;
beforeEach(async () => {
  ports = intakePorts();
  await drainQueue();
});

const workspace = `w-${randomUUID()}` as WorkspaceId;
const queued = async () => ({
  projection: await drainQueue(['projection']),
  documents: await drainQueue(['documents']),
});
const only = (kind: DeliveryKind, message: unknown) =>
  declaredKinds.some((one) => one === kind)
    ? { projection: [], documents: [message] }
    : { projection: [message], documents: [] };

async function accepted(kind: DeliveryKind) {
  const delivery = anyDelivery(workspace, kind, ports.clock.at);
  await openDelivery(ports, delivery, noPayload, delivery.delivery_id);
  return delivery;
}

it.each(deliveryKinds)(
  'a delivery of %s goes to its own queue, when it is accepted, due, and tried again',
  async (kind) => {
    const delivery = await accepted(kind);
    const expected = only(kind, messageOf(delivery));
    expect(await queued()).toEqual(expected);
    const later = new Date(ports.clock.at.getTime() + 61_000);
    expect((await resendDue(ports, later)).resent).toBe(1);
    expect(await queued()).toEqual(expected);
    await failDelivery(ports, delivery, later);
    await retryDelivery(ports, { ...delivery, state: 'failed' }, later);
    expect(await queued()).toEqual(expected);
    await failDelivery(ports, delivery, later);
  },
);

it('work that rereads documents waits with them, work that reads only the graph does not', () => {
  const common = { version: 1, workspace_id: workspace } as const;
  const queues = [
    { ...common, kind: 'rewrite_names', changes: 1, step: 0 },
    { ...common, kind: 'recount_policy', connector_id: 'c1', revision: 1, step: 0 },
    { ...common, kind: 'evaluate_check', check_id: randomUUID(), caused_by: null, nodes: null },
    { ...common, kind: 'state_collection', project_id: 'p1', connector_id: null },
  ].map((message) => queueOf(message as ProjectionMessage));
  expect(queues).toEqual(['documents', 'projection', 'projection', 'projection']);
});

it('SQS itself moves dead letters of documents back to the documents', async () => {
  const { DOCUMENTS_QUEUE_URL: queueUrl, DOCUMENTS_DEAD_LETTER_QUEUE_URL: deadLetterQueueUrl } = stores.environment;
  await sqs().send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody: '{"version":1}' }));
  const send = vi.spyOn(sqs(), 'send');
  expect(await redrive(sqs(), { deadLetterQueueUrl, queueUrl })).toBe(1);
  const requests = send.mock.calls.map(([command]) => command.constructor.name);
  send.mockRestore();
  expect(requests).toEqual(['GetQueueAttributesCommand', 'GetQueueAttributesCommand', 'StartMessageMoveTaskCommand']);
  expect(await queued()).toEqual({ projection: [], documents: [{ version: 1 }] });
});
