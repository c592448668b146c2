import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnsOf,
  type Field,
  type Fields,
  fieldKey,
  fieldsOf,
  mergeFields,
  type ProjectShapes,
  withSeen,
} from '../../../shared/domain/events/shapes/shapes.ts';

const value = fc.oneof(
  fc.constantFrom(null, 1, 'x', true, [], [{ inner: 1 }]),
  fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'a.b'), fc.constantFrom(null, 1, 'x'), { maxKeys: 3 }),
);
const properties = fc.dictionary(fc.constantFrom('total', 'Total', 'note', 'constructor'), value, { maxKeys: 4 });
const event = fc.record({
  type: fc.constantFrom('track', 'page'),
  event: fc.constantFrom('Order Placed', 'constructor', null),
  properties: fc.option(properties),
  context: fc.option(properties),
});
const events = fc.array(event, { maxLength: 8 });

const inWeek = (list: readonly unknown[], seen = 1): Fields =>
  mergeFields(
    new Map(),
    fieldsOf(list).map((field) => ({ ...field, seen })),
  );
const plain = (fields: Fields) => [...fields.values()].map((one) => JSON.stringify(one)).sort();
const merged = (...all: readonly Fields[]): Fields =>
  all.reduce((known, more) => mergeFields(known, more.values()), new Map<string, Field>());

describe('the fields of events', () => {
  it('do not depend on the order in which events arrive, or on how they are batched', () => {
    fc.assert(
      fc.property(events, fc.nat(), (list, cut) => {
        const at = cut % (list.length + 1);
        const whole = plain(inWeek(list));
        expect(plain(inWeek(list.toReversed()))).toEqual(whole);
        expect(plain(merged(inWeek(list.slice(0, at)), inWeek(list.slice(at))))).toEqual(whole);
      }),
    );
  });

  it('merge in any order and grouping, and once as often as they like', () => {
    const weeks = fc.tuple(events, fc.integer({ min: 1, max: 3 })).map(([list, week]) => inWeek(list, week));
    fc.assert(
      fc.property(weeks, weeks, weeks, (a, b, c) => {
        expect(plain(merged(a, b))).toEqual(plain(merged(b, a)));
        expect(plain(merged(merged(a, b), c))).toEqual(plain(merged(a, merged(b, c))));
        expect(plain(merged(a, a))).toEqual(plain(a));
      }),
    );
  });

  it('are names and types, and no value', () => {
    const secret = 'ann@example.com';
    const list = [{ type: 'track', event: 'e', properties: { a: secret, b: [secret], c: { d: secret } } }];
    expect(JSON.stringify(fieldsOf(list))).not.toContain(secret);
    const columns = columnsOf({ fields: inWeek(list) });
    expect(columns).toEqual([
      { name: 'properties.a', type: 'string' },
      { name: 'properties.b', type: 'array' },
      { name: 'properties.c', type: 'object' },
      { name: 'properties.c.d', type: 'string' },
    ]);
  });

  it('are one column if their names differ in case only, and without a type if they are null only', () => {
    const list = [
      { type: 'page', properties: { Total: 1, note: null } },
      { type: 'page', properties: { total: 'x' } },
    ];
    expect(columnsOf({ fields: inWeek(list) })).toEqual([
      { name: 'properties.Total', type: 'number | string' },
      { name: 'properties.note', type: null },
    ]);
  });
});

describe('what is written of a project', () => {
  const seen = (...names: string[]) =>
    fieldsOf(names.map((name) => ({ type: 'track', event: 'e', properties: { [name]: 1 } })));
  const noted = (steps: readonly (readonly [string, readonly string[]])[]) => {
    let shapes: ProjectShapes | null = null;
    const written = steps.map(([day, names]) => {
      const next: ReturnType<typeof withSeen> = withSeen(shapes, seen(...names), day);
      shapes = next?.next ?? shapes;
      return next === null ? '-' : next.changed ? 'changed' : 'seen';
    });
    return { written, columns: columnsOf(shapes ?? { fields: new Map() }).map(({ name }) => name) };
  };

  it('is new fields at once, and that known ones are still there once a week and a day at most', () => {
    const { written } = noted([
      ['2026-11-02', ['a', 'b']],
      ['2026-11-02', ['a']],
      ['2026-11-02', ['c']],
      ['2026-11-08', ['a', 'b', 'c']],
      ['2026-11-09', ['a']],
      ['2026-11-09', ['b']],
      ['2026-11-10', ['b']],
      ['2026-11-10', ['c']],
      ['2026-11-11', ['a', 'b', 'c']],
      ['2026-11-11', ['a', 'b', 'c']],
    ]);
    expect(written).toEqual(['changed', '-', 'changed', '-', 'changed', '-', 'seen', '-', 'seen', '-']);
  });

  it('is bounded: what has no room is not written, in no batch', () => {
    const many = Array.from({ length: 1_500 }, (_, n) => `p${n}`);
    const { written, columns } = noted([
      ['2026-11-02', many],
      ['2026-11-02', many],
      ['2026-11-03', ['other']],
    ]);
    expect([written, columns.length]).toEqual([['changed', '-', '-'], 999]);
  });

  it('takes an old batch that comes late for one of the current week', () => {
    expect(
      noted([
        ['2026-11-20', ['a']],
        ['2026-11-02', ['a']],
        ['2026-11-02', ['b']],
      ]).written,
    ).toEqual(['changed', '-', 'changed']);
  });

  it('keys fields apart, whatever they are called', () => {
    const [one, other] = [
      { event: 'a', path: 'b.c' },
      { event: 'a.b', path: 'c' },
    ].map((field) => fieldKey({ ...field, types: [] }));
    expect(one).not.toBe(other);
  });
});
