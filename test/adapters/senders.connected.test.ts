import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { addEventCounts, eventCountReader } from '../../shared/adapters/dynamodb/events/event-ledger.ts';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { limits } from '../../shared/contract/limits.ts';
import { describeCounts, type EventCount } from '../../shared/domain/events/event-counts.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const table = () => ({ client: dynamodb(), name: stores.environment.EVENT_TABLE_NAME });
const { most, notAllowed } = limits.senders;

function project() {
  const place = {
    workspace_id: v.parse(WorkspaceId, `ws_${randomUUID()}`),
    project_id: v.parse(CollectionProjectId, 'shop'),
  };
  const counted = (time: string, senders: Partial<NonNullable<EventCount['senders']>[number]>[]): EventCount => ({
    ...place,
    date: time.slice(0, 10),
    accepted: 0,
    repeated: 0,
    rejected: {},
    senders: senders.map((one) => ({ ...sender, last_at: `${time}:00.000Z`, ...one })),
  });
  return {
    add: (time: string, ...senders: Parameters<typeof counted>[1]) => addEventCounts(table(), [counted(time, senders)]),
    read: async () =>
      describeCounts(
        await eventCountReader(table())(place.workspace_id, place.project_id, ['2026-11-21', '2026-11-20']),
      ),
  };
}

const sender = { rule: 'invalid_event', library: 'curl', version: null, origin: null, events: 1, isAllowed: true };

describe('the senders of rejected events (C-COUNT-3)', () => {
  it('are summed by rule, library and origin over the days, the latest first', async () => {
    const { add, read } = project();
    await add('2026-11-20T10:00', {}, { origin: 'https://a.example' });
    await add('2026-11-21T09:00', { events: 3 }, { rule: '/event is required' });
    await add('2026-11-21T10:00', { events: 2 });
    const { senders, other_senders } = await read();
    const { isAllowed: _, ...shown } = sender;
    expect(senders).toEqual([
      { ...shown, events: 6, last_at: '2026-11-21T10:00:00.000Z' },
      { ...shown, rule: '/event is required', last_at: '2026-11-21T09:00:00.000Z' },
      { ...shown, origin: 'https://a.example', last_at: '2026-11-20T10:00:00.000Z' },
    ]);
    expect(other_senders).toBeNull();
  });

  it('are limited: other origins leave room for the origins of the project, and the rest is counted together', async () => {
    const { add, read } = project();
    const strangers = (from: number) =>
      Array.from({ length: 15 }, (_, n) => ({ origin: `https://p-${from + n}.example`, isAllowed: false }));
    for (let batch = 0; batch < 3; batch++) await add('2026-11-21T09:00', ...strangers(batch * 15));
    expect((await read()).senders).toHaveLength(notAllowed);
    const own = Array.from({ length: 15 }, (_, n) => ({ version: `1.${n}.0` }));
    await add('2026-11-21T10:00', ...own);
    await add('2026-11-21T11:00', ...Array.from({ length: 15 }, (_, n) => ({ version: `2.${n}.0` })));
    const { senders, other_senders } = await read();
    expect(senders).toHaveLength(most);
    expect(senders).toEqual(expect.arrayContaining(own.map((one) => expect.objectContaining(one))));
    const kept = senders.reduce((sum, { events }) => sum + events, 0);
    expect(kept + (other_senders?.events ?? 0)).toBe(75);
    expect(other_senders?.last_at).toBe('2026-11-21T11:00:00.000Z');
    // More of a known one needs no room.
    await add('2026-11-21T12:00', own[0] ?? {});
    expect((await read()).senders[0]).toMatchObject({ ...own[0], events: 2 });
  });
});
