import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { readWriteLock } from '../../shared/domain/base/concurrency.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { type Delivery, maxAttempts } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { retractOpenAttempts } from '../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { findDelivery, messageOf } from '../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
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

async function accepted(kind: 'openlineage_event' | 'openlineage_batch'): Promise<Delivery> {
  const event = { nonce: randomUUID() };
  const bytes = new TextEncoder().encode(JSON.stringify(kind === 'openlineage_batch' ? [event] : event));
  const payload = { bytes, contentType: 'application/json', contentEncoding: null };
  const source = { workspace, connectorId: null, providerKey: null, idempotencyKey: null };
  return stored(await acceptOpenLineage(ports, { ...source, kind, payload }));
}

const stored = ({ delivery_id }: { readonly delivery_id: string }) => findDelivery(ports, workspace, delivery_id);

/** A separate worker process where reading the bytes of one delivery never returns. */
function newProcess(killer: Delivery | null) {
  const worker = { ...projectorPorts(), lock: readWriteLock() };
  const reached: string[] = [];
  const killed = Promise.withResolvers<void>();
  const stream: typeof worker.payloads.stream = async (delivery) => {
    reached.push(delivery.delivery_id);
    if (delivery.delivery_id !== killer?.delivery_id) return worker.payloads.stream(delivery);
    killed.resolve();
    return new Promise<never>(() => undefined);
  };
  return {
    reached,
    killed: killed.promise,
    take: (delivery: Delivery, receiveCount: number) =>
      projectDelivery({ ...worker, payloads: { ...worker.payloads, stream } }, messageOf(delivery), { receiveCount }),
  };
}

describe.each(['openlineage_event', 'openlineage_batch'] as const)('a %s that kills its worker', (kind) => {
  it('is processed separately from its second receipt on, and fails after its own attempts', async () => {
    const [killer, neighbour] = [await accepted(kind), await accepted(kind)];
    const first = newProcess(killer);
    void first.take(killer, 1);
    await first.killed;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const process = newProcess(killer);
      void process.take(killer, attempt + 1);
      void process.take(neighbour, attempt + 1);
      await process.killed;
      // What waits behind it has not begun, and is not counted.
      expect(process.reached).toEqual([killer.delivery_id]);
      expect(await stored(killer)).toMatchObject({ state: 'processing', attempts: attempt });
    }
    const last = newProcess(killer);
    await Promise.all([last.take(killer, maxAttempts + 2), last.take(neighbour, maxAttempts + 2)]);
    expect(await stored(killer)).toMatchObject({ state: 'failed', attempts: maxAttempts });
    expect(await stored(neighbour)).toMatchObject({ state: 'quarantined', attempts: 1 });
  });

  it('takes no attempt of those that were beside it when it did', async () => {
    const killer = await accepted(kind);
    const neighbours = [await accepted(kind), await accepted(kind)];
    const first = newProcess(killer);
    const dying = newProcess(neighbours[0] ?? null);
    void first.take(killer, 1);
    for (const one of neighbours.slice(0, 1)) void dying.take(one, 1);
    await Promise.all([first.killed, dying.killed]);
    const next = newProcess(null);
    await Promise.all(neighbours.map((one) => next.take(one, 2)));
    for (const one of neighbours) expect(await stored(one)).toMatchObject({ state: 'quarantined', attempts: 1 });
  });

  it('never fails because the service was killed, no matter how often', async () => {
    const delivery = await accepted(kind);
    const { due } = ports;
    for (let kill = 1; kill <= 20; kill++) {
      const process = newProcess(delivery);
      void process.take(delivery, (kill % 4) + 1);
      await process.killed;
      await retractOpenAttempts({ due, deliveries: ports.deliveries }, new Date());
    }
    const last = newProcess(null);
    await last.take(delivery, 1);
    expect(await stored(delivery)).toMatchObject({ state: 'quarantined', attempts: 1 });
  });
});
