import { PostHog } from 'posthog-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { posthogNodeOptions } from '../../sdk/index.js';
import { acceptPosthogBatch } from '../../shared/domain/events/accept-batch.ts';
import { collectionPorts, collectRequest, projectKey } from '../support/collection-ports.ts';
import { type RequestRecorder, recordRequests } from '../support/request-recorder.ts';

let recorder: RequestRecorder;
beforeEach(async () => {
  recorder = await recordRequests();
});
afterEach(() => recorder.stop());

/** Asks for everything that would call another route, or send an event that the service refuses. */
async function useEverything(posthog: PostHog): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  posthog.on('error', (fault: unknown) => faults.push(fault));
  posthog.capture({
    distinctId: 'user-1',
    event: 'Order Placed',
    properties: { total: 5 },
    groups: { company: 'acme' },
  });
  posthog.capture({ distinctId: 'user-1', event: '$pageview', properties: { $current_url: 'https://shop.example/' } });
  posthog.capture({ distinctId: 'user-1', event: '$screen' });
  posthog.capture({ distinctId: 'user-1', event: 'survey sent' });
  posthog.capture({
    distinctId: 'anon-1',
    event: 'Seen',
    properties: { $process_person_profile: false, $set: { plan: 'pro' } },
  });
  posthog.capture({
    distinctId: 'anon-1',
    event: '$set',
    properties: { $process_person_profile: false, $set: { a: 1 } },
  });
  posthog.identify({ distinctId: 'user-1', properties: { plan: 'pro' } });
  posthog.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 3 } });
  posthog.alias({ distinctId: 'user-1', alias: 'user-2' });
  posthog.captureException(new Error('failed'), 'user-1');
  expect(await posthog.getFeatureFlag('flag', 'user-1')).toBeUndefined();
  await posthog.getAllFlags('user-1');
  await posthog.isFeatureEnabled('flag', 'user-1');
  await posthog.shutdown();
  return faults;
}

describe('posthog-node with the helper', () => {
  it('calls the batch route and nothing else, and everything that it sends is accepted (C-POSTHOG-20)', async () => {
    const options = {
      personalApiKey: 'phx_1',
      enableExceptionAutocapture: true,
      flushAt: 3,
      historicalMigration: true,
    };
    const faults = await useEverything(new PostHog(projectKey, posthogNodeOptions(recorder.baseUrl, options)));
    expect(faults).toEqual([]);
    const called = new Set(recorder.requests.map(({ method, path }) => `${method} ${path}`));
    expect([...called]).toEqual(['POST /collect/batch/']);

    const ports = collectionPorts();
    for (const { headers, query, bytes } of recorder.requests)
      await acceptPosthogBatch(ports, collectRequest(bytes, { headers, query }));
    const events = ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
    expect(events.map(({ type, event }) => event ?? type)).toEqual([
      'Order Placed',
      'page',
      'Seen',
      'identify',
      'group',
    ]);
    expect(events[2]).toMatchObject({ anonymous_id: 'anon-1' });
  });

  it('runs the caller’s own filter after its own', async () => {
    const seen: string[] = [];
    const options = posthogNodeOptions(recorder.baseUrl, {
      before_send: (event) => {
        if (event) seen.push(event.event);
        return event;
      },
    });
    const posthog = new PostHog(projectKey, options);
    posthog.capture({ distinctId: 'user-1', event: '$screen' });
    posthog.capture({ distinctId: 'user-1', event: 'Order Placed' });
    await posthog.shutdown();
    expect(seen).toEqual(['Order Placed']);
  });
});
