import { expect, it } from 'vitest';
import type { Notification } from '../../../shared/contract/messages.ts';
import type { Delivery } from '../../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import type { DeliveryStore, Finish } from '../../../shared/domain/lineage/ingest/deliveries/ports.ts';
import { announcingDeliveries } from '../../../shared/domain/notifications/happenings.ts';

const delivery = { workspace_id: 'w', delivery_id: 'd1', provider_type: 'dbt', received_at: 'r' } as Delivery;
const finish = { completed_at: 'c', warnings: [{ code: 'malformed' }, { code: 'malformed' }], attempts: 1 };

async function announced(state: string, isWritten = true): Promise<readonly Notification[]> {
  const heard: Notification[] = [];
  const ending: Pick<DeliveryStore, 'finish'> = { finish: async () => isWritten };
  const store = announcingDeliveries(ending, async (_, one) => void heard.push(one));
  await store.finish(delivery, ['processing'], { ...finish, state } as unknown as Finish);
  return heard;
}

it.each([
  ['failed', 'delivery.failed', 'A dbt delivery failed (malformed): d1.'],
  [
    'held',
    'delivery.held',
    'A dbt snapshot would retract a large share of the evidence and needs an admin’s approval: d1.',
  ],
])('webhooks say why a delivery is %s (C-HOOK-2)', async (state, type, summary) => {
  expect(await announced(state)).toMatchObject([{ type, summary, occurred_at: 'c' }]);
});

it('webhooks say nothing of a delivery that was projected, or that another worker finished', async () => {
  expect(await announced('projected')).toEqual([]);
  expect(await announced('failed', false)).toEqual([]);
});
