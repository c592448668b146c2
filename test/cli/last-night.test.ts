import { describe, expect, it } from 'vitest';
import { lastNight } from '../../cli/admin/restore-from-vault.ts';

const at = (time: string) => ({ arn: time, vault: 'vault', taken_at: `2026-11-${time}:00.000Z` });
/** Newest first, as the copies are listed. */
const points = {
  table: [at('03T03:10'), at('02T03:10'), at('01T03:10')],
  raw_bucket: [at('03T04:30'), at('02T04:30'), at('01T04:30')],
  lake_bucket: [at('03T04:40'), at('02T04:40'), at('01T04:40')],
};
const night = (day: string) => ({
  table: at(`${day}T03:10`),
  raw_bucket: at(`${day}T04:30`),
  lake_bucket: at(`${day}T04:40`),
});

describe('the copies that are restored', () => {
  it('are those of the last night, or of the last one that began before a time', () => {
    expect(lastNight(points, null)).toEqual(night('03'));
    expect(lastNight(points, new Date('2026-11-03T00:00:00Z'))).toEqual(night('02'));
  });

  it('are of one night: none is mixed with those of another that lacks one', () => {
    const withoutOne = { ...points, raw_bucket: points.raw_bucket.slice(1) };
    expect(lastNight(withoutOne, null)).toEqual(night('02'));
  });

  it('have buckets that were copied after the table, so that each item finds its object', () => {
    const early = { ...points, lake_bucket: [at('03T03:05'), ...points.lake_bucket.slice(1)] };
    expect(lastNight(early, null)).toEqual(night('02'));
  });

  it('are refused if no night has all three, with how many there are of each', () => {
    expect(() => lastNight({ ...points, lake_bucket: [] }, null)).toThrow('table 3, raw_bucket 3, lake_bucket 0');
    expect(() => lastNight(points, new Date('2026-11-01T00:00:00Z'))).toThrow('No night has copies of the table');
  });
});
