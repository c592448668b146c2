import { describe, expect, it } from 'vitest';
import {
  acceptCaptureBatch,
  acceptNativeBatch,
  acceptPosthogBatch,
  acceptSegmentBatch,
} from '../../../shared/domain/events/accept-batch.ts';
import type { EventCount } from '../../../shared/domain/events/event-counts.ts';
import { senderOf } from '../../../shared/domain/events/receive/sender.ts';
import { allowedOrigin, collectionPorts, collectRequest, projectKey } from '../../support/collection-ports.ts';

type Accept = typeof acceptNativeBatch | typeof acceptCaptureBatch;

/** The senders that a refused request leaves in the counts. */
async function sendersOf(
  accept: Accept,
  body: object,
  headers: Record<string, string> = {},
  path = '/collect/v1/batch',
) {
  const ports = collectionPorts();
  const json = { 'content-type': 'application/json', ...headers };
  await accept(ports, collectRequest(body, { headers: json, path })).catch(() => undefined);
  return ports.counted.flatMap(({ senders = [] }: EventCount) => senders);
}

const wrong = { event: '$snapshot', distinct_id: 'u' };

describe('the sender of a refused event (C-COUNT-3)', () => {
  it('is the library, its version and the origin, in every format', async () => {
    const origin = allowedOrigin;
    const last_at = '2026-11-21T12:00:00.000Z';
    const found = { events: 1, last_at, origin, isAllowed: true };
    const web = { ...wrong, properties: { $lib: 'web', $lib_version: '1.372.1' } };
    expect(await sendersOf(acceptPosthogBatch, { api_key: projectKey, batch: [web] }, { origin })).toMatchObject([
      { ...found, library: 'posthog-js', version: '1.372.1' },
    ]);
    const capture = { ...wrong, uuid: '3f1b2c4d-0000-4000-8000-000000000001', timestamp: last_at };
    const bearer = { authorization: `Bearer ${projectKey}`, 'posthog-sdk-info': 'posthog-go/1.9.0' };
    expect(await sendersOf(acceptCaptureBatch, { batch: [capture] }, bearer)).toMatchObject([
      { ...found, origin: null, library: 'posthog-go', version: '1.9.0' },
    ]);
    const context = { library: { name: '@segment/analytics-node', version: '2.3.0' } };
    const message = { type: 'track', userId: 'u', context };
    const segment = { writeKey: projectKey, batch: [message] };
    expect(await sendersOf(acceptSegmentBatch, segment, {}, '/collect/segment/v1/batch')).toMatchObject([
      { ...found, origin: null, library: '@segment/analytics-node', version: '2.3.0', rule: '/event is required' },
    ]);
    const native = { id: 'a', type: 'track', user_id: 'u', timestamp: 'yesterday', event: 'Seen' };
    const curl = { 'user-agent': 'curl/8.5.0' };
    expect(await sendersOf(acceptNativeBatch, { project_key: projectKey, events: [native] }, curl)).toMatchObject([
      {
        ...found,
        origin: null,
        library: 'curl',
        version: '8.5.0',
        rule: expect.stringMatching(/^\/timestamp must be/),
      },
    ]);
  });

  it('includes origins that the project does not allow, with the number of refused events', async () => {
    const origin = 'https://preview.example:8443';
    const event = { ...wrong, event: 'Seen' };
    expect(
      await sendersOf(acceptPosthogBatch, { api_key: projectKey, batch: [event, event] }, { origin }),
    ).toMatchObject([{ rule: 'origin_not_allowed', origin, events: 2, isAllowed: false }]);
  });

  it.each([
    'ada@example.com',
    'Ada Lovelace',
    '<b>bold</b>',
    'a'.repeat(51),
    'user-4f3a9c2d7e1b4a60',
    '\u202eevil',
    '',
  ])('does not repeat %j as the name or version of a library, or as an origin', (secret) => {
    const of = (properties: object, origin?: string) => senderOf([{ properties }], { origin });
    expect(of({ $lib: secret })).toMatchObject({ library: 'other', version: null });
    expect(of({ $lib: 'web', $lib_version: secret })).toMatchObject({ library: 'posthog-js', version: null });
    expect(of({}, `https://${secret || '?'}/path`)).toMatchObject({ origin: 'other' });
  });

  it('is a browser or nothing if the events name no library', () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36';
    const none = { library: null, version: null, origin: null };
    expect(senderOf(['no object', { properties: null }], { 'user-agent': agent })).toEqual({
      ...none,
      library: 'browser',
    });
    expect(senderOf([], {})).toEqual(none);
  });
});
