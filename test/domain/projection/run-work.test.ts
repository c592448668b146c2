import fc from 'fast-check';
import { expect, it } from 'vitest';
import { micros } from '../../../shared/domain/lineage/graph/order.ts';
import type { RunWork } from '../../../shared/domain/lineage/projection/ports.ts';
import { addRecord, mergedRunWork } from '../../../shared/domain/lineage/projection/run-work.ts';
import type { Contribution } from '../../../shared/domain/lineage/sources/openlineage/contribution.ts';
import type { RunRecord } from '../../../shared/domain/lineage/sources/openlineage/run-store.ts';

const event = fc.record({ digest: fc.constantFrom('a', 'b', 'c'), at: fc.integer({ min: 1, max: 99 }) });
const delivery = fc.record({ events: fc.array(event, { minLength: 1, maxLength: 4 }), isBegun: fc.boolean() });
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

function recordsOf(events: readonly Event[]): Map<string, RunRecord> {
  const records = new Map<string, RunRecord>();
  for (const { digest, at } of events) {
    const time = micros(BigInt(at));
    addRecord(records, digest, { content: { eventType: digest } as unknown as Contribution, first: time, last: time });
  }
  return records;
}

it('knows of a run what all deliveries brought, under the one with the newest event', () => {
  fc.assert(
    fc.property(fc.array(delivery, { minLength: 1, maxLength: 4 }), (deliveries) => {
      const works = deliveries.map(
        ({ events, isBegun }, i) =>
          ({ records: recordsOf(events), isBegun, expiresAt: i, deliveryId: String(i) }) as unknown as RunWork,
      );
      const all = deliveries.flatMap(({ events }) => events);
      const { records, isBegun, expiresAt, deliveryId } = mergedRunWork(works);
      expect(records).toEqual(recordsOf(all));
      expect([isBegun, expiresAt]).toEqual([deliveries.some((one) => one.isBegun), deliveries.length - 1]);
      const newest = Math.max(...all.map(({ at }) => at));
      expect(deliveries[Number(deliveryId)]?.events.some(({ at }) => at === newest)).toBe(true);
    }),
  );
});
