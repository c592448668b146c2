import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import { batchedDeliveries } from '../../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { type Delivery, maxAttempts, placeOf } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import {
  abortAttempt,
  attemptModeOf,
  beginAttempt,
  type DeliveryOutcome,
  findOpen,
  finishDelivery,
} from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import {
  findDelivery,
  messageOf,
  releaseDelivery,
  retryDelivery,
  showDeliveries,
  showDelivery,
} from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { readPayload } from '../../shared/domain/lineage/ingest/deliveries/read-payload.ts';
import { resendDue } from '../../shared/domain/operations/sweep/resend-due.ts';
import { drainQueue, intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let ports: TestPorts;
let workspace: WorkspaceId;
beforeEach(async () => {
  workspace = `w-${randomUUID()}` as WorkspaceId;
  ports = intakePorts();
  await drainQueue();
});

/** Other tests' open deliveries come due as well. */
const sent = async () => (await drainQueue()).filter((message) => JSON.stringify(message).includes(workspace));
const at = (seconds: number) => new Date(ports.clock.at.getTime() + seconds * 1_000);
const found = async (id: string) => findDelivery(ports, workspace, id);
const shown = async (id: string) => showDelivery(ports, await found(id));

/** Accepts a batch of this many objects; each call is another delivery. */
async function accepted(items = 1, connectorId: string | null = 'warehouse'): Promise<Delivery> {
  const body = Array.from({ length: items }, () => ({ nonce: randomUUID() }));
  const receipt = await acceptOpenLineage(ports, {
    workspace,
    kind: 'openlineage_batch',
    connectorId,
    providerKey: null,
    idempotencyKey: null,
    payload: {
      bytes: new TextEncoder().encode(JSON.stringify(body)),
      contentType: 'application/json',
      contentEncoding: null,
    },
  });
  return found(receipt.delivery_id);
}

const processed = (extra: Partial<Extract<DeliveryOutcome, { kind: 'processed' }>> = {}): DeliveryOutcome => ({
  kind: 'processed',
  quarantined: [],
  unresolved: [],
  retractedEvidenceCount: 0,
  lastEventAt: null,
  warnings: [],
  ...extra,
});
const item = (index: number) => ({ index, code: 'invalid_event', message: '/eventTime must match format "date-time"' });

async function begin(delivery: Delivery, receiveCount = 1): Promise<Delivery | null> {
  const open = await findOpen(ports, messageOf(delivery));
  return open && beginAttempt(ports, open, { mode: attemptModeOf(open, receiveCount), now: at(0) });
}

async function start(delivery: Delivery, receiveCount = 1): Promise<Delivery> {
  const attempt = await begin(delivery, receiveCount);
  if (!attempt) throw new Error('nothing to work');
  return attempt;
}

describe('deliveries', () => {
  it('are read in one batch when they are requested together, also a repeated and an unknown id', async () => {
    const [first, second] = [await accepted(), await accepted()];
    const client = new DynamoDBClient();
    const units = countUnits(client);
    const deliveries = batchedDeliveries({ client, name: stores.environment.TABLE_NAME });
    const requested = [first.delivery_id, second.delivery_id, randomUUID() as DeliveryId, first.delivery_id];
    const answers = await Promise.all(requested.map((id) => deliveries.get(workspace, id)));
    expect(answers).toEqual([first, second, null, first]);
    expect(units().requests).toBe(1);
    expect(await deliveries.get(`w-${randomUUID()}` as WorkspaceId, first.delivery_id)).toBeNull();
  });

  it('end in one request when they end at once, each once, also one that was resent meanwhile', async () => {
    const [first, second, ended, resent] = [await accepted(), await accepted(), await accepted(), await accepted()];
    await finishDelivery(ports, ended, processed(), at(1));
    await ports.due.schedule([placeOf(resent)], at(60).toISOString());
    const client = new DynamoDBClient();
    const units = countUnits(client);
    const { finish } = batchedDeliveries({ client, name: stores.environment.TABLE_NAME });
    const together = { ...ports, deliveries: { finish } };
    const finished = [first, second, ended, resent].map((delivery) =>
      finishDelivery(together, delivery, processed({ retractedEvidenceCount: 3 }), at(2)),
    );
    expect(await Promise.all(finished)).toEqual([true, true, false, true]);
    // One for all of them, and one for each that the first does not end.
    expect(units().requests).toBe(3);
    for (const delivery of [first, second, resent])
      expect(await shown(delivery.delivery_id)).toMatchObject({ state: 'projected', retracted_evidence_count: 3 });
    expect(await shown(ended.delivery_id)).toMatchObject({ retracted_evidence_count: 0 });
    await drainQueue();
    await resendDue(ports, at(3_600));
    expect(await sent()).toEqual([]);
  });
});

describe('attempts', () => {
  it('go from accepted over processing to projected, and are over then (C-DELIVERY-3)', async () => {
    const delivery = await accepted(2);
    const attempt = await start(delivery);
    expect(await shown(delivery.delivery_id)).toMatchObject({ state: 'processing', attempts: 1, completed_at: null });
    expect(await readPayload(ports, attempt)).toMatchObject({ kind: 'read', body: [{}, {}] });
    expect(await finishDelivery(ports, attempt, processed({ retractedEvidenceCount: 3 }), at(1))).toBe(true);
    expect(await shown(delivery.delivery_id)).toMatchObject({
      state: 'projected',
      attempts: 1,
      completed_at: at(1).toISOString(),
      item_count: 2,
      invalid_item_count: 0,
      projected_item_count: 2,
      retracted_evidence_count: 3,
    });
    expect(await begin(delivery, 2)).toBeNull();
    expect(await finishDelivery(ports, attempt, processed(), at(2))).toBe(false);
  });

  it('are partially_projected if some items were quarantined, and quarantined if all were (C-DELIVERY-3)', async () => {
    const [some, all] = [await accepted(3), await accepted(1)];
    const unresolved = [{ reason: 'non_sql_model', count: 2, assets: ['model.a.x'], assets_left_out: 1 }];
    await finishDelivery(ports, some, processed({ quarantined: [item(1)], unresolved }), at(1));
    await finishDelivery(ports, all, processed({ quarantined: [item(0)] }), at(1));
    expect(await shown(some.delivery_id)).toMatchObject({
      state: 'partially_projected',
      invalid_item_count: 1,
      projected_item_count: 2,
      quarantined: [item(1)],
      unresolved: [{ ...unresolved[0], resolved: false, advice: expect.stringContaining('Python') }],
    });
    expect(await shown(all.delivery_id)).toMatchObject({ state: 'quarantined', projected_item_count: 0 });
  });

  it('keep a thousand quarantined items, and the receipt small (C-DELIVERY-10)', async () => {
    const delivery = await accepted(1_000);
    const quarantined = Array.from({ length: 1_000 }, (_, index) => ({
      ...item(index),
      message: randomUUID().repeat(5),
    }));
    await finishDelivery(ports, delivery, processed({ quarantined }), at(1));
    expect((await shown(delivery.delivery_id)).quarantined).toEqual(quarantined);
    const client = new DynamoDBClient();
    const units = countUnits(client);
    await intakePorts(client).deliveries.get(workspace, delivery.delivery_id);
    expect(units().read_units).toBeLessThanOrEqual(1);
  });

  it('fail after the last, and a retry begins anew (C-DELIVERY-5, C-DELIVERY-7, C-DELIVERY-11)', async () => {
    const failure = { code: 'store_failed', message: 'A store failed.' };
    const delivery = await accepted();
    for (let n = 1; n < maxAttempts; n++) {
      expect(await abortAttempt(ports, await start(delivery), { failure, now: at(0) })).toBe('again');
    }
    expect(await abortAttempt(ports, await start(delivery), { failure, now: at(0) })).toBe('failed');
    const failed = await shown(delivery.delivery_id);
    expect(failed).toMatchObject({ state: 'failed', attempts: maxAttempts, failure });
    const page = { state: 'failed', connectorId: null, limit: 10, cursor: null } as const;
    expect((await showDeliveries(ports, workspace, page)).items).toEqual([failed]);
    expect(failed.warnings).toMatchObject([failure, { code: 'attempts_used_up' }]);
    await drainQueue();
    const repeated = await retryDelivery(ports, await found(delivery.delivery_id), at(5));
    expect(repeated).toMatchObject({ state: 'accepted', attempts: 0, completed_at: null, warnings: [] });
    expect(await sent()).toEqual([messageOf(delivery)]);
    await expect(retryDelivery(ports, repeated, at(6))).rejects.toMatchObject({ code: 'conflict' });
    await finishDelivery(ports, await start(repeated), processed(), at(7));
    expect(await shown(delivery.delivery_id)).toMatchObject({ state: 'projected', attempts: 1 });
  });

  it('end a delivery whose message keeps killing its worker', async () => {
    const delivery = await accepted();
    // The first attempt may have been beside another delivery, which killed the worker: it does not count.
    for (let n = 1; n <= maxAttempts + 1; n++) await start(delivery, n);
    expect(await begin(delivery, maxAttempts + 2)).toBeNull();
    expect(await shown(delivery.delivery_id)).toMatchObject({ state: 'failed', attempts: maxAttempts });
  });

  it('wait while a snapshot is held, until it is released or superseded (C-DELIVERY-6)', async () => {
    const [one, two] = [await accepted(), await accepted()];
    const warnings = [{ code: 'snapshot_shrank', message: 'The snapshot would retract more than half of its scope.' }];
    for (const delivery of [one, two]) await finishDelivery(ports, delivery, { kind: 'held', warnings }, at(1));
    expect(await shown(one.delivery_id)).toMatchObject({ state: 'held', completed_at: null, warnings });
    await expect(retryDelivery(ports, one, at(2))).rejects.toMatchObject({ code: 'conflict' });
    expect(await releaseDelivery(ports, one, at(2))).toMatchObject({ state: 'accepted', released: true });
    expect(await finishDelivery(ports, two, { kind: 'superseded', warnings: [] }, at(3))).toBe(true);
    expect(await shown(two.delivery_id)).toMatchObject({ state: 'superseded' });
    await expect(releaseDelivery(ports, two, at(4))).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a send that fails', () => {
  const broken = () => {
    const reported: string[] = [];
    const client = { send: () => Promise.reject(new Error('down')) } as unknown as SQSClient;
    const queue = projectionQueue({ client, url: 'nowhere' });
    const onSendFailed = ({ delivery_id }: Delivery) => reported.push(delivery_id);
    return { told: reported, ports: { ...ports, queue, onSendFailed } };
  };

  it('is sent by the sweep if a delivery is put back to work', async () => {
    const delivery = await accepted();
    await finishDelivery(ports, delivery, { kind: 'failed', warnings: [] }, at(1));
    const { told, ports: unsent } = broken();
    expect(await retryDelivery(unsent, await found(delivery.delivery_id), at(2))).toMatchObject({ state: 'accepted' });
    expect(told).toEqual([delivery.delivery_id]);
    await drainQueue();
    await resendDue(ports, at(63));
    expect(await sent()).toEqual([messageOf(delivery)]);
  });

  it('is sent if the sweep finds it', async () => {
    const delivery = await accepted();
    const { told, ports: unsent } = broken();
    expect(await resendDue(unsent, at(61))).toMatchObject({ resent: 0 });
    expect(told).toContain(delivery.delivery_id);
  });
});

describe('the sweep', () => {
  it('sends an open delivery again ever more rarely, and never one that has ended (C-INGEST-3)', async () => {
    const [open, ended] = [await accepted(), await accepted()];
    await finishDelivery(ports, ended, processed(), at(0));
    await drainQueue();
    const sentBy = async (seconds: number) => {
      await resendDue(ports, at(seconds));
      return sent();
    };
    expect(await sentBy(59)).toEqual([]);
    expect(await sentBy(61)).toEqual([messageOf(open)]);
    expect(await sentBy(100)).toEqual([]);
    expect(await sentBy(182)).toEqual([messageOf(open)]);
    expect(await sentBy(300)).toEqual([]);
    expect(await sentBy(423)).toEqual([messageOf(open)]);
  });

  it('sends one message for a delivery if two sweeps run at once', async () => {
    const delivery = await accepted();
    await drainQueue();
    await Promise.all([resendDue(ports, at(61)), resendDue(intakePorts(), at(61))]);
    expect(await sent()).toEqual([messageOf(delivery)]);
  });

  it('does not touch a delivery while a worker may still have it, and gives up after too many attempts', async () => {
    const delivery = await accepted();
    await start(delivery);
    await drainQueue();
    await resendDue(ports, at(900));
    expect(await sent()).toEqual([]);
    await resendDue(ports, at(1_000));
    expect(await sent()).toEqual([messageOf(delivery)]);
    for (let n = 2; n <= maxAttempts + 1; n++) await start(delivery, n);
    await resendDue(ports, at(4_000));
    expect(await shown(delivery.delivery_id)).toMatchObject({ state: 'failed' });
  });
});

describe('the list', () => {
  it('pages newest first over every delivery once, filtered by state and connector (C-DELIVERY-1)', async () => {
    const created: Delivery[] = [];
    for (let n = 0; n < 25; n++) {
      ports.clock.at = new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(n / 2)));
      created.push(await accepted(1, n % 3 === 0 ? 'lake' : 'warehouse'));
    }
    for (const delivery of created.slice(0, 10)) await finishDelivery(ports, delivery, processed(), at(1));
    const newestFirst = created.toSorted((a, b) => (place(a) < place(b) ? 1 : -1));
    const all = await pages({ state: null, connectorId: null, limit: 4 });
    expect(all).toEqual(newestFirst.map((delivery) => delivery.delivery_id));
    const inLake = newestFirst.filter(({ connector_id }) => connector_id === 'lake');
    const lake = inLake[0]?.connector_id ?? null;
    expect(await pages({ state: null, connectorId: lake, limit: 3 })).toEqual(inLake.map((d) => d.delivery_id));
    const projected = new Set(created.slice(0, 10).map(({ delivery_id }) => delivery_id));
    expect(await pages({ state: 'projected', connectorId: null, limit: 2 })).toEqual(
      newestFirst.map((d) => d.delivery_id).filter((id) => projected.has(id)),
    );
  });

  it('refuses a cursor that is none', async () => {
    for (const cursor of ['x', Buffer.from('2026-01-01T00:00:00Z#no').toString('base64url')]) {
      await expect(
        showDeliveries(ports, workspace, { state: null, connectorId: null, limit: 1, cursor }),
      ).rejects.toMatchObject({ code: 'validation_error', errors: [{ path: '/query/cursor' }] });
    }
  });

  const place = ({ received_at, delivery_id }: Delivery) => `${received_at}#${delivery_id}`;
  async function pages(filter: Omit<Parameters<typeof showDeliveries>[2], 'cursor'>): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof showDeliveries>> = await showDeliveries(ports, workspace, {
        ...filter,
        cursor,
      });
      expect(page.items.length).toBeLessThanOrEqual(filter.limit);
      ids.push(...page.items.map((delivery) => delivery.delivery_id));
      cursor = page.next_cursor;
    } while (cursor);
    return ids;
  }
});

it('nobody finds a delivery of another workspace (C-READ-6)', async () => {
  const { delivery_id } = await accepted();
  const other = `w-${randomUUID()}` as WorkspaceId;
  await expect(findDelivery(ports, other, delivery_id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await found(delivery_id.toUpperCase() as DeliveryId)).delivery_id).toBe(delivery_id);
});
