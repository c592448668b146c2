import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import { type BoundList, newestFirst, readCursor, writeCursor } from '../../../shared/domain/base/paging/cursor.ts';

const Place = v.tuple([v.string(), v.number()]);
const place = fc.tuple(fc.string(), fc.integer());
const filters = fc.array(fc.option(fc.string()), { maxLength: 4 });
const secret = fc.option(fc.uint8Array({ minLength: 1, maxLength: 32 }), { nil: undefined });
const refused = (read: () => unknown): boolean => {
  try {
    read();
    return false;
  } catch (error) {
    return error instanceof Problem && error.code === 'validation_error';
  }
};

describe('a cursor', () => {
  it('names its place in the list that it was written for', () => {
    fc.assert(
      fc.property(filters, place, secret, (provided, at, key) => {
        const list: BoundList = ['list', ...provided];
        expect(readCursor(list, Place, writeCursor(list, at, key), key)).toEqual(at);
      }),
    );
  });

  it('is refused by any other list, workspace or filter (C-READ-3)', () => {
    fc.assert(
      fc.property(filters, filters, place, (provided, other, at) => {
        fc.pre(JSON.stringify(provided) !== JSON.stringify(other));
        const cursor = writeCursor(['list', ...provided], at);
        return refused(() => readCursor(['list', ...other], Place, cursor));
      }),
    );
  });

  it('is refused if a secret signs it and a character of it was changed, or another secret reads it', () => {
    fc.assert(
      fc.property(place, fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(), (at, key, where) => {
        const list: BoundList = ['list'];
        const cursor = writeCursor(list, at, key);
        const i = where % cursor.length;
        const changed = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`;
        const other = key.map((byte) => byte ^ 1);
        return (
          refused(() => readCursor(list, Place, changed, key)) && refused(() => readCursor(list, Place, cursor, other))
        );
      }),
    );
  });

  it('takes a filter that is left out for one that is null', () => {
    expect(readCursor(['list', null], Place, writeCursor(['list', undefined], ['a', 1]))).toEqual(['a', 1]);
  });

  it('is refused, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => refused(() => readCursor(['list'], Place, text))));
    expect(refused(() => readCursor(['list'], Place, writeCursor(['list'], { not: 'a place' })))).toBe(true);
  });
});

describe('a list that is held whole', () => {
  it('is paged newest first, each item once, whatever the size of the pages', () => {
    const item = fc.tuple(fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'), fc.uuid());
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { selector: ([, id]) => id }),
        fc.integer({ min: 1, max: 5 }),
        (items, limit) => {
          const seen: (readonly [string, string])[] = [];
          let cursor: string | null | undefined;
          do {
            const page = newestFirst(items, (one) => one, { limit, cursor: cursor ?? undefined, list: ['list'] });
            seen.push(...page.items);
            cursor = page.next_cursor;
          } while (cursor !== null);
          expect(seen).toEqual(items.toSorted(([a, x], [b, y]) => (a === b ? (x < y ? 1 : -1) : a < b ? 1 : -1)));
        },
      ),
    );
  });
});
