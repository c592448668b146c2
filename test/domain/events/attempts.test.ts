import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptPosthogBatch, acceptSegmentBatch } from '../../../shared/domain/events/accept-batch.ts';
import { attemptsInMemory, collectionPorts, collectRequest, projectKey } from '../../support/collection-ports.ts';

const posthog = { api_key: projectKey, event: 'Logged In', distinct_id: 'u-1', properties: { plan: 'free' } };
const segment = {
  writeKey: projectKey,
  type: 'track',
  event: 'Logged In',
  userId: 'u-1',
  properties: { plan: 'free' },
};
const start = Date.parse('2026-11-21T12:00:00Z');

/** What a sender gets, and whether its events are kept: without an answer, nobody can say. */
type Sending = { readonly after: number; readonly kept: boolean; readonly outcome: 'answered' | 'refused' | 'dies' };

const formats = {
  posthog: { accept: acceptPosthogBatch, path: '/collect/e', body: posthog },
  segment: { accept: acceptSegmentBatch, path: '/collect/segment/v1/track', body: segment },
} as const;

/** The ids of the rows that a series of equal requests leaves in the store. */
async function storedAfter(sendings: readonly Sending[], format: keyof typeof formats, more: object = {}) {
  const ids = new Set<string>();
  const attempts = attemptsInMemory();
  const { accept, path, body } = formats[format];
  let at = start;
  for (const { after, kept, outcome } of sendings) {
    at += after;
    const ports = collectionPorts({
      attempts: {
        ...attempts,
        note: async (content, begun, noted) => {
          if (outcome !== 'dies' || noted.state === 'open') await attempts.note(content, begun, noted);
        },
      },
      sink: {
        status: 'accepted',
        accept: async ({ lines }) => {
          if (kept) for (const line of lines) ids.add(JSON.parse(line).id);
          if (outcome === 'refused') throw new Error('out of reach');
        },
      },
    });
    const request = collectRequest({ ...body, ...more }, { path, now: new Date(at) });
    await accept(ports, request).catch(() => undefined);
  }
  return ids;
}

describe.each(['posthog', 'segment'] as const)('an event of %s without an id', (format) => {
  it.each([{}, { timestamp: '2026-11-21T12:00:00+00:00' }])(
    'is stored once for each answer that it is stored, with %o (C-COLLECT-23)',
    async (time) => {
      const sending = fc.record({
        after: fc.integer({ min: 0, max: 2_000_000 }),
        kept: fc.constant(true),
        outcome: fc.constant('answered' as const),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(sending, { maxLength: 6 }), async (sendings) => {
          expect((await storedAfter(sendings, format, time)).size).toBe(sendings.length);
        }),
      );
    },
  );

  it('is stored once if its sender gets no answer until a retry, each within 15 minutes of the one before (C-COLLECT-23)', async () => {
    const failed = fc.record({
      after: fc.integer({ min: 5_001, max: 899_999 }),
      kept: fc.boolean(),
      outcome: fc.constantFrom('refused' as const, 'dies' as const),
    });
    const last = { after: 6_000, kept: true, outcome: 'answered' } as const;
    await fc.assert(
      fc.asyncProperty(fc.array(failed, { maxLength: 5 }), async (sendings) => {
        expect((await storedAfter([...sendings, last], format)).size).toBe(1);
      }),
    );
  });

  it('is not a retry if the failure was more than 15 minutes ago (C-COLLECT-23)', async () => {
    const sendings = [
      { after: 0, kept: true, outcome: 'refused' },
      { after: 900_000, kept: true, outcome: 'answered' },
    ] as const;
    expect((await storedAfter(sendings, format)).size).toBe(2);
  });

  it('is one event if its time has milliseconds', async () => {
    const twice = [0, 5_000_000].map((after) => ({ after, kept: true, outcome: 'answered' }) as const);
    expect((await storedAfter(twice, format, { timestamp: '2026-11-21T12:00:00.123Z' })).size).toBe(1);
  });
});

it('keeps events without ids while attempts cannot be noted', async () => {
  const broken = async () => Promise.reject(new Error('out of reach'));
  const ports = collectionPorts({ attempts: { windowMs: 1, begin: broken, note: broken } });
  await acceptPosthogBatch(ports, collectRequest(posthog));
  expect(ports.accepted).toHaveLength(1);
});
