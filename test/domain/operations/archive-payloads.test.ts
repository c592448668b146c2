import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { sha256 } from '../../../shared/domain/base/digest.ts';
import { deliveryLists } from '../../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { deflateSmall, type SmallPayload } from '../../../shared/domain/lineage/ingest/deliveries/read-payload.ts';
import {
  type ArchivePayloadsPorts,
  archivePayloads,
} from '../../../shared/domain/operations/sweep/archive-payloads.ts';

const workspace = 'ws' as WorkspaceId;
const now = new Date('2026-11-23T12:06:00.000Z');
const end = '2026-11-23T12';

/** A payload of a list, intact unless specified otherwise. */
function payload(list: number, received_at: string, n: number, isIntact = true): SmallPayload & { readonly n: number } {
  const bytes = Buffer.from(`${list} ${n}`);
  const digest = sha256(isIntact ? bytes : Buffer.from('other')).toString('base64url');
  const delivery_id = `0${list}${n}`;
  return { workspace_id: workspace, delivery_id, received_at, digest, deflated: deflateSmall(bytes), n } as never;
}

/** What a run does to lists of payloads, in pages; archives lose those that `isLost` names. */
async function archived(
  lists: readonly (readonly SmallPayload[])[],
  {
    done = null as string | null,
    size = 3,
    timeIsUp = (): boolean => false,
    isLost = (_: SmallPayload): boolean => false,
  } = {},
) {
  const ids = (some: readonly Pick<SmallPayload, 'delivery_id'>[]) => some.map(({ delivery_id }) => delivery_id);
  const calls = { between: new Set<string>(), due: [] as string[], put: [] as string[][], removed: [] as string[] };
  const kept = new Map<string, SmallPayload>();
  const written: unknown[] = [];
  const ports: ArchivePayloadsPorts = {
    workspaces: async () => [{ id: workspace }],
    small: {
      between: async function* ({ list, workspace_id }, from, to) {
        expect(workspace_id).toBe(workspace);
        calls.between.add(`${from} ${to}`);
        const all = lists[list] ?? [];
        for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
      },
      remove: async (some) => void calls.removed.push(...ids(some)),
    },
    archives: {
      put: async (some) => {
        calls.put.push(ids(some));
        for (const one of some) kept.set(one.delivery_id, one);
      },
      find: async (place) => {
        const found = kept.get(place.delivery_id);
        if (!found || isLost(found)) return null;
        return Buffer.from(`${Number(place.delivery_id[1])} ${place.delivery_id.slice(2)}`);
      },
    },
    due: {
      schedule: async (some: readonly Pick<SmallPayload, 'delivery_id'>[], at) => {
        expect(at).toBe(now.toISOString());
        calls.due.push(...ids(some));
      },
    },
    places: {
      read: async () => done,
      write: async (...place) => void written.push(place),
    },
  };
  const total = await archivePayloads(ports, { now, timeIsUp });
  return { total, written, ...calls };
}

it('archives the intact payloads of each list by the hour, keeps the others, and goes on there if any is left', async () => {
  const one = fc.record({ hour: fc.nat({ max: 2 }), isIntact: fc.integer({ min: 0, max: 4 }).map((n) => n > 0) });
  const lists = fc.array(fc.array(one, { maxLength: 7 }), { maxLength: deliveryLists });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (stated, size, loses) => {
      const all = stated.map((own, list) =>
        own
          .toSorted((a, b) => a.hour - b.hour)
          .map(({ hour, isIntact }, n) => payload(list, `2026-11-23T0${hour}:59:59.000Z`, n, isIntact)),
      );
      const isLost = (found: SmallPayload) => loses && found.delivery_id.endsWith('1');
      const { total, put, due, removed, written, between } = await archived(all, { size, isLost });
      const isIntact = ({ digest }: SmallPayload) => digest !== sha256(Buffer.from('other')).toString('base64url');
      const hours = all.flatMap((own) => [...Map.groupBy(own, ({ received_at }) => received_at.slice(0, 13)).values()]);
      const intact = hours.map((own) => own.filter(isIntact).map(({ delivery_id }) => delivery_id));
      const expected = intact.filter((own) => own.length > 0);
      const safe = all.flat().filter((each) => isIntact(each) && !isLost(each));
      expect(put.toSorted()).toEqual(expected.toSorted());
      expect(due.toSorted()).toEqual(expected.flat().toSorted());
      expect(removed.toSorted()).toEqual(safe.map(({ delivery_id }) => delivery_id).toSorted());
      expect(total).toEqual({ archived: safe.length, failed: all.flat().length - safe.length });
      expect(written).toEqual(total.failed === 0 ? [[`payloads ${workspace}`, end]] : []);
      expect([...between]).toEqual([`0 ${end}`]);
    }),
  );
});

it.each([
  ['at the beginning', null, `0 ${end}`, 1],
  ['an hour before what is done', '2026-11-23T09', `2026-11-23T08:00:00.000Z ${end}`, 1],
  ['an hour before its end, and notes nothing new', end, `2026-11-23T11:00:00.000Z ${end}`, 0],
])('a run begins %s', async (_, done, between, writes) => {
  const found = await archived([], { done });
  expect([[...found.between], found.written.length]).toEqual([[between], writes]);
});

it('an archive holds a thousand payloads, and an empty list none', async () => {
  const many = Array.from({ length: 2_001 }, (_, n) => payload(0, '2026-11-23T01:00:00.000Z', n));
  const { put, total } = await archived([many, []], { size: 300 });
  expect(put.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
  expect(total).toEqual({ archived: 2_001, failed: 0 });
});

it('a run whose time is up archives nothing more, and is not done unless nothing was left', async () => {
  const lists = [[payload(0, '2026-11-23T01:00:00.000Z', 0)]];
  const nothing = { total: { archived: 0, failed: 0 }, put: [], due: [], removed: [] };
  expect(await archived(lists, { timeIsUp: () => true })).toMatchObject({ ...nothing, written: [] });
  expect(await archived([[]], { timeIsUp: () => true })).toMatchObject({
    ...nothing,
    written: [[`payloads ${workspace}`, end]],
  });
});
