import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  lastTouched,
  markOf,
  noteLook,
  waitingNotes,
} from '../../shared/adapters/dynamodb/deliveries/evidence-mark.ts';
import { evidenceMarkKey } from '../../shared/adapters/dynamodb/keys/delivery-keys.ts';
import { getItem } from '../../shared/adapters/dynamodb/requests/items.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { lookMarginMs } from '../../shared/domain/lineage/queries/claim/evidence-until.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const start = Date.now();
const at = (ms: number): string => new Date(start + ms).toISOString();
let table: Table;
let workspace: WorkspaceId;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  table = { client: stores.client, name: stores.environment.TABLE_NAME };
  workspace = `w-${randomUUID()}` as WorkspaceId;
});
afterEach(() => void vi.useRealTimers());

const mark = async () => {
  const item = await getItem(table, evidenceMarkKey(workspace));
  return item && markOf(item);
};
const untouched = { touched: '', until: null, looked: null, covers: null, waits: false, lowered: 0 };
const accept = async (note: ReturnType<typeof waitingNotes>, now: number, received = now) => {
  vi.setSystemTime(start + now);
  await note({ workspace_id: workspace, received_at: at(received) });
};

it('an acceptance moves the mark five seconds ahead, and only those after that need another write', async () => {
  const note = waitingNotes(table);
  expect(await lastTouched(table)(workspace)).toBeNull();
  const touched: (string | null)[] = [];
  for (const now of [0, 1, 4_999, 5_000, 5_001, 10_001]) {
    await accept(note, now);
    touched.push(await lastTouched(table)(workspace));
  }
  expect(touched).toEqual([5_000, 5_000, 5_000, 10_000, 10_000, 15_001].map(at));
  // Another process, whose clock is behind, does not move it back.
  await accept(waitingNotes(table), 2_000);
  expect(await mark()).toEqual({ ...untouched, touched: at(15_001) });
});

it.each([
  ['in time', lookMarginMs / 2, null, { until: 0, lowered: 0 }],
  ['late', lookMarginMs / 2 + 1, null, { until: -lookMarginMs / 2 - 1, lowered: 1 }],
  ['late, after one that is older', lookMarginMs, 20_000, { until: -20_000, lowered: 2 }],
])('a receipt that is stored %s lowers the mark of the last look: %i ms, %s', async (_, age, older, expected) => {
  const look = { ...untouched, touched: at(0) };
  await noteLook(table, workspace, look, { oldest: null, now: new Date(start + lookMarginMs) });
  const note = waitingNotes(table);
  if (older !== null) await accept(note, 0, -older);
  await accept(note, 0, -age);
  const until = at(expected.until);
  expect(await mark()).toEqual({
    ...{ touched: at(5_000), until, looked: at(lookMarginMs), covers: at(0), waits: false, lowered: expected.lowered },
  });
});

it('a look keeps what it found, unless an acceptance that it may have missed came meanwhile', async () => {
  const now = new Date(start + 60_000);
  const seen = { until: at(30_000), waits: true };
  const look = { oldest: at(30_000), now };
  expect(await noteLook(table, workspace, { ...untouched, touched: at(7) }, look)).toEqual(seen);
  const kept = { ...untouched, ...seen, looked: now.toISOString(), covers: at(7) };
  expect(await mark()).toEqual(kept);
  await accept(waitingNotes(table), 0, -lookMarginMs);
  const lowered = { ...kept, touched: at(5_000), until: at(-lookMarginMs), lowered: 1 };
  expect(await mark()).toEqual(lowered);
  for (const read of [0, 2]) {
    expect(await noteLook(table, workspace, { ...lowered, lowered: read }, look)).toEqual(seen);
    expect(await mark()).toEqual(lowered);
  }
  await noteLook(table, workspace, lowered, look);
  expect(await mark()).toEqual({ ...lowered, ...seen, looked: now.toISOString(), covers: at(5_000) });
});
