import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { smallPayloadQueue } from '../../shared/adapters/dynamodb/deliveries/small-payloads.ts';
import { sweepCheckpoints } from '../../shared/adapters/dynamodb/deliveries/unscheduled-deliveries.ts';
import {
  deliveryKey,
  keyedContentKey,
  listedDeliveryKey,
  quarantineKey,
} from '../../shared/adapters/dynamodb/keys/delivery-keys.ts';
import type { Key } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { payloadArchives } from '../../shared/adapters/s3/payload-archives.ts';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { type Delivery, placeOf } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { type DeliveryOutcome, finishDelivery } from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { findDelivery, retryDelivery, showDeliveries } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { openDelivery, openLineageDeliveryId } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import { archivePayloads } from '../../shared/domain/operations/sweep/archive-payloads.ts';
import { storedDeliveries } from '../../shared/runtime/composition/stores.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { intakePorts } from '../support/intake-ports.ts';
import { anyDelivery, noPayload } from '../support/new-deliveries.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let ports: ReturnType<typeof intakePorts>;
let workspace: WorkspaceId;
beforeEach(() => {
  vi.stubEnv('RECEIPTS_DAYS', '400');
  workspace = `w-${randomUUID()}` as WorkspaceId;
  ports = { ...intakePorts(), deliveries: storedDeliveries() };
  ports.clock.at = new Date('2026-11-23T10:20:00.000Z');
});
afterEach(() => vi.unstubAllEnvs());

const table = () => ({ client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' });
const at = (day: number) => new Date(ports.clock.at.getTime() + day * 86_400_000);
/** 400 days after a day, as DynamoDB takes it. */
const expiredAfter = (day: number) => at(day + 400).getTime() / 1_000;

/** Undefined where there is no such item, and null if it never goes. */
async function expiry({ pk, sk }: Key): Promise<number | null | undefined> {
  const { Items: [item] = [] } = await table().client.send(
    new QueryCommand({
      TableName: table().name,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':sk': { S: sk } },
      ConsistentRead: true,
    }),
  );
  return item && (item['ttl']?.N ? Number(item['ttl'].N) : null);
}
const receipt = ({ delivery_id }: Delivery) => deliveryKey(workspace, delivery_id);
const entry = (delivery: Delivery) => listedDeliveryKey(placeOf(delivery));

const ofRun = { run: { runId: 'r' } };
async function accepted(events: readonly object[], key: string | null = null): Promise<Delivery> {
  const { delivery_id } = await acceptOpenLineage(ports, {
    workspace,
    kind: 'openlineage_batch',
    connectorId: 'warehouse',
    providerKey: null,
    idempotencyKey: key,
    payload: { bytes: Buffer.from(JSON.stringify(events)), contentType: 'application/json', contentEncoding: null },
  });
  return findDelivery(ports, workspace, delivery_id);
}

const quarantined = { index: 0, code: 'invalid_event', message: 'none' };
const finish = (delivery: Delivery, outcome: Partial<DeliveryOutcome>, day: number) => {
  const processed = {
    kind: 'processed',
    quarantined: [],
    unresolved: [],
    retractedEvidenceCount: 0,
    lastEventAt: null,
  };
  return finishDelivery(ports, delivery, { ...processed, warnings: [], ...outcome } as DeliveryOutcome, at(day));
};

describe('receipts that are kept for 400 days', () => {
  it('expire after they end, with their related items, and never while they are open', async () => {
    const delivery = await accepted([ofRun], 'key');
    const content = openLineageDeliveryId(workspace, {
      kind: delivery.kind,
      provider: delivery.provider_instance_id,
      digest: delivery.content_digest,
    });
    expect(await expiry(receipt(delivery))).toBeNull();
    expect(await expiry(entry(delivery))).toBe(expiredAfter(0));
    expect(await expiry(keyedContentKey(workspace, content))).toBe(expiredAfter(0));
    expect(await finish(delivery, { quarantined: [quarantined] }, 1)).toBe(true);
    expect(await expiry(receipt(delivery))).toBe(expiredAfter(1));
    expect(await expiry(quarantineKey(workspace, delivery.delivery_id))).toBe(expiredAfter(1));
  });

  it('stay while they are tried again, and the days run from that end', async () => {
    const delivery = await accepted([ofRun]);
    await finish(delivery, { kind: 'failed' }, 1);
    expect(await expiry(receipt(delivery))).toBe(expiredAfter(1));
    const repeated = await retryDelivery(ports, delivery, at(300));
    expect(await expiry(receipt(delivery))).toBeNull();
    await finish(repeated, {}, 300);
    expect(await expiry(receipt(delivery))).toBe(expiredAfter(300));
  });

  it('do not expire for declarations, whether by events without a run or by documents', async () => {
    const mixed = await accepted([ofRun, { job: { namespace: 'jobs', name: 'declared' } }]);
    await finish(mixed, { tookEffectAt: at(0).toISOString() }, 0);
    const document = anyDelivery(workspace, 'dbt_manifest', at(0));
    await openDelivery(ports, document, noPayload, document.delivery_id);
    await finish(document, {}, 0);
    for (const delivery of [mixed, document]) {
      expect(await expiry(receipt(delivery))).toBeNull();
      expect(await expiry(entry(delivery))).toBeNull();
    }
  });

  it('expire together with their list entry, also if the entry was rewritten without its bytes', async () => {
    const delivery = await accepted([ofRun]);
    const archived = await archivePayloads(
      {
        workspaces: async () => [{ id: workspace }],
        small: smallPayloadQueue(table()),
        archives: payloadArchives({ client: s3(), name: process.env['RAW_BUCKET'] ?? '' }),
        due: ports.due,
        places: sweepCheckpoints(table()),
      },
      { now: at(1), timeIsUp: () => false },
    );
    expect(archived).toEqual({ archived: 1, failed: 0 });
    expect(await expiry(entry(delivery))).toBe(expiredAfter(0));
  });

  it('are not found or listed once they expire, and the same content is a new delivery (C-DELIVERY-12)', async () => {
    const first = await accepted([ofRun], 'key');
    const { pk, sk } = receipt(first);
    await table().client.send(
      new DeleteItemCommand({ TableName: table().name, Key: { pk: { S: pk }, sk: { S: sk } } }),
    );
    // One that was treated as a duplicate while the receipt went makes nothing that would be treated as one.
    await ports.deliveries.countDuplicate(workspace, first.delivery_id);
    expect(await expiry({ pk, sk })).toBeUndefined();
    await expect(findDelivery(ports, workspace, first.delivery_id)).rejects.toMatchObject({ code: 'not_found' });
    const page = { state: null, connectorId: null, limit: 10, cursor: null };
    expect((await showDeliveries(ports, workspace, page)).items).toEqual([]);
    ports.clock.at = at(401);
    expect(await accepted([ofRun])).toMatchObject({ state: 'accepted', duplicate_count: 0 });
    expect(await accepted([ofRun], 'key')).toMatchObject({ delivery_id: first.delivery_id, duplicate_count: 0 });
  });

  it('cost the write units of receipts that are kept for ever', async () => {
    const unitsOf = async (retentionDays: number | null) => {
      const client = new DynamoDBClient();
      const [units, deliveries] = [countUnits(client), deliveryStore({ ...table(), client }, retentionDays)];
      const delivery = {
        ...anyDelivery(workspace, 'openlineage_event', at(0)),
        delivery_id: randomUUID() as DeliveryId,
      };
      await openDelivery(
        { ...ports, deliveries },
        delivery,
        { ...noPayload, deflated: Buffer.alloc(2_900) },
        delivery.delivery_id,
      );
      await finishDelivery({ deliveries, activity: ports.activity }, delivery, { kind: 'failed', warnings: [] }, at(0));
      return units().write_units;
    };
    const forever = await unitsOf(null);
    // The entry with its bytes takes three.
    expect(forever).toBeGreaterThanOrEqual(5);
    expect(await unitsOf(400)).toBe(forever);
  });
});

it('receipts are kept forever by default, and for at least 400 days', () => {
  expect(environment('RECEIPTS_DAYS')).toBe(400);
  vi.stubEnv('RECEIPTS_DAYS', undefined);
  expect(environment('RECEIPTS_DAYS')).toBeNull();
  vi.stubEnv('RECEIPTS_DAYS', 'forever');
  expect(environment('RECEIPTS_DAYS')).toBeNull();
  for (const refused of ['399', '0', 'never', '400.5', '']) {
    vi.stubEnv('RECEIPTS_DAYS', refused);
    expect(() => environment('RECEIPTS_DAYS')).toThrow();
  }
});
