import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/contract/problems.ts';
import {
  acceptCaptureBatch,
  acceptPosthogBatch,
  type CollectRequest,
} from '../../../shared/domain/events/accept-batch.ts';
import { refuse } from '../../../shared/domain/events/receive/foreign-events.ts';
import { newSecret } from '../../../shared/domain/workspaces/access/secret.ts';
import { collectionPorts, collectRequest, projectKey } from '../../support/collection-ports.ts';

type Native = Record<string, unknown>;

/** The native events that a body is stored as, or the code that it is refused with. */
async function send(body: unknown, overrides: Partial<CollectRequest> = {}): Promise<Native[] | string> {
  const ports = collectionPorts();
  try {
    await acceptPosthogBatch(ports, collectRequest(body, overrides));
    return ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(ports.accepted).toEqual([]);
    return error.code;
  }
}

const uuid = '0192f3a0-0000-7000-8000-000000000001';
const event = (extra: object = {}) => ({
  uuid,
  event: 'Order Placed',
  distinct_id: 'u-1',
  timestamp: '2026-11-21T10:00:00Z',
  properties: { total: 5 },
  ...extra,
});
const batch = (...events: unknown[]) => ({ api_key: projectKey, batch: events });
const stored = {
  id: uuid,
  type: 'track',
  event: 'Order Placed',
  user_id: 'u-1',
  timestamp: '2026-11-21T10:00:00Z',
  properties: { total: 5 },
};

const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const base64 = (body: unknown) => Buffer.from(JSON.stringify(body)).toString('base64');

describe('the forms of a body', () => {
  const single = { ...event(), api_key: projectKey };
  it.each<[string, unknown, Partial<CollectRequest>]>([
    ['one event', single, {}],
    ['an array whose events hold the key', [event({ properties: { total: 5, token: projectKey } })], {}],
    ['a batch', batch(event()), {}],
    ['a batch with a property that is no key', batch(event({ properties: { total: 5, token: 'mine' } })), {}],
    ['plain text', batch(event()), { headers: { 'content-type': 'text/plain; charset=UTF-8' } }],
    ['gzip that no header announces', gzipSync(JSON.stringify(single)), { headers: { 'content-type': 'text/plain' } }],
    ['a form', `data=${encodeURIComponent(JSON.stringify(single))}`, form],
    ['a form of base64', `data=${encodeURIComponent(base64(single))}`, form],
    [
      'a form of base64 whose + and = are not escaped',
      `data=${base64({ ...single, api_key: projectKey, sent_at: '>>>???' })}`,
      form,
    ],
    ['JSON under the type of a form, as curl sends it', single, form],
    ['a batch under the type of a form', batch(event()), form],
    ['a body with a byte order mark', `\ufeff${JSON.stringify(single)}`, {}],
    [
      'a byte order mark within gzip',
      gzipSync(`\ufeff${JSON.stringify(single)}`),
      { headers: { 'content-type': 'text/plain' } },
    ],
    [
      'a form of base64 of gzip',
      `data=${encodeURIComponent(gzipSync(JSON.stringify(single)).toString('base64'))}`,
      form,
    ],
    ['a form that says base64', `compression=base64&data=${encodeURIComponent(base64(single))}`, form],
    ['the final field of old SDKs', { ...batch(event()), historical_migration: false, sentAt: '2026-11-21' }, {}],
  ])('%s is read (C-POSTHOG-4, C-POSTHOG-6)', async (_, body, overrides) => {
    expect(await send(body, overrides)).toMatchObject([stored]);
  });

  it('does not depend on the query, which may only name the compression (C-POSTHOG-5)', async () => {
    const query = { ip: '1', _: '1732183200000', ver: '1.2', api_key: 'another', data: 'x', compression: '' };
    expect(await send(single, { query })).toEqual([stored]);
    const form64 = { ...form, query: { compression: 'base64' } };
    expect(await send(`data=${encodeURIComponent(base64(single))}`, form64)).toEqual([stored]);
  });

  it.each<[string, string, unknown, Partial<CollectRequest>]>([
    [
      'lz64 that the query names',
      'unsupported_content_encoding',
      'data=x',
      { ...form, query: { compression: 'lz64' } },
    ],
    ['lz64 that the form names', 'unsupported_content_encoding', 'data=x&compression=lz64', form],
    ['a form without data', 'invalid_json', 'other=1', form],
    ['no JSON', 'invalid_json', '{"batch":', {}],
    ['nothing in a batch', 'invalid_batch', batch(), {}],
    ['a batch that is no list', 'invalid_batch', { api_key: projectKey, batch: {} }, {}],
    ['no key', 'invalid_project_key', event(), {}],
    ['two keys', 'invalid_project_key', batch(event({ api_key: 'another' })), {}],
    [
      'the key of another project in a property',
      'invalid_project_key',
      batch(event({ properties: { token: newSecret(randomBytes, 'project_key') } })),
      {},
    ],
    ['a historical import', 'unsupported_event', { ...batch(event()), historical_migration: true }, {}],
  ])('%s is refused (C-POSTHOG-4, C-POSTHOG-6, C-POSTHOG-7, C-POSTHOG-19)', async (_, code, body, overrides) => {
    expect(await send(body, overrides)).toBe(code);
  });
});

describe('the id of an event', () => {
  const idsOf = async (body: object) => ((await send(body)) as Native[]).map(({ id }) => id);

  it('is the same for a retry if the SDK gives none, although posthog-python says another sent_at (C-POSTHOG-16)', async () => {
    const unnamed = (extra: object = {}) => event({ uuid: '', timestamp: '2026-11-21T10:00:00.123Z', ...extra });
    const events = [unnamed(), unnamed(), unnamed({ distinct_id: 'u-2' })];
    const first = await idsOf({ ...batch(...events), sent_at: '2026-11-21T10:00:01Z' });
    expect(await idsOf({ ...batch(...events), sent_at: '2026-11-21T10:05:00Z' })).toEqual(first);
    expect(new Set(first).size).toBe(3);
  });

  it.each([
    ['no time', undefined],
    ['a time of whole seconds', '2026-11-21T10:00:00+00:00'],
  ])('is another for each sending if an event has no id and %s (C-POSTHOG-16)', async (_, timestamp) => {
    const unnamed = event({ uuid: undefined, timestamp });
    const ids = [...(await idsOf(batch(unnamed, unnamed))), ...(await idsOf(batch(unnamed)))];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});

describe('who acted (C-POSTHOG-13, C-POSTHOG-14)', () => {
  const browser = (identified: boolean, extra: object = {}) =>
    event({ properties: { $is_identified: identified, $device_id: 'device-1', ...extra } });
  it.each<[string, object, object | string]>([
    ['a server’s person', event(), { user_id: 'u-1' }],
    ['a number', event({ distinct_id: 12345678901 }), { user_id: '12345678901' }],
    ['somebody without a profile', event({ properties: { $process_person_profile: false } }), { anonymous_id: 'u-1' }],
    ['an identified visitor', browser(true), { user_id: 'u-1', anonymous_id: 'device-1' }],
    ['an anonymous visitor', browser(false), { anonymous_id: 'u-1' }],
    ['a profile of an anonymous visitor', browser(false, { $set: { plan: 'pro' } }), 'unsupported_event'],
    [
      'a person who was a number',
      event({ event: '$identify', properties: { $anon_distinct_id: 7 } }),
      { user_id: 'u-1', anonymous_id: '7' },
    ],
    [
      'a person without an earlier id',
      event({ event: '$identify', properties: { $anon_distinct_id: '', $device_id: 'device-1' } }),
      { user_id: 'u-1', anonymous_id: 'device-1' },
    ],
    ['nobody', event({ distinct_id: undefined }), 'invalid_event'],
    ['an object', event({ distinct_id: {} }), 'invalid_event'],
    ['a NUL', event({ distinct_id: 'u\0' }), 'invalid_event'],
    ['201 characters', event({ distinct_id: 'u'.repeat(201) }), 'invalid_event'],
    ['a cookieless visitor', event({ distinct_id: '$posthog_cookieless' }), 'unsupported_event'],
  ])('%s', async (_, one, expected) => {
    const outcome = await send(batch(one));
    if (typeof expected === 'string') return expect(outcome).toBe(expected);
    const [{ user_id, anonymous_id } = {}] = outcome as Native[];
    expect({ user_id, anonymous_id }).toEqual({ user_id: undefined, anonymous_id: undefined, ...expected });
  });
});

describe('a name of one’s own', () => {
  it('is tracked, with groups, session and profile in the native fields (C-POSTHOG-9)', async () => {
    const special = {
      $groups: { company: 'acme' },
      $session_id: 's-1',
      $set: { plan: 'pro' },
      $set_once: { first: 1 },
    };
    const native = { type: 'track', groups: { company: 'acme' }, session_id: 's-1', set_once: { first: 1 } };
    const { $set, $set_once, ...inside } = special;
    for (const one of [
      event({ properties: { total: 5, ...special } }),
      event({ properties: { total: 5, ...inside }, $set, $set_once }),
    ])
      expect(await send(batch(one))).toEqual([{ ...stored, ...native, traits: { plan: 'pro' } }]);
  });
});

describe('the reserved events', () => {
  it.each<[string, object, object]>([
    [
      '$pageview',
      { $current_url: 'https://shop.example/' },
      { type: 'page', context: { page: { url: 'https://shop.example/' } } },
    ],
    [
      '$identify',
      { $anon_distinct_id: 'a-1', $set: { plan: 'pro', gone: null } },
      { type: 'identify', anonymous_id: 'a-1', traits: { plan: 'pro' } },
    ],
    ['$set', { $set: { plan: 'pro' } }, { type: 'identify', traits: { plan: 'pro' } }],
    ['$set_once', { $set_once: { first: 1 } }, { type: 'identify', set_once: { first: 1 } }],
    [
      '$groupidentify',
      { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 3 } },
      { type: 'group', group_type: 'company', group_key: 'acme', traits: { seats: 3 } },
    ],
  ])('%s is mapped (C-POSTHOG-10, C-POSTHOG-11, C-POSTHOG-12)', async (name, properties, expected) => {
    const [native] = (await send(batch(event({ event: name, properties })))) as Native[];
    expect(native).toMatchObject(expected);
    expect(native).not.toHaveProperty('event');
    // What is a field of the native event is not a property beside it.
    for (const key of Object.keys(properties)) expect(JSON.stringify(native)).not.toContain(`"${key}"`);
  });

  it('take the empty array that PHP writes for an empty object', async () => {
    const empty = { $set: [], properties: [] };
    expect(await send(batch(event({ event: '$identify', ...empty }), event(empty)))).toMatchObject([
      { type: 'identify', user_id: 'u-1' },
      { type: 'track', properties: {} },
    ]);
  });

  it('are refused if they are not supported, with all that came beside them (C-POSTHOG-18)', async () => {
    for (const name of [
      '$create_alias',
      '$screen',
      '$autocapture',
      '$exception',
      '$snapshot',
      '$anything',
      'survey sent',
    ])
      expect(await send(batch(event(), event({ event: name })))).toBe('unsupported_event');
  });

  it('are named by their place in the hint', () => {
    expect(() => refuse('unsupported_event', '/batch/1/event', 'is reserved')).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^\/batch\/1\/event is reserved\. .*before_send/) }),
    );
  });
});

describe('times and texts', () => {
  it('are stored as sent, if a store can hold them (C-COLLECT-24, C-POSTHOG-17)', async () => {
    const odd = event({
      timestamp: '2026-11-21T10:00:00.123456789+02:00',
      properties: { 'a\0': 'b\0', half: '\ud83d', whole: '😀' },
    });
    const [native] = (await send({ ...batch(odd), sent_at: '2026-11-21T10:00:01Z' })) as Native[];
    expect(native).toMatchObject({ timestamp: '2026-11-21T10:00:00.123456789+02:00', sent_at: '2026-11-21T10:00:01Z' });
    expect(native?.['properties']).toEqual({ 'a\ufffd': 'b\ufffd', half: '\ufffd', whole: '😀' });
    const [untimed] = (await send(batch(event({ timestamp: undefined })))) as Native[];
    expect(untimed?.['timestamp']).toBe('2026-11-21T12:00:00.000Z');
    expect(await send(batch(event({ timestamp: 'yesterday' })))).toBe('invalid_event');
  });
});

describe('Capture V1 answers for each event (C-POSTHOG-21)', () => {
  const ids = [1, 2, 3, 4, 5, 6].map((n) => `0192f3a0-0000-7000-8000-00000000000${n}`);
  const v1 = (extra: object = {}, n = 0) => ({
    uuid: ids[n],
    event: 'Order Placed',
    distinct_id: 'u-1',
    timestamp: '2026-11-21T10:00:00Z',
    options: {},
    properties: { total: 5 },
    ...extra,
  });
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${projectKey}`,
    'posthog-sdk-info': 'posthog-node/5.70.0',
  };

  async function capture(body: unknown, overrides: Partial<CollectRequest> = {}) {
    const ports = collectionPorts();
    try {
      const { results, received } = await acceptCaptureBatch(ports, collectRequest(body, { headers, ...overrides }));
      const stored = ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
      return {
        results: Object.fromEntries(results),
        received,
        stored,
        counted: ports.counted.map(({ rejected }) => rejected),
      };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      expect(ports.accepted).toEqual([]);
      return [error.code, ...error.errors.map(({ path }) => path)].join(' ');
    }
  }

  it('stores what is good, and drops the rest with the place and the rule', async () => {
    const secret = 'a-private-value';
    const batch = [v1(), v1({ event: '$screen', properties: { secret } }, 1), v1({ timestamp: secret }, 2)];
    const answer = await capture({ created_at: '2026-11-21T11:00:00Z', batch });
    expect(answer).toMatchObject({
      received: 1,
      results: {
        [ids[0] ?? '']: { result: 'ok' },
        [ids[1] ?? '']: {
          result: 'drop',
          details: 'unsupported_event: /batch/1/event is a reserved event that is not supported',
        },
        [ids[2] ?? '']: { result: 'drop', details: 'invalid_event: /batch/2/timestamp must be an ISO 8601 date-time' },
      },
      stored: [{ id: ids[0], user_id: 'u-1', sent_at: '2026-11-21T11:00:00Z' }],
      counted: [{ unsupported_event: 1, invalid_event: 1 }],
    });
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it('gives what V1 lifted the meaning that the properties have', async () => {
    const lifted = v1({ session_id: 's-1', window_id: 'w-1', options: { process_person_profile: false } });
    const answer = await capture({ batch: [lifted, v1({ options: { cookieless_mode: true } }, 1)] });
    expect(answer).toMatchObject({
      stored: [
        {
          anonymous_id: 'u-1',
          session_id: 's-1',
          context: { window_id: 'w-1', library: { name: 'posthog-node', version: '5.70.0' } },
        },
      ],
      results: { [ids[1] ?? '']: { result: 'drop' } },
    });
  });

  it('gives each event of a batch the verdict and the line that it gets on its own', async () => {
    const batch = [
      v1({ session_id: 's-1' }),
      v1({ event: '$screen' }, 1),
      v1({ properties: { big: 'x'.repeat(40_000) } }, 2),
      v1({ options: { cookieless_mode: true } }, 3),
      v1({ session_id: 'x'.repeat(300) }, 4),
      v1({ event: '$pageview' }, 5),
    ];
    const verdictsOf = async (events: readonly object[]) => {
      const answer = await capture({ batch: events });
      if (typeof answer === 'string') throw new Error(answer);
      return [JSON.stringify(answer.results).replaceAll(/\/batch\/\d/g, '/batch/n'), answer.stored] as const;
    };
    const [together, stored] = await verdictsOf(batch);
    const singly = await Promise.all(batch.map((event) => verdictsOf([event])));
    expect(together).toBe(`{${singly.map(([text]) => text.slice(1, -1)).join()}}`);
    expect(stored).toEqual(singly.flatMap(([, lines]) => lines));
    expect(stored).toHaveLength(2);
  });

  it('stores nothing and calls no sink if every event is dropped', async () => {
    expect(await capture({ batch: [v1({ properties: { a: 'x'.repeat(40_000) } })] })).toMatchObject({
      stored: [],
      results: {
        [ids[0] ?? '']: {
          result: 'drop',
          details: 'event_too_large: /batch/0 must have at most 32 KiB as compact JSON',
        },
      },
    });
  });

  it.each<[string, string, unknown, Partial<CollectRequest>]>([
    ['no key', 'invalid_project_key', { batch: [v1()] }, { headers: { 'content-type': 'application/json' } }],
    [
      'an unknown key',
      'invalid_project_key',
      { batch: [v1()] },
      { headers: { ...headers, authorization: 'Bearer x' } },
    ],
    ['an id that names nothing', 'invalid_event /batch/1/uuid', { batch: [v1(), v1({ uuid: 'x' })] }, {}],
    ['no event', 'invalid_batch', { batch: [] }, {}],
    ['a list', 'invalid_batch', [v1()], {}],
    ['an import', 'unsupported_event /historical_migration', { historical_migration: true, batch: [v1()] }, {}],
  ])('refuses a batch with %s', async (_, code, body, overrides) => {
    expect(await capture(body, overrides)).toBe(code);
  });
});
