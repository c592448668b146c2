import { PostHog } from 'posthog-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { posthogNodeOptions } from '../../sdk/index.js';
import { projectKey } from '../support/collection-ports.ts';
import { type Fate, startCollection } from '../support/collection-server.ts';
import { python, pythonPackage } from '../support/python.ts';

const client = await pythonPackage('posthog', '7.91.1');
if ('missing' in client) console.log(`posthog-python is not tried: ${client.missing}.`);

let collection: Awaited<ReturnType<typeof startCollection>>;
beforeEach(async () => {
  vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1');
  collection = await startCollection();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await collection.stop();
});

const faults: Fate[] = ['answer lost', 'unavailable', 'limited'];
const path = '/collect/i/v1/analytics/events';

describe('posthog-node in mode v1', () => {
  async function sendAll(options: object): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    const posthog = new PostHog(projectKey, {
      ...options,
      host: `${collection.url}/collect`,
      flushAt: 10,
      fetchRetryDelay: 1,
      fetchRetryCount: 5,
    });
    posthog.on('error', (failure: unknown) => failures.push(failure));
    posthog.capture({ distinctId: 'u-1', event: 'Order Placed', properties: { total: 5, $session_id: 's-1' } });
    posthog.capture({ distinctId: 'a-1', event: 'Seen', properties: { $process_person_profile: false } });
    posthog.capture({ distinctId: 'u-1', event: '$screen' });
    posthog.identify({ distinctId: 'u-1', properties: { plan: 'pro' } });
    posthog.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 3 } });
    await posthog.shutdown();
    return failures;
  }
  const all = ['group', 'identify', 'track Order Placed', 'track Seen'];

  it.each([[[] as Fate[]], [faults]])(
    'stores every supported event once when the first requests meet %j, and names the other (C-POSTHOG-21)',
    async (fates) => {
      collection.fates.push(...fates);
      const failures = await sendAll({});
      expect(collection.stored().events).toEqual(all);
      expect(new Set(collection.calls)).toEqual(new Set([path]));
      expect(failures).toHaveLength(1);
      expect(JSON.stringify(failures)).toContain('unsupported_event: /batch/2/event is a reserved event');
    },
  );

  it('reports nothing if the filter drops the other first (C-POSTHOG-20)', async () => {
    expect(await sendAll(posthogNodeOptions(collection.url, {}))).toEqual([]);
    expect(collection.stored().events).toEqual(all);
  });
});

describe.skipIf('missing' in client)('posthog-python in mode v1', () => {
  it('stores every supported event once when the first requests fail (C-POSTHOG-21)', async () => {
    if ('missing' in client) throw new Error('nothing to try');
    collection.fates.push('unavailable', 'answer lost');
    const script = new URL('../fixtures/posthog-python/capture-v1.py', import.meta.url).pathname;
    const env = { POSTHOG_CAPTURE_MODE: 'v1' };
    await python(client.folder, script, { key: projectKey, url: `${collection.url}/collect` }, env);
    expect(collection.stored().events).toEqual(['group', 'identify', 'track Order Placed']);
    expect(new Set(collection.calls)).toEqual(new Set([path]));
  });
});
