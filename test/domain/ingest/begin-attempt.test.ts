import { expect, it } from 'vitest';
import type { Delivery } from '../../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { type AttemptMode, beginAttempt } from '../../../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';

const delivery = {
  workspace_id: 'ws_1',
  delivery_id: 'del_1',
  kind: 'openlineage_event',
  state: 'accepted',
  attempts: 0,
  open_attempt: null,
  resends: 0,
} as unknown as Delivery;

async function isStored(changes: Partial<Delivery>, mode: AttemptMode = 'shared'): Promise<boolean> {
  let begun = 0;
  const deliveries = {
    begin: async () => {
      begun++;
      return delivery;
    },
  };
  const ports = { deliveries, activity: {} } as never;
  expect(await beginAttempt(ports, { ...delivery, ...changes }, { mode, now: new Date(0) })).not.toBeNull();
  return begun > 0;
}

it('begins the first attempt at an event without a write', async () => {
  expect(await isStored({})).toBe(false);
});

it.each<[string, Partial<Delivery>, AttemptMode?]>([
  ['another attempt', { attempts: 1 }],
  ['the first attempt at a resent event', { resends: 1 }],
  ['an attempt at an event by itself', {}, 'exclusive'],
  ['the first attempt at a document', { kind: 'dbt_manifest' }],
])('stores that %s began', async (_, changes, mode) => {
  expect(await isStored(changes, mode)).toBe(true);
});
