import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../../../shared/contract/field-errors.ts';
import { TrackingPlan } from '../../../shared/contract/tracking-plan.ts';
import { planViolations } from '../../../shared/domain/events/tracking-plan.ts';
import { processorTime } from '../../support/processor-time.ts';

type Json = Readonly<Record<string, unknown>>;

const planOf = (events: Json, more: Json = {}) => v.parse(TrackingPlan, { mode: 'block', events, ...more });
const errorsOf = (events: unknown) => {
  const result = v.safeParse(TrackingPlan, { mode: 'warn', events });
  return result.success ? [] : fieldErrors('', result.issues);
};

/** A value as it is read, with numbers that are kept as text. */
function withRawNumbers(sent: unknown): unknown {
  if (typeof sent === 'number') return JSON.rawJSON(String(sent));
  if (Array.isArray(sent)) return sent.map(withRawNumbers);
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([key, one]) => [key, withRawNumbers(one)]));
}

/** The violations of a track's properties, by its line and by the event that the route has read. */
function check(schema: Json, properties: unknown) {
  const event = { type: 'track', event: 'Order', properties };
  const [plan, line] = [planOf({ Order: schema }), JSON.stringify(event)];
  const found = planViolations(plan, line, '/events/0');
  expect(planViolations(plan, line, '/events/0', withRawNumbers(event))).toEqual(found);
  return found;
}
const broken = (schema: Json, properties: unknown) => check(schema, properties).map(({ counted }) => counted);

const name = fc.constantFrom('a', 'b', 'c', 'd/e~');
const words = fc.constantFrom('', 'x', 'xy', '😀😀', '2026-11-21T10:00:00Z');
const scalar = fc.oneof(
  words,
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, 2.5),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const small = fc.integer({ min: 0, max: 3 });
const ownRules = {
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
  const: scalar,
  minimum: small,
  maximum: small,
  exclusiveMinimum: small,
  exclusiveMaximum: small,
  minLength: small,
  maxLength: small,
  format: fc.constant('date-time'),
  minItems: small,
  maxItems: small,
  minProperties: small,
  maxProperties: small,
  required: fc.uniqueArray(name, { maxLength: 2 }),
  $ref: fc.constant('#/$defs/shared'),
};
/** Most have few rules: one with many holds for nothing. */
const sparse = <T extends Record<string, fc.Arbitrary<unknown>>>(parts: T) =>
  fc
    .subarray(Object.keys(parts), { maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((one) => [one, parts[one] ?? fc.constant(null)]))));
const shared = sparse({ type: ownRules.type, minimum: small, maxLength: small, enum: ownRules.enum });
const rooted = (schema: fc.Arbitrary<unknown>) =>
  fc.tuple(schema, shared).map(([one, $defs]) => ({ ...Object(one), $defs: { shared: $defs } }) as Json);

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const several = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      sparse(ownRules),
      fc.boolean(),
      sparse({
        ...ownRules,
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        additionalProperties: tie('schema'),
        items: tie('schema'),
        allOf: several,
        anyOf: several,
        oneOf: several,
        not: tie('schema'),
      }),
    ),
  };
});

const { plain } = fc.letrec<{ plain: unknown }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 3 },
    sparse(ownRules),
    sparse({
      ...ownRules,
      properties: fc.dictionary(name, tie('plain'), { maxKeys: 4 }),
      additionalProperties: fc.boolean(),
      items: tie('plain'),
    }),
  ),
}));

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);

/** Where the oracle finds an error, as a plan says it. */
function placeOf({ keyword, instancePath, params }: ErrorObject): string {
  const place = `/properties${instancePath}`.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  if (keyword === 'additionalProperties') return `${place}/*`;
  return keyword === 'required'
    ? `${place}/${params['missingProperty'].replaceAll('~', '~0').replaceAll('/', '~1')}`
    : place;
}

describe('the rules of an event’s schema', () => {
  it('accept the same values as another implementation (C-PLAN-2)', () => {
    let refused = 0;
    fc.assert(
      fc.property(rooted(schema), value, (one, properties) => {
        const holds = ajv.validate(one, properties ?? {});
        if (!holds) refused++;
        expect(check(one, properties).length === 0).toBe(holds);
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it('are broken at the same places as in another implementation (C-PLAN-3)', () => {
    fc.assert(
      fc.property(rooted(plain), fc.dictionary(name, value, { maxKeys: 4 }), (one, properties) => {
        ajv.validate(one, properties);
        const places = new Set(ajv.errors?.map(placeOf) ?? []);
        expect(new Set(check(one, properties).map(({ path }) => path.replace('/events/0', '')))).toEqual(places);
      }),
      { numRuns: 1_000 },
    );
  });

  it('say the place and the rule, and never a value or a name that only the event has (C-PLAN-3)', () => {
    const secret = fc.constantFrom('hush-1', 'hush-2');
    const content = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        secret,
        fc.integer({ min: 777_000, max: 777_999 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(name, secret), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(rooted(schema), fc.dictionary(fc.oneof(name, secret), content), (one, properties) => {
        const found = check(one, properties);
        expect(JSON.stringify([found, found.map(({ counted }) => counted)])).not.toMatch(/hush|777/);
      }),
      { numRuns: 500 },
    );
  });

  it('are named with the place of the event, each once', () => {
    const lines = {
      type: 'array',
      items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } },
    };
    const order = { properties: { total: { type: 'number', minimum: 0 }, lines }, additionalProperties: false };
    const found = check(order, { total: -1, lines: [{}, {}, { sku: 1 }], surprise: 1, other: 2 });
    expect(JSON.parse(JSON.stringify(found))).toEqual([
      { path: '/events/0/properties/total', message: 'must be at least 0 (tracking plan)' },
      { path: '/events/0/properties/lines/*/sku', message: 'is required (tracking plan)' },
      { path: '/events/0/properties/lines/*/sku', message: 'must be of type string (tracking plan)' },
      { path: '/events/0/properties/*', message: 'is not allowed (tracking plan)' },
    ]);
    expect(found[0]?.counted).toBe('Order: /properties/total must be at least 0');
  });

  it.each([
    [{ minimum: 2 }, 2, 1, 'must be at least 2'],
    [{ maximum: 2 }, 2, 3, 'must be at most 2'],
    [{ exclusiveMinimum: 2 }, 3, 2, 'must be more than 2'],
    [{ exclusiveMaximum: 2 }, 1, 2, 'must be less than 2'],
    [{ minLength: 2 }, 'ab', 'a', 'must have at least 2 characters'],
    [{ maxLength: 2 }, 'ab', 'abc', 'must have at most 2 characters'],
  ])('of %j are none at the bound, and one beyond it', (schema, within, beyond, message) => {
    expect(check({ properties: { one: schema } }, { one: within })).toEqual([]);
    expect(check({ properties: { one: schema } }, { one: beyond }).map((one) => one.message)).toEqual([
      `${message} (tracking plan)`,
    ]);
  });

  it('take bounded steps, beyond which the event breaks the plan (C-PLAN-4)', () => {
    const items = { anyOf: Array.from({ length: 20 }, (_, n) => ({ type: 'string', minLength: n + 1 })) };
    const few = check({ properties: { all: { items } } }, { all: Array.from({ length: 500 }, () => 1) });
    expect(few.map(({ message }) => message)).toEqual(['must match one of the alternatives (tracking plan)']);
    const many = check({ properties: { all: { items } } }, { all: Array.from({ length: 10_000 }, () => 1) });
    expect(many.map(({ counted }) => counted)).toEqual(['Order: /properties takes too many steps to check']);
  });

  const names = Array.from({ length: 200 }, (_, n) => `n${n}`);
  const everyItem = (items: unknown) => ({
    properties: { all: { allOf: Array.from({ length: 20 }, () => ({ items })) } },
  });
  it.each([
    ['required names', everyItem({ required: names.slice(0, 90) }), {}],
    ['items that are not allowed', everyItem(false), 0],
    ['items that are always allowed', everyItem(true), 0],
    ['listed values', everyItem({ enum: names }), 'n199'],
    ['names that are not allowed', everyItem({ additionalProperties: false }), { a: 1, b: 2 }],
    ['characters to count', everyItem({ maxLength: 900 }), 'x'.repeat(1_000)],
    ['alternatives', everyItem({ anyOf: names.slice(0, 5).map((name) => ({ required: [name] })) }), {}],
    ['nested lists', everyItem({ items: { items: { type: 'string' } } }), [[1, 2], [3]]],
  ])('costs in proportion to the bytes of events, whatever the plan says of %s (C-PLAN-4)', (_, schema, item) => {
    const bytes = 30_000;
    const all = Array.from({ length: Math.floor(bytes / (JSON.stringify(item).length + 1)) }, () => item);
    const plan = planOf({ Order: schema });
    const line = JSON.stringify({ type: 'track', event: 'Order', properties: { all } });
    const found = planViolations(plan, line, '/events/0');
    expect(found.length).toBeLessThan(200);
    expect(processorTime(() => planViolations(plan, line, ''))).toBeLessThan(60);
  });
});

describe('the schema of an event', () => {
  const needsPlan = { required: ['plan'] };
  const found = (event: Json, events: Json, more: Json = {}) =>
    planViolations(planOf(events, more), JSON.stringify(event), '').map(({ path }) => path);

  it('is found by the name of a track, else by the type, and checks its properties or traits (C-PLAN-2)', () => {
    for (const [type, container] of Object.entries({ page: 'properties', identify: 'traits', group: 'traits' })) {
      const events = { [`$${type}`]: needsPlan };
      expect(found({ type }, events)).toEqual([`/${container}/plan`]);
      expect(found({ type, [container]: { plan: 'pro' } }, events)).toEqual([]);
      expect(found({ type: 'track', event: 'Order' }, events)).toEqual([]);
    }
    expect(found({ type: 'track', event: 'Order', traits: { plan: 1 } }, { Order: needsPlan })).toEqual([
      '/properties/plan',
    ]);
  });

  it('may be missing, unless the plan has all events (C-PLAN-2)', () => {
    const more = { additional_events: false };
    expect(found({ type: 'track', event: 'toString' }, { Order: {} })).toEqual([]);
    expect(found({ type: 'track', event: 'Secret' }, { Order: {} }, more)).toEqual(['/event']);
    expect(found({ type: 'track', event: 'Order' }, { Order: {} }, more)).toEqual([]);
    expect(found({ type: 'page' }, { Order: {} }, more)).toEqual([]);
    const [violation] = planViolations(planOf({}, more), JSON.stringify({ type: 'track', event: 'Secret' }), '');
    expect(violation?.counted).toBe('/event is not a planned event');
  });
});

describe('a plan', () => {
  const deep = (levels: number): Json => (levels === 1 ? {} : { properties: { a: deep(levels - 1) } });
  const wide = (count: number): Json => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}])),
  });
  /** Each definition uses the next one twice. */
  const doubling = (levels: number): Json => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, n) => [
        `d${n}`,
        n === levels - 1 ? {} : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    ),
  });
  const unknown = /is not a keyword that tracking plans evaluate/;
  const schemas = /must be a JSON Schema/;
  const size = /must have at most 200 schemas, 20 levels deep/;
  const required = Array.from({ length: 200 }, (_, n) => `n${n}`);
  const everyName = { allOf: Array.from({ length: 10 }, () => ({ required })) };

  it.each<[string, Json, string, RegExp]>([
    ['a pattern', { properties: { a: { pattern: '(a+)+$' } } }, '/properties/a/pattern', unknown],
    ['patterns of names', { patternProperties: { a: true } }, '/patternProperties', unknown],
    ['unique items', { items: { uniqueItems: true } }, '/items/uniqueItems', unknown],
    ['a tuple', { items: [{}] }, '/items', schemas],
    ['a list as a schema', { not: [] }, '/not', schemas],
    ['a misspelt keyword', { anyOf: [{}, { requird: ['a'] }] }, '/anyOf/1/requird', unknown],
    ['definitions below the root', { not: { $defs: {} } }, '/not/$defs', unknown],
    ['a format that is not evaluated', { not: { format: 'email' } }, '/not/format', /no other format is evaluated/],
    ['a schema elsewhere', { $ref: 'https://schemas.test/order.json' }, '/$ref', /must be #\/\$defs\/NAME/],
    ['a pointer to elsewhere in the schema', { $ref: '#/properties/a' }, '/$ref', /must be #\/\$defs\/NAME/],
    ['a definition that is not there', { $ref: '#/$defs/toString', $defs: {} }, '', size],
    ['a definition of itself', { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }, '', size],
    ['definitions that multiply', doubling(12), '', size],
    ['a type that JSON does not have', { type: ['string', 'date'] }, '/type/1', /must be one of null, boolean/],
    ['values that are no scalars', { enum: [{}] }, '/enum/0', /must be a string, number, boolean or null/],
    ['a fraction as a length', { minLength: 0.5 }, '/minLength', /./],
    ['too deep a schema', deep(21), '', size],
    ['too large a schema', wide(200), '', size],
    ['too many values', { enum: Array.from({ length: 201 }, (_, n) => n) }, '/enum', /at most 200 items/],
    ['too many alternatives', { anyOf: Array.from({ length: 21 }, () => ({})) }, '/anyOf', /at most 20 items/],
    ['too many names to require', everyName, '', /at most 2000 schemas, required names and quarters/],
    ['a member of every object', { properties: { constructor: {} } }, '/properties', /must not have one of the names/],
  ])('is refused at the place of %s (C-PLAN-4)', (_, schema, place, rule) => {
    const [error, ...others] = errorsOf({ Order: schema });
    expect(others).toEqual([]);
    expect(error?.path).toBe(`/events/Order${place}`);
    expect(error?.message).toMatch(rule);
  });

  it('takes schemas up to the limits, with notes (C-PLAN-4)', () => {
    const notes = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'order', title: 'Order', examples: [{}] };
    expect(
      errorsOf({ Order: { ...notes, ...deep(20) }, $page: wide(199), $identify: doubling(6), $group: {} }),
    ).toEqual([]);
    expect(errorsOf({ $screen: {} })[0]?.message).toMatch(/must not have a name that begins with \$/);
    const nested = Array.from({ length: 900 }).reduce<Json>((inner) => ({ not: inner }), {});
    expect(errorsOf({ Order: nested })).toEqual([
      { path: '/events', message: 'must be nested at most 44 levels deep' },
    ]);
    expect(errorsOf(undefined)[0]?.path).toBe('/events');
    expect(errorsOf([])).toEqual([{ path: '/events', message: 'must be an object' }]);
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`e${n}`, {}]));
    expect(errorsOf(many(500))).toEqual([]);
    expect(errorsOf(many(501))[0]?.message).toBe('must have at most 500 events');
    const description = 'x'.repeat(128 * 1_024);
    expect(errorsOf({ Order: { description } })[0]?.message).toBe('must have at most 128 KiB as compact JSON');
  });

  it('counts a rule under the name of its event only', () => {
    expect(broken({ required: ['a'] }, {})).toEqual(['Order: /properties/a is required']);
  });
});
