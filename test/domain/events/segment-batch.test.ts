import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentCalls } from '../../../shared/contract/foreign-formats.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import { acceptSegmentBatch, type CollectRequest } from '../../../shared/domain/events/accept-batch.ts';
import { newSecret } from '../../../shared/domain/workspaces/access/secret.ts';
import { collectionPorts, collectRequest, projectKey } from '../../support/collection-ports.ts';

type Stored = Record<string, unknown>;

const base = '/collect/segment/v1';

/** The native events that a body is stored as, or the code that it is refused with and the places. */
async function send(
  body: unknown,
  overrides: Partial<CollectRequest> = {},
  call = 'batch',
): Promise<Stored[] | string> {
  const ports = collectionPorts();
  try {
    await acceptSegmentBatch(ports, collectRequest(body, { path: `${base}/${call}`, ...overrides }));
    return ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(ports.accepted).toEqual([]);
    return [error.code, ...error.errors.map(({ path }) => path)].join(' ');
  }
}

const track = (extra: object = {}) => ({
  type: 'track',
  messageId: 'ajs-next-1',
  userId: 'u-1',
  event: 'Order Placed',
  timestamp: '2026-11-21T10:00:00.000Z',
  properties: { total: 5 },
  ...extra,
});
const batch = (...messages: unknown[]) => ({ writeKey: projectKey, batch: messages });
const stored = {
  id: 'ajs-next-1',
  type: 'track',
  user_id: 'u-1',
  event: 'Order Placed',
  timestamp: '2026-11-21T10:00:00.000Z',
  properties: { total: 5 },
};
const basic = (user: string, password = '') => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const json = { 'content-type': 'application/json' };

describe('the write key', () => {
  it.each<[string, unknown, Record<string, string>]>([
    ['in the batch', batch(track()), {}],
    [
      'in each message',
      { batch: [track({ writeKey: projectKey }), track({ writeKey: projectKey, messageId: '2' })] },
      {},
    ],
    ['as the user of Basic', { batch: [track()] }, { authorization: basic(projectKey) }],
    ['as a bearer', { batch: [track()] }, { authorization: `Bearer ${projectKey}` }],
    ['in both places', batch(track()), { authorization: basic(projectKey) }],
    ['with a secret, as Jitsu has it', { batch: [track()] }, { 'x-write-key': `${projectKey}:secret` }],
    ['hidden in a part', batch(track({ writeKey: `${projectKey}:***` })), { 'x-write-key': `${projectKey}:secret` }],
  ])('is read %s (C-SEGMENT-3, C-SEGMENT-11)', async (_, body, headers) => {
    expect(await send(body, { headers: { ...json, ...headers } })).toContainEqual(stored);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['none', { batch: [track()] }, {}],
    ['an unknown one', { writeKey: 'other', batch: [track()] }, {}],
    ['another in the header', batch(track()), { authorization: basic('other') }],
    ['another in the header of Jitsu', batch(track()), { 'x-write-key': 'other:secret' }],
    ['another in a message', batch(track(), track({ writeKey: 'other' })), {}],
    [
      'another bearer in the form of a key',
      batch(track()),
      { authorization: `Bearer ${newSecret(randomBytes, 'project_key')}` },
    ],
    ['a number', { writeKey: 5, batch: [track()] }, {}],
    ['a list with the right one', { writeKey: [projectKey], batch: [track()] }, {}],
    ['a list beside the right one', { writeKey: [], batch: [track()] }, { authorization: basic(projectKey) }],
    ['a password only', { batch: [track()] }, { authorization: basic('', projectKey) }],
  ])('is refused where there is %s (C-SEGMENT-3)', async (_, body, headers) => {
    expect(await send(body, { headers: { ...json, ...headers } })).toBe('invalid_project_key');
  });

  it('leaves a bearer beside it to be a server key, which has to be valid (C-COLLECT-17)', async () => {
    const ports = collectionPorts();
    const headers = { ...json, authorization: 'Bearer sk_server' };
    await acceptSegmentBatch(ports, collectRequest(batch(track()), { path: `${base}/batch`, headers }));
    expect(ports.accepted.map(({ origin }) => origin.trusted)).toEqual([true]);
    const other = { headers: { ...json, authorization: 'Bearer sk_other' } };
    expect(await send(batch(track()), other)).toBe('invalid_server_key');
  });
});

describe('the forms of a body', () => {
  it.each(Object.entries(segmentCalls).filter(([, call]) => call !== 'batch'))(
    '/%s takes one message and gives it its type (C-SEGMENT-1)',
    async (path, call) => {
      const { type: _, ...message } = track({ writeKey: projectKey, groupId: 'acme', previousId: 'a-1' });
      const [event] = await send(message, {}, path);
      expect(event).toMatchObject({ id: 'ajs-next-1', type: { screen: 'page', alias: 'identify' }[call] ?? call });
    },
  );

  it.each<[string, unknown, Record<string, string>]>([
    ['a byte order mark', `\ufeff${JSON.stringify(batch(track()))}`, json],
    ['gzip', gzipSync(JSON.stringify(batch(track()))), { ...json, 'content-encoding': 'gzip' }],
    ['gzip that no header announces', gzipSync(JSON.stringify(batch(track()))), { 'content-type': 'text/plain' }],
    ['gzip as a form, as RudderStack’s Node SDK says', gzipSync(JSON.stringify(batch(track()))), form('gzip')],
    ['plain text', batch(track()), { 'content-type': 'text/plain;charset=UTF-8' }],
  ])('%s is read (C-SEGMENT-2)', async (_, body, headers) => {
    expect(await send(body, { headers })).toEqual([stored]);
  });

  it.each<[string, string, unknown]>([
    ['no message', 'invalid_batch /batch', batch()],
    ['a batch that is none', 'invalid_batch', { writeKey: projectKey, batch: {} }],
    ['a message on the route of batches', 'invalid_batch', track({ writeKey: projectKey })],
    ['a list', 'invalid_batch', [track({ writeKey: projectKey })]],
    [
      '101 messages',
      'invalid_batch /batch',
      batch(...Array.from({ length: 101 }, (_, at) => track({ messageId: `${at}` }))),
    ],
    ['a message that is text', 'invalid_event /batch/1', batch(track(), 'x')],
    ['too large a message', 'event_too_large /batch/1', batch(track(), track({ context: { a: 'x'.repeat(33_000) } }))],
    ['text that is no JSON', 'invalid_json', '{"batch":[1'],
  ])('%s is refused (C-SEGMENT-2)', async (_, code, body) => {
    expect(await send(body)).toBe(code);
  });
});

function form(encoding: string) {
  return { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': encoding };
}

describe('a message', () => {
  const cases: [string, object, object][] = [
    [
      'a visitor',
      track({ userId: null, anonymousId: 'a-1', integrations: { All: true }, context: { ip: '1.2.3.4' } }),
      { anonymous_id: 'a-1', context: { ip: '1.2.3.4', integrations: { All: true } } },
    ],
    ['ids that are numbers', track({ userId: 12, anonymousId: 7 }), { user_id: '12', anonymous_id: '7' }],
    [
      'a page with its name',
      { ...track({ properties: { url: '/' } }), type: 'page', name: 'Home', category: 'Docs', event: undefined },
      { type: 'page', properties: { name: 'Home', category: 'Docs', url: '/' } },
    ],
    [
      'a screen whose context has a size',
      { ...track({ properties: undefined, context: { screen: { width: 320 } } }), type: 'screen', name: 'Cart' },
      { type: 'page', properties: { name: 'Cart' }, context: { screen: true, screen_size: { width: 320 } } },
    ],
    [
      'a page whose properties have another name',
      { ...track({ properties: { name: 'Sale' } }), type: 'page', name: 'Home', category: 7, event: undefined },
      { type: 'page', properties: { name: 'Sale' }, context: { $sent: { name: 'Home', category: 7 } } },
    ],
    [
      'a screen whose context names it',
      { ...track({ properties: undefined, context: { screen: 'Cart' } }), type: 'screen' },
      { type: 'page', context: { screen: true, screen_size: 'Cart' } },
    ],
    ['the empty arrays that PHP writes for objects', track({ properties: [], context: [], integrations: [] }), {}],
    ['a screen without a context', { ...track(), type: 'screen' }, { type: 'page', context: { screen: true } }],
    [
      'a person',
      { ...track(), type: 'identify', traits: { plan: 'pro' } },
      { type: 'identify', traits: { plan: 'pro' } },
    ],
    [
      'a person of RudderStack’s servers',
      { ...track(), type: 'identify', context: { traits: { plan: 'pro' } } },
      { type: 'identify', traits: { plan: 'pro' }, context: { traits: { plan: 'pro' } } },
    ],
    [
      'a visitor who says something of themselves',
      { ...track({ userId: undefined, anonymousId: 'a-1' }), type: 'identify', traits: { a: 1 } },
      { type: 'identify', anonymous_id: 'a-1', traits: { a: 1 } },
    ],
    [
      'an alias',
      { ...track({ anonymousId: 'a-1' }), type: 'alias', previousId: 'a-0' },
      { type: 'identify', user_id: 'u-1', anonymous_id: 'a-0' },
    ],
    [
      'a group',
      { ...track(), type: 'group', groupId: 'acme', traits: { seats: 3 } },
      { type: 'group', group_type: 'group', group_key: 'acme', traits: { seats: 3 } },
    ],
    ['a session of RudderStack', track({ context: { sessionId: 1_732_183_200 } }), { session_id: '1732183200' }],
    ['NUL and half a surrogate', track({ properties: { a: 'x\0\ud800' } }), { properties: { a: 'x\uFFFD\uFFFD' } }],
    ['when the batch was sent', track({ sentAt: '2026-11-21T11:00:00Z' }), { sent_at: '2026-11-21T11:00:00Z' }],
    [
      'a clock that is an hour late',
      track({ timestamp: undefined, originalTimestamp: '2026-11-21T10:00:00Z', sentAt: '2026-11-21T11:00:00Z' }),
      { timestamp: '2026-11-21T11:00:00.000Z' },
    ],
    [
      'a clock that is thousands of years late',
      track({ timestamp: undefined, originalTimestamp: '9999-01-01T00:00:00Z', sentAt: '0001-01-01T00:00:00Z' }),
      { timestamp: '9999-01-01T00:00:00Z' },
    ],
    [
      'a leap second',
      track({ timestamp: undefined, originalTimestamp: '2016-12-31T23:59:60Z', sentAt: '2016-12-31T23:59:60Z' }),
      { timestamp: '2016-12-31T23:59:60Z' },
    ],
    ['no time', track({ timestamp: null }), { timestamp: '2026-11-21T12:00:00.000Z' }],
  ];
  it.each(cases)('%s is stored (C-SEGMENT-5 to C-SEGMENT-8)', async (_, message, expected) => {
    const [event] = await send(batch(message));
    expect(event).toMatchObject(expected);
  });

  it('takes the context and the integrations of its batch (C-SEGMENT-6)', async () => {
    const body = {
      ...batch(track({ context: { ip: 'own' } })),
      context: { ip: 'all', locale: 'de' },
      integrations: { A: true },
    };
    const [event] = await send(body);
    expect(event).toMatchObject({ context: { ip: 'own', locale: 'de', integrations: { A: true } } });
  });

  it.each<[string, string, object]>([
    ['nobody', 'invalid_event /batch/0/userId', track({ userId: '' })],
    ['no name', 'invalid_event /batch/0/event', track({ event: undefined })],
    ['a reserved name', 'invalid_event /batch/0', track({ event: '$pageview' })],
    ['an unknown type', 'invalid_event /batch/0/type', track({ type: 'constructor' })],
    ['no type', 'invalid_event /batch/0/type', track({ type: undefined })],
    ['an alias of nobody', 'invalid_event /batch/0/userId', { type: 'alias', messageId: '1' }],
    ['a group without an id', 'invalid_event /batch/0/groupId', track({ type: 'group' })],
    ['properties that are a list', 'invalid_event /batch/0/properties', track({ properties: [5] })],
    ['a time that is none', 'invalid_event /batch/0/timestamp', track({ timestamp: 'yesterday' })],
    ['an id that is an object', 'invalid_event /batch/0/messageId', track({ messageId: {} })],
    ['an id of 201 characters', 'invalid_event /batch/0/messageId', track({ messageId: 'x'.repeat(201) })],
  ])('with %s is refused, and its batch with it (C-SEGMENT-9)', async (_, code, message) => {
    expect(await send(batch(message, track()))).toBe(code);
  });

  it('keeps numbers digit for digit', async () => {
    const ports = collectionPorts();
    const text = `{"writeKey":"${projectKey}","batch":[{"type":"track","userId":"u","event":"E","properties":{"a":0.10,"b":1e400}}]}`;
    await acceptSegmentBatch(ports, collectRequest(text, { path: `${base}/batch` }));
    expect(ports.accepted[0]?.lines[0]).toContain('"properties":{"a":0.10,"b":1e400}');
  });
});

describe('a message without an id', () => {
  const plain = track({ messageId: undefined });
  const idsOf = async (body: unknown) => ((await send(body)) as Stored[]).map(({ id }) => id);

  it('has the same id in a retry, however it is batched and sent (C-SEGMENT-4)', async () => {
    const [first] = await idsOf({ ...batch(plain), sentAt: '2026-11-21T10:00:00Z' });
    const retried = await idsOf(batch(track(), { ...plain, sentAt: '2026-11-21T10:05:00Z' }));
    expect(retried[1]).toBe(first);
  });

  it('has its own id beside an equal one', async () => {
    const ids = await idsOf(batch(plain, plain, plain));
    expect(new Set(ids).size).toBe(3);
  });
});

it('answers any JSON with events or a Problem', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), async (message, extra) => {
      await send({ writeKey: projectKey, batch: [message, track({ properties: extra, context: message })] });
      await send({ ...track(), traits: extra, writeKey: projectKey }, {}, 'identify');
    }),
  );
});
