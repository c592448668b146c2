import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gap } from '../../../shared/contract/gaps.ts';
import type { ProviderInstanceId } from '../../../shared/contract/ids.ts';
import { gapTypes } from '../../../shared/contract/vocabulary.ts';
import { cadenceOf, type DetectedGap } from '../../../shared/domain/lineage/gaps/ports.ts';
import { reviewGaps } from '../../../shared/domain/lineage/gaps/scan-gaps.ts';
import { scopeId } from '../../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../../shared/domain/lineage/graph/order.ts';
import { isShrunk, overtaken, type SnapshotStatus } from '../../../shared/domain/lineage/projection/snapshot-status.ts';

const provider = randomUUID() as ProviderInstanceId;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const sign = (type: (typeof gapTypes)[number], backlog = 0): DetectedGap => ({
  type,
  details: { cadence: null, last_receipt: null, backlog, normalizer_version: null, reason: type },
});
const detected = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...gapTypes), fc.nat(2)), { selector: ([type]) => type })
  .map((all) => all.map(([type, backlog]) => sign(type, backlog)));

describe('a review of gaps', () => {
  it('leaves one open gap for each sign, whatever was before, and changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(fc.array(detected, { maxLength: 6 }), (history) => {
        let current: readonly Gap[] = [];
        const resolved = new Set<string>();
        history.forEach((found, minute) => {
          const review = reviewGaps(provider, current, found, at(minute));
          expect(reviewGaps(provider, review.current, found, at(minute + 1)).changed).toEqual([]);
          expect(review.current.map(({ gap_type }) => gap_type).sort()).toEqual(found.map(({ type }) => type).sort());
          for (const gap of review.changed.filter(({ status }) => status === 'resolved')) {
            expect(resolved.has(gap.id)).toBe(false);
            expect(gap.resolved_at).toBe(at(minute).toISOString());
            resolved.add(gap.id);
          }
          expect(review.current.some(({ id }) => resolved.has(id))).toBe(false);
          current = review.current;
        });
      }),
    );
  });

  it('keeps an ignored gap ignored until it is over, and opens a new one when it comes again (C-GAP-5)', () => {
    const { current } = reviewGaps(provider, [], [sign('backlog')], at(0));
    const ignored = current.map((gap): Gap => ({ ...gap, status: 'ignored' }));
    const grown = reviewGaps(provider, ignored, [sign('backlog', 5)], at(1));
    expect(grown.current).toMatchObject([{ id: current[0]?.id, status: 'ignored', details: { backlog: 5 } }]);
    expect(reviewGaps(provider, grown.current, [], at(2)).changed).toMatchObject([{ status: 'resolved' }]);
    const [again] = reviewGaps(provider, [], [sign('backlog')], at(3)).current;
    expect(again?.status).toBe('open');
    expect(again?.id).not.toBe(current[0]?.id);
  });

  it('gives ids that sort by opening', () => {
    const ids = [0, 1, 600, 100_000].map(
      (minute) => reviewGaps(provider, [], [sign('backlog')], at(minute)).current[0]?.id,
    );
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('the cadence of a feed', () => {
  const daily = (days: number, hours: readonly number[]) =>
    Array.from({ length: days }, (_, day) => hours.map((hour) => day * 24 + hour))
      .flat()
      .sort((a, b) => b - a);

  it('is unknown of a feed that has not paused twice (C-GAP-3)', () => {
    expect(cadenceOf([])).toBeNull();
    expect(cadenceOf([7])).toBeNull();
    expect(cadenceOf([9, 7])).toBeNull();
  });

  it('is a day for nightly deliveries, however many hours the night takes', () => {
    expect(cadenceOf(daily(4, [2]))).toBe(24 * 3_600);
    expect(cadenceOf(daily(4, [1, 2, 3]))).toBe(22 * 3_600);
  });

  it('knows the weekend after two of them', () => {
    const weekdays = daily(14, [9, 12]).filter((hour) => Math.floor(hour / 24) % 7 < 5);
    expect(cadenceOf([14 * 24 + 9, ...weekdays])).toBe((48 + 21) * 3_600);
  });

  it('does not learn from one outage', () => {
    expect(cadenceOf([100, 99, 98, 30, 29, 28])).toBe(3_600);
  });
});

describe('a snapshot that shrank', () => {
  const scope = scopeId('s');
  const order = (n: number) => snapshotOrder(n);
  const mark = (shrank: number, settled: number | null, released: number | null, held = false): SnapshotStatus => ({
    scope,
    shrank: { order: order(shrank), deliveryId: randomUUID() as never, held },
    unresolved: null,
    settled: settled === null ? null : order(settled),
    released: released === null ? null : order(released),
  });

  it('is reported until a later snapshot takes effect, or an administrator lets it through', () => {
    expect(isShrunk(mark(2, null, null, true))).toBe(true);
    expect(isShrunk(mark(2, 1, null, true))).toBe(true);
    expect(isShrunk(mark(2, 2, null))).toBe(true);
    expect(isShrunk(mark(2, 2, 2))).toBe(false);
    expect(isShrunk(mark(2, 3, null))).toBe(false);
    expect(isShrunk(mark(4, 3, 2))).toBe(true);
  });

  it('is overtaken if it is held and a later one took effect', () => {
    expect(overtaken(mark(2, 1, null, true))).toBeNull();
    expect(overtaken(mark(2, 3, null, false))).toBeNull();
    expect(overtaken(mark(2, 3, null, true))).not.toBeNull();
  });
});
