import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrackingPlan } from '../../../shared/contract/tracking-plan.ts';
import { describeShapes, noteShapes, type StoredShapes } from '../../../shared/domain/events/shapes/note-shapes.ts';
import {
  columnsOf,
  type Field,
  type Fields,
  fieldKey,
  fieldsOf,
  mergeFields,
  type ProjectShapes,
  withoutName,
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

const letters = (n: number): string =>
  [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');

describe('names of fields and events', () => {
  const track = (event: string, properties: object = {}, more: object = {}) => ({
    type: 'track',
    event,
    properties,
    ...more,
  });
  const shapesOf = (...batches: readonly (readonly object[])[]) =>
    batches.reduce<ProjectShapes | null>((shapes, events, n) => {
      const day = `2026-11-${String(2 + n).padStart(2, '0')}`;
      return withSeen(shapes, fieldsOf(events), day)?.next ?? shapes;
    }, null);
  const shown = (shapes: ProjectShapes | null) => describeShapes(shapes && { shapes, revision: 1 });
  const pathsOf = (shapes: ProjectShapes | null, event: string) =>
    shown(shapes)
      .items.find((one) => one.event === event)
      ?.fields.map(({ path }) => path);
  const skus = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`sku_${n + from}`, 1]));

  it('that differ in their digits only are one pattern once they are many, in one batch or in several (C-COLLINEAGE-5)', () => {
    expect(pathsOf(shapesOf([track('Cart', skus(1_100))]), 'Cart')).toEqual(['properties.sku_{n}']);
    expect(pathsOf(shapesOf([track('Cart', skus(8))], [track('Cart', skus(8, 8))]), 'Cart')).toEqual([
      'properties.sku_{n}',
    ]);
    expect(pathsOf(shapesOf([track('Cart', skus(11))], [track('Cart', { sku_99: 1 })]), 'Cart')).toEqual([
      'properties.sku_{n}',
    ]);
    expect(pathsOf(shapesOf([track('Cart', skus(2))]), 'Cart')).toEqual(['properties.sku_0', 'properties.sku_1']);
    const steps = shapesOf(Array.from({ length: 40 }, (_, n) => track(`Step ${n}`, { [`p${letters(n)}`]: 1 })));
    expect(shown(steps).items.map(({ event }) => event)).toEqual(['Step {n}']);
  });

  it('are not stored if they are identifiers (C-COLLINEAGE-5)', () => {
    const names = {
      'ada@example.com': '{email}',
      'u-0192f3a0-0000-7000-8000-00000000000a': 'u-{uuid}',
      usr_9aF3kQzzT1b2c3d4: 'usr_{id}',
      'phone +491701234567': 'phone +{n}',
    };
    const shapes = shapesOf([
      track('Viewed by ada@example.com', Object.fromEntries(Object.keys(names).map((one) => [one, { [one]: 1 }]))),
    ]);
    const paths = Object.values(names).flatMap((one) => [`properties.${one}`, `properties.${one}.${one}`]);
    expect(pathsOf(shapes, '{email}')).toEqual(paths.sort());
    for (const one of Object.keys(names)) expect(JSON.stringify([...(shapes?.fields ?? [])])).not.toContain(one);
    expect(columnsOf(shapes ?? { fields: new Map() })).toEqual([]);
  });

  it('list events even if there is no room for fields, and the answer says that some are missing (C-COLLINEAGE-3)', () => {
    const full = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`p${letters(n)}`, 1]));
    const answer = shown(shapesOf([track('Cart', full)], [track('Refund', { amount: 5 })]));
    expect(answer.items.map(({ event, fields }) => [event, fields.length])).toEqual([
      ['Cart', 800],
      ['Refund', 0],
    ]);
    expect(answer.left_out_on).toBe('2026-11-03');
  });

  it('that anybody sends cannot use up the room of events with a server key (C-COLLINEAGE-3)', () => {
    const flood = Array.from({ length: 60 }, (_, n) =>
      track(letters(n), Object.fromEntries(Array.from({ length: 30 }, (_, m) => [`p${letters(m)}`, 1]))),
    );
    const floods = Array.from({ length: 10 }, (_, n) =>
      flood.map((one) => ({ ...one, event: `${one.event} ${letters(n)}` })),
    );
    const own = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`own${letters(n)}`, 1]));
    const shapes = shapesOf(...floods, [track('Invoice', own, { trusted: true })]);
    expect(pathsOf(shapes, 'Invoice')).toHaveLength(150);
  });

  it('that a tracking plan names have room after a flood from strangers, and others of the event have none (C-COLLINEAGE-3)', async () => {
    let stored: StoredShapes | null = null;
    let reads = 0;
    const properties = { total: {}, cart: { properties: { size: {} } } };
    const events = { Order: { properties }, $identify: { properties: { plan: {} } } };
    const noting = {
      shapes: {
        remembered: async () => stored,
        replace: async (_: unknown, found: StoredShapes | null, next: ProjectShapes) => {
          stored = { shapes: next, revision: (found?.revision ?? 0) + 1 };
          return 'replaced' as const;
        },
      },
      queue: { send: async () => {} },
      trackingPlan: async () => {
        reads++;
        return { mode: 'warn', additional_events: true, events } as TrackingPlan;
      },
    };
    const row = { workspace_id: 'w', project_id: 'p', receivedAt: '2026-11-03T00:00:00Z', batchId: 'b', partition: '' };
    const note = (...list: readonly object[]) =>
      noteShapes(noting, list.map((one) => ({ ...row, line: JSON.stringify(one) })) as never);
    await note(track('Flood', Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`p${letters(n)}`, 1]))));
    const order = track('Order', { total: 1, cart: { size: 2, strange: 3 }, strange: 4 });
    await note(order, { type: 'identify', traits: { plan: 'pro', strange: 5 } });
    const { items } = describeShapes(stored);
    const pathsIn = (name: string) => items.find(({ event }) => event === name)?.fields.map(({ path }) => path);
    expect(pathsIn('Flood')).toHaveLength(800);
    expect(pathsIn('Order')).toEqual(['properties.cart', 'properties.cart.size', 'properties.total']);
    expect(pathsIn('$identify')).toEqual(['traits.plan']);
    await note(track('Order', { total: 1 }));
    expect(reads).toBe(2);
  });

  it('have changes with a first day and a count: what is new, of another type, or gone (C-COLLINEAGE-6)', () => {
    const weeks = (from: number) => Array.from({ length: 7 }, (_, n) => `2026-${String(from + n).padStart(2, '0')}-01`);
    let shapes: ProjectShapes | null = null;
    const send = (day: string, ...events: object[]) => {
      shapes = withSeen(shapes, fieldsOf(events), day)?.next ?? shapes;
    };
    send('2026-01-01', track('Order', { total: 1, note: 'x' }));
    expect(shown(shapes).changes).toEqual([]);
    send(
      '2026-01-02',
      track('Order', { total: '1', tax: 1 }),
      track('Order', { total: '2' }),
      track('Refund', { a: 1 }),
    );
    expect(shown(shapes).changes).toEqual([
      { on: '2026-01-02', kind: 'new_type', event: 'Order', path: 'properties.total', types: ['string'], events: 2 },
      { on: '2026-01-02', kind: 'new_field', event: 'Order', path: 'properties.tax', types: ['number'], events: 1 },
      { on: '2026-01-02', kind: 'new_event', event: 'Refund', path: '', types: [], events: 1 },
    ]);
    for (const day of weeks(2)) send(day, track('Order', { total: 1 }));
    expect(
      shown(shapes)
        .changes.filter(({ kind }) => kind === 'gone')
        .map(({ event, path }) => `${event} ${path}`)
        .sort(),
    ).toEqual(['Order properties.note', 'Order properties.tax', 'Refund ', 'Refund properties.a']);
  });

  it('that hold the id of an erased person are removed, with the changes that name it (C-ERASE-4)', () => {
    const shapes = shapesOf([track('Order', { ada: 1, total: 1 })], [track('ada calls', { a: 1 })]);
    const left = shapes && withoutName(shapes, 'ada');
    expect(JSON.stringify(shown(left))).not.toContain('ada');
    expect(pathsOf(left, 'Order')).toEqual(['properties.total']);
    expect(left && withoutName(left, 'ada')).toBeNull();
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
    const many = Array.from({ length: 1_500 }, (_, n) => `p${letters(n)}`);
    const { written, columns } = noted([
      ['2026-11-02', many],
      ['2026-11-02', many],
      ['2026-11-03', ['other']],
    ]);
    // That it is left out is written once a day.
    expect([written, columns.length]).toEqual([['changed', '-', 'seen'], 800]);
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
    ].map(fieldKey);
    expect(one).not.toBe(other);
  });
});
