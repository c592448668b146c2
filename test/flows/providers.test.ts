import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import { dueShards, providerCountersKey } from '../../shared/adapters/dynamodb/keys/delivery-keys.ts';
import { updateItem } from '../../shared/adapters/dynamodb/requests/update-item.ts';
import type { ProviderInstanceId, WorkspaceId } from '../../shared/contract/ids.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { type Delivery, deliveryLists } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import {
  type DeliveryOutcome,
  failDelivery,
  finishDelivery,
} from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { findDelivery } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { noActivity } from '../../shared/domain/lineage/providers/activity.ts';
import { listProviders, setProviderStatus, showProvider } from '../../shared/domain/lineage/providers/provider.ts';
import { intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let ports: TestPorts;
let workspace: WorkspaceId;
beforeEach(() => {
  workspace = `w-${randomUUID()}` as WorkspaceId;
  ports = intakePorts();
});

const at = (seconds: number) => new Date(ports.clock.at.getTime() + seconds * 1_000);
const iso = (seconds: number) => at(seconds).toISOString();

async function accepted(providerKey: string | null = null, seconds = 0): Promise<Delivery> {
  const shifted = { ...ports, clock: { now: () => at(seconds) } };
  const receipt = await acceptOpenLineage(shifted, {
    workspace,
    kind: 'openlineage_event',
    connectorId: 'warehouse',
    providerKey,
    idempotencyKey: randomUUID(),
    payload: { bytes: new TextEncoder().encode('{}'), contentType: 'application/json', contentEncoding: null },
  });
  return findDelivery(ports, workspace, receipt.delivery_id);
}

const processed = (
  lastEventAt: string | null = null,
  extra: Partial<Extract<DeliveryOutcome, { kind: 'processed' }>> = {},
): DeliveryOutcome => ({
  kind: 'processed',
  quarantined: [],
  unresolved: [],
  retractedEvidenceCount: 0,
  lastEventAt,
  warnings: [],
  ...extra,
});
const everything = { connectorId: null, status: null, limit: 200, cursor: null } as const;
async function only() {
  const { items } = await listProviders(ports, workspace, everything);
  expect(items).toHaveLength(1);
  const [item] = items;
  if (!item) throw new Error('no provider');
  return item;
}
const fail = (delivery: Delivery, seconds: number) =>
  failDelivery(ports, delivery, at(seconds), { code: 'attempts_used_up', message: '' });

describe('counters and times', () => {
  it('appear with the first delivery and follow each one (C-PROVIDER-1, C-PROVIDER-6)', async () => {
    expect(await listProviders(ports, workspace, everything)).toEqual({
      workspace_id: workspace,
      items: [],
      next_cursor: null,
    });
    const [first, second] = [await accepted(), await accepted(null, 1)];
    expect(await only()).toMatchObject({
      provider_type: 'openlineage',
      connector_id: 'warehouse',
      status: 'active',
      backlog_count: 2,
      oldest_backlog_at: iso(0),
      last_received_at: iso(1),
      last_accepted_at: iso(1),
      last_event_at: null,
      last_processed_at: null,
    });
    await finishDelivery(ports, second, processed('2026-01-01T00:00:00.000Z'), at(2));
    await finishDelivery(ports, first, processed('2026-02-01T00:00:00.000Z'), at(3));
    expect(await only()).toMatchObject({
      backlog_count: 0,
      oldest_backlog_at: null,
      last_received_at: iso(1),
      last_event_at: '2026-02-01T00:00:00.000Z',
      event_watermark: '2026-02-01T00:00:00.000Z',
      last_processed_at: iso(3),
      last_success_at: iso(3),
      last_error_at: null,
      invalid_item_count: 0,
    });
  });

  it('count a delivery once, however often its end is repeated', async () => {
    const delivery = await accepted();
    const outcome = processed(null, {
      quarantined: [{ index: 0, code: 'invalid_event', message: '' }],
      unresolved: [{ reason: 'x', count: 2, assets: [], assets_left_out: 2 }],
    });
    const ended = await Promise.all(
      Array.from({ length: 8 }, () => finishDelivery(intakePorts(), delivery, outcome, at(1))),
    );
    expect(ended.filter(Boolean)).toHaveLength(1);
    await finishDelivery(ports, delivery, outcome, at(1));
    expect(await only()).toMatchObject({ invalid_item_count: 1, unresolved_asset_count: 2, backlog_count: 0 });
  });

  it('count exactly while many workers end many deliveries at once', async () => {
    const deliveries = await Promise.all(Array.from({ length: 24 }, () => accepted()));
    const quarantined = [{ index: 0, code: 'invalid_event', message: '' }];
    const workers = [intakePorts(), intakePorts(), intakePorts()];
    await Promise.all(
      deliveries.map((delivery, n) =>
        finishDelivery(workers[n % 3] ?? ports, delivery, processed(null, { quarantined }), at(n)),
      ),
    );
    expect(await only()).toMatchObject({ invalid_item_count: 24, backlog_count: 0, last_processed_at: iso(23) });
  });

  it('cost a busy feed few writes', async () => {
    const deliveries = await Promise.all(Array.from({ length: 50 }, () => accepted()));
    const client = new DynamoDBClient();
    const units = countUnits(client);
    const worker = intakePorts(client);
    await Promise.all(deliveries.map((delivery) => finishDelivery(worker, delivery, processed(), at(1))));
    expect(units().write_units).toBeLessThan(50 * 4);
  });
});

describe('a feed that many workers write', () => {
  /** A worker whose every write of an activity comes after another worker's. */
  function crowded(): { readonly worker: TestPorts; readonly written: readonly string[] } {
    const [client, other, written] = [new DynamoDBClient(), intakePorts(), [] as string[]];
    client.middlewareStack.add(
      (next) => async (args) => {
        const sk = 'Key' in args.input ? (args.input.Key as { sk: { S: string } }).sk.S : '';
        if (sk.includes('#ACTIVITY')) {
          written.push(sk);
          const feed = { workspace_id: workspace, provider_instance_id: sk.slice(0, 36) as ProviderInstanceId };
          await other.activity.record(feed, { ...noActivity, last_received_at: iso(100 + written.length) });
        }
        return next(args);
      },
      { step: 'initialize' },
    );
    return { worker: intakePorts(client), written };
  }

  it('has the newest state of all workers, with separate items if their writes conflict (G-PROVIDER-2)', async () => {
    const delivery = await accepted();
    const { worker, written } = crowded();
    expect(await finishDelivery(worker, delivery, processed(), at(5))).toBe(true);
    await finishDelivery(worker, await accepted(), processed(), at(6));
    const [shared, own] = [written.slice(0, 3), written.slice(3)];
    expect(new Set(shared.map((sk) => sk.slice(36)))).toEqual(new Set(['#ACTIVITY']));
    expect(own).toHaveLength(2);
    expect(own[0]).toMatch(/#ACTIVITY#\d+$/);
    expect(own[1]).toBe(own[0]);
    expect(await only()).toMatchObject({ last_received_at: iso(105), last_success_at: iso(6) });
  });

  it('continues the counts of the single item (G-PROVIDER-4)', async () => {
    const deliveries = await Promise.all(Array.from({ length: 12 }, () => accepted()));
    const table = { client: new DynamoDBClient(), name: process.env['TABLE_NAME'] ?? '' };
    const [first] = deliveries;
    if (!first) throw new Error('nothing was accepted');
    const before = providerCountersKey(workspace, first.provider_instance_id);
    await updateItem(table, before, {
      UpdateExpression: 'SET invalid_item_count = :n, open_gap_count = :n',
      ExpressionAttributeValues: { ':n': { N: '7' } },
    });
    const quarantined = [{ index: 0, code: 'invalid_event', message: '' }];
    for (const delivery of deliveries) await finishDelivery(ports, delivery, processed(null, { quarantined }), at(1));
    const counted = { invalid_item_count: 19, unresolved_asset_count: 0, open_gap_count: 7 };
    expect(await only()).toMatchObject(counted);
    expect(await showProvider(ports, workspace, first.provider_instance_id)).toMatchObject(counted);
  });
});

describe('one provider', () => {
  it('is shown as in the list, only to its own workspace (C-PROVIDER-5)', async () => {
    await accepted('one');
    const item = await only();
    const id = item.id as ProviderInstanceId;
    expect(await showProvider(ports, workspace, id)).toEqual(item);
    const elsewhere = `w-${randomUUID()}` as WorkspaceId;
    await expect(showProvider(ports, elsewhere, id)).rejects.toMatchObject({ code: 'not_found' });
    const nobodys = randomUUID() as ProviderInstanceId;
    await expect(showProvider(ports, workspace, nobodys)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the backlog', () => {
  it('is included in the open count of the workspace, whatever other providers have', async () => {
    const client = new DynamoDBClient();
    const units = countUnits(client);
    const mine = workspace;
    await accepted();
    const { backlog } = intakePorts(client);
    expect([...(await backlog.backlogs(mine)).values()]).toMatchObject([{ count: 1 }]);
    const alone = units();
    workspace = `w-${randomUUID()}` as WorkspaceId;
    await Promise.all(Array.from({ length: 60 }, () => accepted()));
    expect([...(await backlog.backlogs(mine)).values()]).toMatchObject([{ count: 1 }]);
    expect(units()).toEqual(alone);
    expect(alone.requests).toBeLessThanOrEqual(dueShards + deliveryLists + 2);
  });
});

describe('status', () => {
  it('is error after three failures in a row, and active again after the next success (C-PROVIDER-4)', async () => {
    for (let n = 0; n < 2; n++) await fail(await accepted(), n);
    expect(await only()).toMatchObject({ status: 'active', last_error_at: iso(1) });
    await finishDelivery(ports, await accepted(), processed(), at(2));
    for (let n = 3; n < 5; n++) await fail(await accepted(), n);
    expect((await only()).status).toBe('active');
    await fail(await accepted(), 5);
    expect((await only()).status).toBe('error');
    expect((await listProviders(ports, workspace, { ...everything, status: 'error' })).items).toHaveLength(1);
    expect((await listProviders(ports, workspace, { ...everything, status: 'active' })).items).toHaveLength(0);
    await finishDelivery(ports, await accepted(), processed(), at(6));
    expect((await only()).status).toBe('active');
  });

  it('counts one failure once, no matter how often it is reported', async () => {
    const delivery = await accepted();
    for (let n = 0; n < 5; n++) await fail(delivery, 1);
    expect((await only()).status).toBe('active');
  });

  it('is what an admin sets, and setting it active forgives earlier failures (C-PROVIDER-3)', async () => {
    for (let n = 0; n < 3; n++) await fail(await accepted(), n);
    const { id } = await only();
    const set = (status: 'active' | 'paused' | 'disabled', seconds: number) =>
      setProviderStatus(ports, workspace, id as ProviderInstanceId, { status, now: at(seconds) });
    expect(await set('paused', 4)).toMatchObject({ id, status: 'paused' });
    expect(await set('disabled', 5)).toMatchObject({ id, status: 'disabled' });
    expect(await set('active', 6)).toMatchObject({ id, status: 'active' });
    await expect(
      setProviderStatus(ports, workspace, randomUUID() as ProviderInstanceId, { status: 'paused', now: at(7) }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('pages over every feed once (C-PROVIDER-5)', async () => {
  for (let n = 0; n < 7; n++) {
    const delivery = await accepted(`feed-${n}`);
    if (n % 2 === 0) await finishDelivery(ports, delivery, processed(), at(1));
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listProviders>> = await listProviders(ports, workspace, {
      ...everything,
      limit: 3,
      cursor,
    });
    seen.push(...page.items.map((item) => item.display_name));
    cursor = page.next_cursor;
    const filtered = { ...everything, status: 'active', cursor } as const;
    if (cursor)
      await expect(listProviders(ports, workspace, filtered)).rejects.toMatchObject({ code: 'validation_error' });
  } while (cursor);
  expect(seen.toSorted()).toEqual(Array.from({ length: 7 }, (_, n) => `feed-${n}`));
});
