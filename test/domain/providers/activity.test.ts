import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Activity,
  failuresToError,
  isFailing,
  maxHours,
  mergeActivity,
  noActivity,
} from '../../../shared/domain/lineage/providers/activity.ts';

const time = fc.integer({ min: 0, max: 50 }).map((n) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString());
const maybe = fc.option(time, { nil: null });
const failures = fc
  .array(fc.tuple(time, fc.constantFrom('a', 'b', 'c', 'd')), { maxLength: failuresToError })
  .map((all) => [...new Set(all.map((parts) => parts.join('#')))].sort().reverse());
const activity: fc.Arbitrary<Activity> = fc.record({
  last_event_at: maybe,
  last_received_at: maybe,
  last_accepted_at: maybe,
  last_processed_at: maybe,
  last_success_at: maybe,
  last_error_at: maybe,
  event_watermark: maybe,
  last_unresolved_at: maybe,
  unresolved_delivery: maybe,
  last_quarantined_at: maybe,
  last_held_at: maybe,
  normalizer_version: fc.option(fc.nat(3), { nil: null }),
  receipt_hours: fc
    .uniqueArray(fc.nat(maxHours + 40), { maxLength: maxHours })
    .map((hours) => hours.toSorted((a, b) => b - a)),
  failures,
});

describe('activity', () => {
  it('merges the same in any order and grouping, and any number of times', () => {
    fc.assert(
      fc.property(activity, activity, activity, (a, b, c) => {
        expect(mergeActivity(a, b)).toEqual(mergeActivity(b, a));
        expect(mergeActivity(mergeActivity(a, b), c)).toEqual(mergeActivity(a, mergeActivity(b, c)));
        expect(mergeActivity(mergeActivity(a, b), b)).toEqual(mergeActivity(a, b));
        expect(mergeActivity(a, noActivity)).toEqual(a);
      }),
    );
  });

  it('is failing when the newest three outcomes are failures, whatever order they were reported in', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 8 }), fc.infiniteStream(fc.nat()), (outcomes, numbers) => {
        const reported = outcomes.map((failed, n) => {
          const at = new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
          return failed ? { ...noActivity, failures: [`${at}#${n}`] } : { ...noActivity, last_success_at: at };
        });
        const shuffled = reported
          .map((one) => ({ one, place: numbers.next().value ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ one }) => one);
        const merged = shuffled.reduce(mergeActivity, noActivity);
        expect(isFailing(merged, '2025')).toBe(outcomes.length >= 3 && outcomes.slice(-3).every(Boolean));
      }),
    );
  });

  it('forgives failures before the status was set', () => {
    const failed = [1, 2, 3].map((n) => ({ ...noActivity, failures: [`2026-01-0${n}T00:00:00.000Z#x`] }));
    const merged = failed.reduce(mergeActivity, noActivity);
    expect(isFailing(merged, '2025-12-31T00:00:00.000Z')).toBe(true);
    expect(isFailing(merged, '2026-01-02T00:00:00.000Z')).toBe(false);
  });
});
