import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { acceptOpenLineage, type OpenLineageRequest } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { finishDelivery } from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { resendDue } from '../../shared/domain/operations/sweep/resend-due.ts';
import { gathered } from '../support/gathered.ts';
import { drainQueue, intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let ports: TestPorts;
let workspace: WorkspaceId;
beforeEach(async () => {
  workspace = `w-${randomUUID()}` as WorkspaceId;
  ports = intakePorts();
  await drainQueue();
});

const bytes = (text: string) => new TextEncoder().encode(text);
const request = (body: unknown, extra: Partial<OpenLineageRequest> = {}): OpenLineageRequest => ({
  workspace,
  kind: 'openlineage_event',
  connectorId: 'warehouse',
  providerKey: null,
  idempotencyKey: null,
  payload: { bytes: bytes(JSON.stringify(body)), contentType: 'application/json', contentEncoding: null },
  ...extra,
});
const accept = (body: unknown, extra: Partial<OpenLineageRequest> = {}) =>
  acceptOpenLineage(ports, request(body, extra));
const stored = async (id: string) => {
  const delivery = await ports.deliveries.get(workspace, id as DeliveryId);
  if (!delivery) throw new Error('no such delivery');
  return delivery;
};

describe('acceptance', () => {
  it('keeps the bytes as received, opens one delivery and sends its id (C-INGEST-1, C-INGEST-2)', async () => {
    const body = { b: 1, a: 'é' };
    const receipt = await accept(body);
    expect(receipt).toEqual({
      delivery_id: expect.any(String),
      state: 'accepted',
      duplicate: false,
      item_count: 1,
      invalid_item_count: 0,
    });
    const delivery = await stored(receipt.delivery_id);
    expect(delivery).toMatchObject({ state: 'accepted', connector_id: 'warehouse', attempts: 0, duplicate_count: 0 });
    expect(Buffer.concat(await gathered(await ports.payloads.stream(delivery))).toString()).toBe(JSON.stringify(body));
    expect(await drainQueue()).toEqual([{ version: 1, workspace_id: workspace, delivery_id: receipt.delivery_id }]);
  });

  it('makes one delivery of fifty identical requests at once (C-INGEST-5)', async () => {
    for (const idempotencyKey of ['key', null]) {
      const receipts = await Promise.all(
        Array.from({ length: 50 }, () => accept({ with: idempotencyKey }, { idempotencyKey })),
      );
      expect(new Set(receipts.map((receipt) => receipt.delivery_id)).size).toBe(1);
      expect(receipts.filter((receipt) => !receipt.duplicate)).toHaveLength(1);
      expect((await stored(receipts[0]?.delivery_id ?? '')).duplicate_count).toBe(49);
    }
    expect(await drainQueue()).toHaveLength(2);
  });

  it('costs a write unit, one a kilobyte of its entry and one for the mark of what waits, and ending it two more', async () => {
    await accept({ first: true });
    const client = new DynamoDBClient();
    const units = countUnits(client);
    ports = intakePorts(client);
    const receipt = await accept({ second: true });
    // A process writes the mark at most once in five seconds for each workspace.
    expect(units().write_units).toBe(3);
    const outcome = {
      kind: 'processed',
      quarantined: [],
      unresolved: [],
      retractedEvidenceCount: 0,
      warnings: [],
    } as const;
    await finishDelivery(ports, await stored(receipt.delivery_id), { ...outcome, lastEventAt: null }, new Date());
    expect(units().write_units).toBeLessThanOrEqual(2);
  });
});

describe('keys', () => {
  it('refuses other bytes under a key, and keeps the first (C-INGEST-5)', async () => {
    const first = await accept({ n: 1 }, { idempotencyKey: 'k' });
    await expect(accept({ n: 2 }, { idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'lineage_idempotency_conflict',
    });
    await expect(
      accept({ n: 1 }, { idempotencyKey: 'k', kind: 'openlineage_batch', payload: request([1]).payload }),
    ).rejects.toMatchObject({ code: 'lineage_idempotency_conflict' });
    const delivery = await stored(first.delivery_id);
    expect(Buffer.concat(await gathered(await ports.payloads.stream(delivery))).toString()).toBe('{"n":1}');
  });

  it('refuses a key that was used for another connector or another feed (C-OPENLINEAGE-3)', async () => {
    await accept({ n: 1 }, { idempotencyKey: 'k' });
    for (const other of [{ connectorId: 'lake' }, { connectorId: null }, { providerKey: 'airflow' }]) {
      await expect(accept({ n: 1 }, { idempotencyKey: 'k', ...other })).rejects.toMatchObject({
        code: 'lineage_provider_scope_conflict',
      });
    }
  });

  it('keeps equal idempotency keys of two workspaces apart (C-INGEST-4)', async () => {
    const first = await accept({ n: 1 }, { idempotencyKey: 'k' });
    workspace = `w-${randomUUID()}` as WorkspaceId;
    const second = await accept({ n: 2 }, { idempotencyKey: 'k' });
    expect(second).toMatchObject({ duplicate: false });
    expect(second.delivery_id).not.toBe(first.delivery_id);
  });

  it('accepts equal bytes for another feed as another delivery (C-INGEST-7)', async () => {
    const first = await accept({ n: 1 });
    const second = await accept({ n: 1 }, { connectorId: 'lake' });
    expect(second.delivery_id).not.toBe(first.delivery_id);
    expect(second.duplicate).toBe(false);
  });
});

describe('feeds', () => {
  it('binds a provider key to its first connector for ever, also when both come first at once (C-OPENLINEAGE-3)', async () => {
    await accept({ n: 1 }, { providerKey: 'airflow' });
    for (const connectorId of ['lake', null]) {
      await expect(accept({ n: 2 }, { providerKey: 'airflow', connectorId })).rejects.toMatchObject({
        code: 'lineage_provider_scope_conflict',
        message: expect.stringContaining('provider key is bound to another connector'),
      });
    }
    const race = await Promise.allSettled(
      ['warehouse', 'lake'].map((connectorId, n) => accept({ race: n }, { providerKey: 'dagster', connectorId })),
    );
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('takes nothing in while the feed is paused or disabled (C-INGEST-11)', async () => {
    const receipt = await accept({ n: 1 });
    const { provider_instance_id } = await stored(receipt.delivery_id);
    await drainQueue();
    for (const status of ['paused', 'disabled'] as const) {
      await ports.providers.setStatus(workspace, provider_instance_id, status, new Date().toISOString());
      await expect(accept({ n: 2 })).rejects.toMatchObject({ code: `lineage_provider_${status}` });
    }
    expect(await drainQueue()).toEqual([]);
    await ports.providers.setStatus(workspace, provider_instance_id, 'active', new Date().toISOString());
    expect(await accept({ n: 2 })).toMatchObject({ duplicate: false });
  });

  it('names the place of a connector that the workspace does not have (C-INGEST-13)', async () => {
    for (const connectorId of ['nobody', 'not an id']) {
      await expect(accept({ n: 1 }, { connectorId })).rejects.toMatchObject({
        code: 'validation_error',
        errors: [{ path: '/query/connector_id' }],
      });
    }
  });
});

describe('crashes', () => {
  it('accepts a retry if only the bytes and not the receipt were stored', async () => {
    const broken = { ...ports, deliveries: { ...ports.deliveries, open: () => Promise.reject(new Error('down')) } };
    await expect(acceptOpenLineage(broken, request({ n: 1 }))).rejects.toThrow('down');
    expect(await accept({ n: 1 })).toMatchObject({ duplicate: false });
  });

  it('sends again what was accepted and never reached the queue (C-INGEST-3)', async () => {
    const broken = { ...ports, queue: { send: () => Promise.reject(new Error('down')) } };
    const receipt = await acceptOpenLineage(broken, request({ n: 1 }));
    expect(await drainQueue()).toEqual([]);
    const message = { version: 1, workspace_id: workspace, delivery_id: receipt.delivery_id };
    await resendDue(ports, new Date(ports.clock.at.getTime() + 59_000));
    expect(await drainQueue()).not.toContainEqual(message);
    await resendDue(ports, new Date(ports.clock.at.getTime() + 61_000));
    expect(await drainQueue()).toContainEqual(message);
    await resendDue(ports, new Date(ports.clock.at.getTime() + 90_000));
    expect(await drainQueue()).not.toContainEqual(message);
  });
});
