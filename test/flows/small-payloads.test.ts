import { randomBytes, randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { smallPayloadQueue } from '../../shared/adapters/dynamodb/deliveries/small-payloads.ts';
import { sweepCheckpoints } from '../../shared/adapters/dynamodb/deliveries/unscheduled-deliveries.ts';
import { listedDeliveryKey } from '../../shared/adapters/dynamodb/keys/delivery-keys.ts';
import { payloadReader } from '../../shared/adapters/payloads.ts';
import { keysIn } from '../../shared/adapters/s3/bucket.ts';
import { payloadArchives } from '../../shared/adapters/s3/payload-archives.ts';
import type { DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { smallPayloadBytes } from '../../shared/contract/lake.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { type Delivery, placeOf } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { archivePayloads } from '../../shared/domain/operations/sweep/archive-payloads.ts';
import { gathered } from '../support/gathered.ts';
import { intakePorts, type TestPorts } from '../support/intake-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let ports: TestPorts;
let workspace: WorkspaceId;
beforeEach(() => {
  workspace = `w-${randomUUID()}` as WorkspaceId;
  ports = intakePorts();
  ports.clock.at = new Date('2026-11-23T10:20:00.000Z');
});

const stores = () => ({
  table: { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' },
  bucket: { client: s3(), name: process.env['RAW_BUCKET'] ?? '' },
});

const event = (statement: object) => Buffer.from(JSON.stringify(statement));

async function accepted(bytes: Uint8Array): Promise<Delivery> {
  const { delivery_id } = await acceptOpenLineage(ports, {
    workspace,
    kind: 'openlineage_event',
    connectorId: 'warehouse',
    providerKey: null,
    idempotencyKey: null,
    payload: { bytes, contentType: 'application/json', contentEncoding: null },
  });
  const delivery = await ports.deliveries.get(workspace, delivery_id as DeliveryId);
  if (!delivery) throw new Error('nothing was accepted');
  return delivery;
}

/** As a process reads it that holds nothing. */
const read = async (delivery: Delivery): Promise<Buffer> => {
  const { table, bucket } = stores();
  return Buffer.concat(await gathered(await payloadReader(table, bucket).stream(delivery)));
};

const archivePorts = () => {
  const { table, bucket } = stores();
  return {
    workspaces: async () => [{ id: workspace }],
    small: smallPayloadQueue(table),
    archives: payloadArchives(bucket),
    due: ports.due,
    places: sweepCheckpoints(table),
  };
};

const archive = (time: string, changed: Partial<ReturnType<typeof archivePorts>> = {}) =>
  archivePayloads({ ...archivePorts(), ...changed }, { now: new Date(time), timeIsUp: () => false });

const objects = () => gathered(keysIn(stores().bucket, { Prefix: `raw/${workspace}/` }));

describe('a small payload', () => {
  it('makes no separate object, and moves to an archive once its hour is over', async () => {
    const sent = Array.from({ length: 12 }, (_, n) => event({ n }));
    const deliveries = await Promise.all(sent.map((bytes) => accepted(bytes)));
    expect(await objects()).toEqual([]);
    expect(await archive('2026-11-23T11:04:59.000Z')).toEqual({ archived: 0, failed: 0 });
    expect(await archive('2026-11-23T11:05:00.000Z')).toEqual({ archived: 12, failed: 0 });
    const lists = new Set(deliveries.map(({ delivery_id }) => Number.parseInt(delivery_id.slice(0, 2), 16) % 8));
    expect(await objects()).toHaveLength(lists.size);
    for (const [n, delivery] of deliveries.entries()) expect(await read(delivery)).toEqual(sent[n]);
    expect(await archive('2026-11-23T12:05:00.000Z')).toEqual({ archived: 0, failed: 0 });
  });

  it('is distinguished from a larger one by its deflated size, and is read as sent', async () => {
    const small = event({ text: 'a'.repeat(20_000) });
    const noise = (length: number) => event({ text: randomBytes(length).toString('base64') });
    const sent = [
      { bytes: small, small: true },
      { bytes: noise(smallPayloadBytes - 100), small: true },
      { bytes: noise(smallPayloadBytes), small: false },
      { bytes: event({ text: 'a'.repeat(70_000) }), small: false },
    ];
    for (const { bytes, small } of sent) {
      const delivery = await accepted(bytes);
      expect(delivery.payload.small).toBe(small);
      expect(await read(delivery)).toEqual(bytes);
      await archive('2026-11-23T12:00:00.000Z');
      expect(await read(delivery)).toEqual(bytes);
    }
  });

  it('can be read after each step, also if a run dies between two steps and the next run repeats it', async () => {
    const bytes = event({ n: 1 });
    const delivery = await accepted(bytes);
    const { small, archives } = archivePorts();
    const broken = () => Promise.reject(new Error('ended'));
    await expect(archive('2026-11-23T12:00:00Z', { archives: { ...archives, put: broken } })).rejects.toThrow('ended');
    expect(await read(delivery)).toEqual(bytes);
    await expect(archive('2026-11-23T12:00:00Z', { small: { ...small, remove: broken } })).rejects.toThrow('ended');
    expect(await read(delivery)).toEqual(bytes);
    // One that came since is archived with it, beside the archive that has it already.
    ports.clock.at = new Date('2026-11-23T10:10:00.000Z');
    const late = await accepted(event({ n: 2 }));
    expect(await archive('2026-11-23T12:00:00Z')).toEqual({ archived: 2, failed: 0 });
    expect(await read(delivery)).toEqual(bytes);
    expect(await read(late)).toEqual(event({ n: 2 }));
  });

  it('leads to its delivery until that is worked, though the sweep came by before it was entered', async () => {
    const found = async (now: string) => {
      const due: string[] = [];
      for (const list of await ports.due.lists())
        if (list.workspace === workspace)
          for await (const page of ports.due.due(list, new Date(now)))
            due.push(...page.map(({ delivery_id }) => delivery_id));
      return due;
    };
    const first = await accepted(event({ n: 1 }));
    expect(await found('2026-11-23T10:20:59.000Z')).toEqual([]);
    expect(await found('2026-11-23T10:21:00.000Z')).toEqual([first.delivery_id]);
    // A process whose clock is behind enters another where the sweep has been.
    ports.clock.at = new Date('2026-11-23T10:05:00.000Z');
    const late = await accepted(event({ n: 2 }));
    expect(await found('2026-11-23T10:30:00.000Z')).toEqual([]);
    expect(await archive('2026-11-23T11:05:00.000Z')).toEqual({ archived: 2, failed: 0 });
    expect((await found('2026-11-23T11:05:00.000Z')).sort()).toEqual(
      [first, late].map((one) => one.delivery_id).sort(),
    );
  });

  it('stays in the table if the archive does not return the received bytes', async () => {
    const delivery = await accepted(event({ n: 1 }));
    const { archives } = archivePorts();
    const lost = { ...archives, put: async () => undefined };
    expect(await archive('2026-11-23T12:00:00Z', { archives: lost })).toEqual({ archived: 0, failed: 1 });
    expect(await read(delivery)).toEqual(event({ n: 1 }));
    const { table } = stores();
    const { pk, sk } = listedDeliveryKey(placeOf(await accepted(event({ n: 2 }))));
    const Item = { pk: { S: pk }, sk: { S: sk }, bytes: { B: Buffer.from('spoilt') } };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
    await expect(archive('2026-11-23T12:00:00Z')).resolves.toMatchObject({ failed: 1 });
  });
});
