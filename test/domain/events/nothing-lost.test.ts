import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptCaptureBatch,
  acceptPosthogBatch,
  acceptSegmentBatch,
} from '../../../shared/domain/events/accept-batch.ts';
import { collectionPorts, collectRequest, projectKey } from '../../support/collection-ports.ts';

/** Names of members in the type definitions of the SDKs themselves. */
function namesIn(file: string): string[] {
  const text = readFileSync(new URL(`../../../node_modules/${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\s*(?:readonly )?['"]?(\$?[a-zA-Z_][\w]*)['"]?\??:/gm)].map(([, name = '']) => name);
}
const posthogNames = [
  ...namesIn('@posthog/core/dist/types.d.ts'),
  ...namesIn('@posthog/types/dist/capture.d.ts'),
  ...namesIn('posthog-js/lib/src/types.d.ts'),
  ...'$ip $app_version $feature/new $geoip_country_code $device_model $referring_domain $unset __proto__ constructor'.split(
    ' ',
  ),
];
const segmentNames = namesIn('@segment/analytics-core/dist/types/events/interfaces.d.ts');

const recordings = new URL('../../../../shared/posthog/given/', import.meta.url);
const recorded = existsSync(recordings)
  ? readdirSync(recordings).flatMap((name) => {
      const { decoded } = JSON.parse(readFileSync(new URL(name, recordings), 'utf8'));
      const events: unknown[] = Array.isArray(decoded) ? decoded : (decoded?.batch ?? [decoded]);
      return events.flatMap((event) => Object.keys(Object(Object(event).properties)));
    })
  : [];

/** What C-POSTHOG-22 says is not stored: the key, the ids' other spellings, and what the ids say. */
const dropped = new Set(['token', 'distinct_id', '$is_identified']);
/** They make of an event what the service refuses, or decide what it is, and are sent as that. */
const deciding = new Set([
  ...'event uuid timestamp properties api_key token $token distinct_id $distinct_id offset sent_at batch'.split(' '),
  ...'$cookieless_mode $process_person_profile historical_migration $set $set_once $groups $session_id options'.split(
    ' ',
  ),
  ...'$group_set $group_type $group_key session_id window_id messageId type context traits integrations'.split(' '),
  ...'writeKey sentAt originalTimestamp userId anonymousId previousId groupId sessionId name category'.split(' '),
]);
const membersOf = (names: readonly string[]) => [...new Set(names)].filter((name) => !deciding.has(name));

let serial = 0;
const value = () => `value ${serial++}`;
/** An object with these members, each of a value that is found again. */
const filled = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, value()]));
const valuesIn = (holder: object) => Object.values(holder).filter((one) => typeof one === 'string');

type Accept = typeof acceptPosthogBatch;
async function lineOf(accept: Accept, body: unknown, more: Parameters<typeof collectRequest>[1] = {}) {
  const ports = collectionPorts();
  await accept(ports, collectRequest(body, more));
  return ports.accepted.flatMap(({ lines }) => lines).join('');
}

const some = (names: readonly string[]) => fc.subarray(membersOf(names), { maxLength: 40 });
const uuid = '0192f3a0-0000-7000-8000-000000000001';
const names = [...posthogNames, ...recorded];

describe('a mapping loses nothing (C-POSTHOG-22, C-SEGMENT-6)', () => {
  it.each(['Order Placed', '$pageview', '$identify', '$set', '$groupidentify'])(
    'of an event of PostHog named %s: members of the event and of its properties are in the stored line',
    async (event) => {
      const place = fc.constantFrom('browser', 'server');
      await fc.assert(
        fc.asyncProperty(some(names), some(names), place, async (inEvent, inProperties, from) => {
          const properties = {
            ...filled(inProperties.filter((name) => !dropped.has(name))),
            ...(from === 'browser' && { $is_identified: true }),
            ...(event === '$groupidentify' && {
              $group_type: value(),
              $group_key: value(),
              $group_set: { a: value() },
            }),
            $set: { plan: null, name: value() },
            $groups: { team: value(), none: null },
            $session_id: value(),
          };
          const sent = { ...filled(inEvent), event, distinct_id: value(), uuid, timestamp: '2026-11-21T10:00:00Z' };
          const line = await lineOf(acceptPosthogBatch, { ...sent, api_key: projectKey, properties });
          for (const one of [...valuesIn(sent), ...valuesIn(properties), properties.$set.name, properties.$groups.team])
            if (!one.startsWith('$')) expect(line).toContain(one);
          expect(line).toContain('"plan":null');
        }),
      );
    },
  );

  it('keeps the options and members of an event of PostHog’s Capture V1 too', async () => {
    await fc.assert(
      fc.asyncProperty(some(names), some(names), async (inEvent, inOptions) => {
        const options = filled(inOptions);
        const sent = { ...filled(inEvent), event: 'Order Placed', uuid, distinct_id: 'u', session_id: value() };
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${projectKey}` };
        const line = await lineOf(acceptCaptureBatch, { batch: [{ ...sent, options }] }, { headers });
        for (const one of [...valuesIn(sent), ...valuesIn(options)]) expect(line).toContain(one);
      }),
    );
  });

  it.each(['track', 'page', 'screen', 'identify', 'group', 'alias'])(
    'of a message of Segment’s %s: members of the message and of all that it holds are in the stored line',
    async (type) => {
      const members = [
        ...segmentNames,
        ...'channel rudderId receivedAt projectId version _metadata __proto__'.split(' '),
      ];
      await fc.assert(
        fc.asyncProperty(some(members), some(members), async (inMessage, inContext) => {
          const ids = { userId: value(), anonymousId: value(), previousId: value(), groupId: value() };
          const held = { properties: filled(['total']), traits: filled(['plan']), context: filled(inContext) };
          const sent = { ...filled(inMessage), ...ids, type, messageId: value(), event: value(), name: value() };
          const line = await lineOf(
            acceptSegmentBatch,
            { writeKey: projectKey, batch: [{ ...sent, ...held }] },
            {
              path: '/collect/segment/v1/batch',
            },
          );
          for (const one of [sent, held.properties, held.traits, held.context].flatMap(valuesIn))
            expect(line).toContain(one);
        }),
      );
    },
  );
});

describe('times', () => {
  const at = async (event: object) =>
    JSON.parse(await lineOf(acceptPosthogBatch, { api_key: projectKey, event: 'A', distinct_id: 'u', ...event }))
      .timestamp;

  it.each([
    [{ timestamp: null }, '2026-11-21T12:00:00.000Z'],
    [{ timestamp: '' }, '2026-11-21T12:00:00.000Z'],
    [{ offset: 60_000 }, '2026-11-21T11:59:00.000Z'],
    [{ offset: 0 }, '2026-11-21T12:00:00.000Z'],
    [{ offset: 60_000, timestamp: '2026-11-20T10:00:00Z' }, '2026-11-20T10:00:00Z'],
    [{ timestamp: '2026-11-20 10:00:00' }, '2026-11-20T10:00:00Z'],
    [{ timestamp: '2026-11-20' }, '2026-11-20T00:00:00Z'],
    [{ timestamp: '2026-11-20T10:00:00,123456789+0530' }, '2026-11-20T10:00:00.123456789+05:30'],
    [{ timestamp: '2026-12-31T23:59:60Z' }, '2026-12-31T23:59:60Z'],
  ])('of %j is %s (C-POSTHOG-17)', async (event, expected) => {
    expect(await at(event)).toBe(expected);
  });

  it.each([{ offset: 'soon' }, { offset: 1e30 }, { timestamp: 'yesterday' }])(
    'is refused by its place: %j',
    async (event) => {
      const place = `/${Object.keys(event)[0]}`;
      await expect(at(event)).rejects.toMatchObject({ code: 'invalid_event', errors: [{ path: place }] });
    },
  );
});

it('stores a group that is null as no association, and refuses no sibling (C-POSTHOG-9)', async () => {
  const batch = [{}, { properties: { $groups: { company: 7, team: null, role: '' } } }].map((one) => ({
    event: 'A',
    distinct_id: 'u',
    ...one,
  }));
  const line = await lineOf(acceptPosthogBatch, { api_key: projectKey, batch });
  expect(line).toContain('"groups":{"company":"7"}');
  expect(line.match(/"event":"A"/g)).toHaveLength(2);
});
