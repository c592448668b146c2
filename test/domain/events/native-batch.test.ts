import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CollectionEvent } from '../../../shared/contract/collection.ts';
import { type FieldError, Problem } from '../../../shared/contract/problems.ts';
import { acceptNativeBatch, type CollectRequest } from '../../../shared/domain/events/accept-batch.ts';
import { collectionPorts, collectRequest, projectKey } from '../../support/collection-ports.ts';

const event = (extra: object = {}) => ({
  id: 'e-1',
  type: 'track',
  timestamp: '2026-11-21T10:00:00Z',
  event: 'Order Placed',
  user_id: 'u-1',
  ...extra,
});
const batch = (...events: unknown[]) => ({ project_key: projectKey, events });

type Outcome = { code: string | null; errors: readonly FieldError[]; lines: readonly string[] };

async function send(body: unknown, overrides: Partial<CollectRequest> = {}): Promise<Outcome> {
  const ports = collectionPorts();
  try {
    await acceptNativeBatch(ports, collectRequest(body, overrides));
    return { code: null, errors: [], lines: ports.accepted.flatMap(({ lines }) => lines) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(ports.accepted).toEqual([]);
    return { code: error.code, errors: error.errors, lines: [] };
  }
}

const long = (length: number) => 'x'.repeat(length);
const nest = (levels: number): object => (levels === 1 ? { leaf: 1 } : { child: nest(levels - 1) });
const nestLists = (levels: number): unknown => (levels === 1 ? [1] : [nestLists(levels - 1)]);
const groups = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`g${n}`, 'k']));
const other = (type: string, extra: object = {}) => event({ type, event: undefined, ...extra });
const named = ['anonymous_id', 'user_id', 'session_id', 'group_type', 'group_key'];
const objects = ['properties', 'context', 'traits', 'set_once'];

describe('an event of the native route', () => {
  const valid: readonly [string, unknown][] = [
    ['a track of a user', event()],
    ['a track of nobody known', event({ user_id: null, anonymous_id: 'a' })],
    ['a page', other('page', { user_id: undefined, anonymous_id: 'a' })],
    ['a page whose name is null', other('page', { event: null })],
    ['an identify', other('identify', { traits: { plan: 'pro' }, set_once: {} })],
    ['a group without an actor', other('group', { user_id: undefined, group_type: 'company', group_key: 'acme' })],
    ['an id of 200 characters that take 400 units', event({ id: '😀'.repeat(200) })],
    ['20 groups', event({ groups: groups(20) })],
    ['properties of 10 levels', event({ properties: nest(10) })],
    ['lists within properties, 10 levels in all', event({ properties: { list: nestLists(9) } })],
    ['a context of 500 levels', event({ context: nest(500) })],
    ...named.map((field): [string, unknown] => [`${field} of 200 characters`, event({ [field]: long(200) })]),
    ...objects.map((field): [string, unknown] => [`empty ${field}`, event({ [field]: {} })]),
  ];
  it.each(valid)('is accepted: %s (C-LIMIT-9)', async (_, candidate) => {
    expect(await send(batch(candidate))).toEqual({ code: null, errors: [], lines: [JSON.stringify(candidate)] });
  });

  it('is refused if the schema refuses it, whatever short cut was taken (C-COLLECT-2)', async () => {
    const name = fc.constantFrom(...Object.keys(CollectionEvent.entries));
    const text = fc.oneof(fc.constantFrom('', ' ', 'track', long(200), long(201), '😀'.repeat(201)), fc.string());
    const value = fc.oneof(text, fc.constantFrom(null, 0, true, [], [{}]), fc.dictionary(text, text));
    const extra = fc.dictionary(fc.oneof({ weight: 20, arbitrary: name }, { weight: 1, arbitrary: text }), value);
    await fc.assert(
      fc.asyncProperty(extra, async (changed) => {
        const candidate = JSON.parse(JSON.stringify(event(changed)));
        if (!v.is(CollectionEvent, candidate)) expect((await send(batch(candidate))).code).toBe('invalid_event');
      }),
    );
  });

  const invalid: readonly [string, unknown, string][] = [
    ['no object', 'text', ''],
    ['null', null, ''],
    ['a list', [], '/id'],
    ['no id', event({ id: undefined }), '/id'],
    ['a blank id', event({ id: ' \t' }), '/id'],
    ['an empty id', event({ id: '' }), '/id'],
    ['an id of 201 characters', event({ id: long(201) }), '/id'],
    ['an unknown type', event({ type: 'screen' }), '/type'],
    ['an unknown field', event({ 'sur/prise': 1 }), ''],
    ['a track without a name', event({ event: undefined }), '/event'],
    ['a track whose name is null', event({ event: null }), '/event'],
    ['a name that begins with $', event({ event: '$custom' }), '/event'],
    ['a track of nobody', event({ user_id: null }), '/user_id'],
    ['a page with a name', event({ type: 'page' }), '/event'],
    ['an identify without a user', other('identify', { user_id: undefined, anonymous_id: 'a' }), '/user_id'],
    ['a group without its key', other('group', { group_type: 'company' }), '/group_key'],
    ['a group without its type', other('group', { group_key: 'acme' }), '/group_type'],
    ['21 groups', event({ groups: groups(21) }), '/groups'],
    ['a blank group key', event({ groups: { company: ' ' } }), '/groups'],
    ['a blank group type', event({ groups: { ' ': 'k' } }), '/groups'],
    ['a group key that is a number', event({ groups: { company: 5 } }), '/groups'],
    ['groups in a list', event({ groups: [] }), '/groups'],
    ['properties of 11 levels', event({ properties: nest(11) }), '/properties'],
    ['lists within properties, 11 levels in all', event({ properties: { list: nestLists(10) } }), '/properties'],
    ['a timestamp without a zone', event({ timestamp: '2026-11-21T10:00:00' }), '/timestamp'],
    ['a day that no calendar has', event({ timestamp: '2026-02-30T10:00:00Z' }), '/timestamp'],
    ...named.map((field): [string, unknown, string] => [`a blank ${field}`, event({ [field]: ' ' }), `/${field}`]),
    ...objects.flatMap((field): [string, unknown, string][] => [
      [`${field} in a list`, event({ [field]: [] }), `/${field}`],
      [`${field} that are text`, event({ [field]: 'no' }), `/${field}`],
      [`${field} that are null`, event({ [field]: null }), `/${field}`],
    ]),
  ];
  it.each(invalid)(
    'is refused by its place: %s (C-COLLECT-2, C-COLLECT-4, C-COLLECT-5, C-COLLECT-6, C-COLLECT-7, C-COLLECT-8, C-COLLECT-9)',
    async (_, candidate, field) => {
      const { code, errors } = await send(batch(event(), candidate));
      expect([code, errors[0]?.path]).toEqual(['invalid_event', `/events/1${field}`]);
    },
  );

  it('is refused if a number too long for a double represents an object', async () => {
    const text = `{"project_key":"${projectKey}","events":[{"id":"1","type":"page","timestamp":"2026-11-21T10:00:00Z","user_id":"u","properties":12345678901234567890}]}`;
    expect((await send(text)).code).toBe('invalid_event');
  });

  it('is never repeated in its error (C-COLLECT-14)', async () => {
    const secret = 's3cr3t';
    const hostile = event({
      [secret.repeat(50)]: 1,
      event: `$${secret}`,
      groups: { [secret]: 5 },
      timestamp: secret,
      type: secret,
    });
    const { code, errors } = await send(batch(hostile));
    expect(code).toBe('invalid_event');
    expect(JSON.stringify(errors)).not.toContain(secret);
  });

  it('has at most 32 KiB as UTF-8 of its compact JSON', async () => {
    const sized = (bytes: number) => {
      const bare = event({ properties: { blob: '' } });
      return event({ properties: { blob: long(bytes - JSON.stringify(bare).length) } });
    };
    expect((await send(batch(sized(32 * 1024)))).code).toBeNull();
    expect(await send(batch(event(), sized(32 * 1024 + 1)))).toMatchObject({
      code: 'event_too_large',
      errors: [{ path: '/events/1' }],
    });
    expect((await send(batch(event({ properties: { blob: 'é'.repeat(17 * 1024) } })))).code).toBe('event_too_large');
    const spaced = JSON.stringify(batch(event({ properties: { list: Array(5000).fill(1) } })), null, 8);
    expect(spaced.length).toBeGreaterThan(40 * 1024);
    expect((await send(spaced)).code).toBeNull();
  });

  it('is refused, and not a crash, if it is nested beyond any stack', async () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    const text = `{"project_key":"${projectKey}","events":[{"context":{"a":${deep}}}]}`;
    expect((await send(text)).code).toBe('invalid_event');
  });
});

describe('text that other engines refuse (C-COLLECT-24)', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '\0', '\n', '"', '😀', '__proto__') });
  const id = anyText.filter((text) => text.trim() !== '' && [...text].length <= 200);

  it('is stored as U+FFFD at any place, and other text is stored as sent', async () => {
    await fc.assert(
      fc.asyncProperty(id, id, anyText, async (user_id, group, text) => {
        const sent = event({ user_id, groups: { [group]: group }, properties: { [`p${text}`]: [text] } });
        const [line = ''] = (await send(batch(sent))).lines;
        const clean = (one: string) => one.replaceAll('\0', '\ufffd').toWellFormed();
        expect(line).not.toMatch(/\\u(?:d[89a-f]|0000)/);
        const stored = JSON.parse(line);
        expect(stored.user_id).toBe(clean(user_id));
        expect(Object.entries(stored.groups)).toEqual([[clean(group), clean(group)]]);
        expect(Object.entries(stored.properties)).toEqual([[`p${clean(text)}`, [clean(text)]]]);
      }),
    );
  });

  it('keeps the values of keys that become one', async () => {
    const properties = { 'a\0': 1, 'a\ufffd': 2, 'a\ud800': { '\udc00': 3, '\udc01': 4 }, 'a\ufffd2': 5, b: 6 };
    const [line = ''] = (await send(batch(event({ properties })))).lines;
    const expected = { 'a\ufffd0': 1, 'a\ufffd': 2, 'a\ufffd22': { '\ufffd': 3, '\ufffd1': 4 }, 'a\ufffd2': 5, b: 6 };
    expect(JSON.parse(line).properties).toEqual(expected);
  });

  it.each(['constructor', 'prototype', '__proto__', 'toString'])(
    'holds groups named %s to all rules (C-COLLECT-6)',
    async (name) => {
      const text = (key: unknown) =>
        `{"project_key":"${projectKey}","events":[${JSON.stringify(event()).slice(0, -1)},"groups":{"a":"b","${name}":${JSON.stringify(key)}}}]}`;
      expect((await send(text('acme'))).lines[0]).toContain(`"${name}":"acme"`);
      for (const key of [5, ' ', 'x'.repeat(201), null, {}])
        expect(await send(text(key))).toMatchObject({ code: 'invalid_event', errors: [{ path: '/events/0/groups' }] });
    },
  );
});

describe('an error never repeats a key of content (C-COLLECT-14)', () => {
  const secret = 'ada@example.com';
  const first = JSON.stringify(event());
  const withPart = (part: string) => `{"project_key":"${projectKey}","events":[${first.slice(0, -1)},${part}}]}`;

  it.each([
    ['a key twice in properties', withPart(`"traits":{"${secret}":1,"${secret}":2}`), '/events/0/traits'],
    ['a key twice in groups', withPart(`"groups":{"${secret}":"a","${secret}":"b"}`), '/events/0/groups'],
    ['a key twice, deep in the context', withPart(`"context":{"${secret}":[{"a":1,"a":2}]}`), '/events/0/context'],
    ['an unknown field of an event', withPart(`"${secret}":1`), '/events/0'],
    ['an unknown field of the batch', `{"project_key":"${projectKey}","events":[${first}],"${secret}":1}`, ''],
    ['NaN', withPart(`"traits":{"${secret}":[NaN]}`), '/events/0/traits'],
    ['-Infinity after a text that names it', withPart(`"context":{"a":": NaN","b":-Infinity}`), '/events/0/context'],
    ['a string that does not end', withPart(`"context":{"a":"`).slice(0, -4), null],
    ['NaN as a key of a key that is none', withPart(`"con\ntext":{"a":NaN}`), null],
  ])('which is %s', async (_, body, path) => {
    const { errors } = await send(body);
    expect(errors.map((one) => one.path)).toEqual(path === null ? [] : [path]);
    expect(JSON.stringify(errors)).not.toContain(secret);
  });
});

describe('a body of the native route', () => {
  const headers = (extra: object) => ({ headers: { 'content-type': 'application/json', ...extra } });

  it.each([
    [{ events: [event()] }, '/project_key'],
    [{ project_key: projectKey }, '/events'],
    [{ project_key: 5, events: [event()] }, '/project_key'],
    [{ project_key: '  ', events: [event()] }, '/project_key'],
    [{ project_key: long(201), events: [event()] }, '/project_key'],
    [{ project_key: projectKey, events: {} }, '/events'],
    [{ project_key: projectKey, events: [] }, '/events'],
    [{ project_key: projectKey, events: Array(101).fill(event()) }, '/events'],
    [{ project_key: projectKey, events: [event()], workspace_id: 'w' }, ''],
    [[], '/project_key'],
    [null, ''],
  ])('is refused where it is no batch: %# (C-COLLECT-1)', async (body, path) => {
    const { code, errors } = await send(body);
    expect(code).toBe('invalid_batch');
    expect(errors.map((error) => error.path)).toContain(path);
  });

  it('may be gzip that says so, and is bounded as received and as inflated (C-COLLECT-22, C-LIMIT-1)', async () => {
    const gzip = headers({ 'content-encoding': 'gzip' });
    expect((await send(gzipSync(JSON.stringify(batch(event()))), gzip)).code).toBeNull();
    expect((await send(Buffer.from('no gzip'), gzip)).code).toBe('invalid_compression');
    expect((await send(gzipSync(JSON.stringify(batch(event()))).subarray(0, 40), gzip)).code).toBe(
      'invalid_compression',
    );
    expect((await send(gzipSync(Buffer.alloc(1024 * 1024 + 1, ' ')), gzip)).code).toBe('body_too_large');
    expect((await send(gzipSync(Buffer.alloc(1024 * 1024, ' ')), gzip)).code).toBe('invalid_json');
    expect((await send(Buffer.alloc(1024 * 1024 + 1, ' '))).code).toBe('body_too_large');
    expect((await send(gzipSync(JSON.stringify(batch(event()))))).code).toBe('invalid_json');
  });

  it.each([
    [{ 'content-type': undefined }, 'unsupported_media_type'],
    [{ 'content-type': 'text/csv' }, 'unsupported_media_type'],
    [{ 'content-type': 'application/json; charset=utf-16' }, 'unsupported_media_type'],
    [{ 'content-encoding': 'br' }, 'unsupported_content_encoding'],
    [{ 'content-type': 'Application/JSON; charset="UTF-8"', 'content-encoding': 'Identity' }, null],
  ])('is read by its headers: %o', async (extra, code) => {
    expect((await send(batch(event()), headers(extra))).code).toBe(code);
  });

  it('has to be UTF-8, and the refusal says so', async () => {
    const refusal = { code: 'invalid_json', errors: [{ path: '', message: 'must be UTF-8' }] };
    expect(await send(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject(refusal);
  });

  it('is checked for its shape before its key, and for its key before its events (C-ERROR-7)', async () => {
    const refusal = async (body: object) => (await send(body)).code;
    expect(await refusal({ project_key: 'nobody', events: [] })).toBe('invalid_batch');
    expect(await refusal({ project_key: 'nobody', events: [{}] })).toBe('invalid_project_key');
    expect(await refusal({ project_key: projectKey, events: [{}] })).toBe('invalid_event');
  });

  it('is kept with every digit, whatever JSON it is (C-LAKE-4)', async () => {
    const number = fc.oneof(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.constantFrom('1e999', '-1e-999', '0.10000000000000000001', '123456789.123456789123'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 5 }), async (numbers) => {
        const text = JSON.stringify(batch(event({ properties: { list: '@' } }))).replace(
          '"@"',
          `[${numbers.join(',')}]`,
        );
        const [line = ''] = (await send(text)).lines;
        const retained = /"list":\[([^\]]*)\]/.exec(line)?.[1]?.split(',') ?? [];
        retained.forEach((digits, n) => {
          expect(exact(digits)).toBe(exact(numbers[n] ?? ''));
        });
      }),
    );
  });
});

/** The number as sign, digits and exponent, so that `1e2` is `100`. */
function exact(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
