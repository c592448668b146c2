import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, expect, it } from 'vitest';
import { dynamodb, sqs } from '../../shared/adapters/aws.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { type Delivery, dueAfterSend } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { resendDue } from '../../shared/domain/operations/sweep/resend-due.ts';
import { drainQueue, intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { anyDelivery } from '../support/new-deliveries.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let ports: TestPorts;
let backlog: readonly Delivery[];
const backlogSize = 300;
const soon = () => new Date(ports.clock.at.getTime() + 61_000);

/** Receipts of three workspaces whose messages were never sent. */
beforeEach(async () => {
  ports = intakePorts();
  const workspaces = Array.from({ length: 3 }, () => `w-${randomUUID()}` as WorkspaceId);
  const waiting = Array.from({ length: backlogSize }, (_, n) => {
    const workspace = workspaces[n % 3];
    if (workspace === undefined) throw new Error('no workspace');
    return anyDelivery(workspace, n % 5 === 0 ? 'dbt_manifest' : 'openlineage_event', ports.clock.at);
  });
  await inParallel(64, waiting, (delivery) => ports.deliveries.open(delivery, dueAfterSend(ports.clock.at)));
  backlog = waiting;
});

const sentIds = async () =>
  (await drainQueue()).map((message) => (message as { delivery_id: string }).delivery_id).sort();
const ids = () => backlog.map(({ delivery_id }) => delivery_id).sort();

it('sends all that is due in one sweep, ten a request, each to its queue and once', async () => {
  const requests: Record<string, number> = {};
  for (const { middlewareStack } of [sqs(), dynamodb()] as readonly Pick<
    SQSClient & DynamoDBClient,
    'middlewareStack'
  >[])
    middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          const name = commandName.replace(/Command$/, '');
          requests[name] = (requests[name] ?? 0) + 1;
          return next(args);
        },
      { step: 'initialize' },
    );
  expect(await resendDue(ports, soon())).toEqual({ resent: backlogSize, failed: 0, unsent: 0, cutShort: 0 });
  // Pages of 24 lists end in messages that fill no request, of either queue.
  expect(requests['SendMessageBatch']).toBeLessThan(backlogSize / 10 + 2 * 24 * 2);
  expect(requests['SendMessage']).toBeUndefined();
  expect(requests['UpdateItem']).toBe(backlogSize);
  expect(await sentIds()).toEqual(ids());
  expect(await resendDue(ports, soon())).toMatchObject({ resent: 0, cutShort: 0 });
});

it('ends when its time is up, says so, and leaves the rest to the sweeps after it', async () => {
  const sweeps: number[] = [];
  const resent = () => sweeps.reduce((sum, one) => sum + one, 0);
  while (resent() < backlogSize) {
    let checks = 0;
    const summary = await resendDue(ports, soon(), () => ++checks > 12);
    expect(summary.cutShort).toBe(1);
    sweeps.push(summary.resent);
  }
  expect(sweeps.length).toBeGreaterThan(1);
  expect(resent()).toBe(backlogSize);
  expect(await sentIds()).toEqual(ids());
});

it('shares a backlog with sweeps at the same time: each delivery is sent once', async () => {
  const sweeps = await Promise.all([ports, intakePorts(), intakePorts()].map((one) => resendDue(one, soon())));
  expect(sweeps.reduce((sum, { resent }) => sum + resent, 0)).toBe(backlogSize);
  expect(await sentIds()).toEqual(ids());
});
