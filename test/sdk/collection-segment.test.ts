import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Analytics } from '@segment/analytics-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, withPage } from '../support/chromium.ts';
import { projectKey } from '../support/collection-ports.ts';
import { type Fate, startCollection } from '../support/collection-server.ts';
import { python, pythonPackage } from '../support/python.ts';

const segment = await pythonPackage('segment-analytics-python', '2.4.0');
const rudderstack = await pythonPackage('rudder-sdk-python', '2.1.9');
const chromium = findChromium();
for (const [sdk, missing] of [
  ['analytics-python', 'missing' in segment && segment.missing],
  ['rudder-sdk-python', 'missing' in rudderstack && rudderstack.missing],
  ['analytics-next', chromium === null && 'there is no Chromium on PATH'],
])
  if (missing) console.log(`${sdk} is not tried: ${missing}.`);

let collection: Awaited<ReturnType<typeof startCollection>>;
beforeEach(async () => {
  collection = await startCollection();
});
afterEach(() => collection.stop());

const everything = ['group', 'identify', 'page Cart', 'page Home', 'track Order Placed'];

describe('analytics-node', () => {
  const sendEverything = async () => {
    const settings = { writeKey: projectKey, host: collection.url, path: '/collect/segment/v1/batch' };
    const analytics = new Analytics({ ...settings, maxEventsInBatch: 2, flushInterval: 10 });
    analytics.track({ userId: 'u-1', event: 'Order Placed', properties: { total: 5 } });
    analytics.identify({ userId: 'u-1', traits: { plan: 'pro' } });
    analytics.page({ anonymousId: 'a-1', name: 'Home' });
    analytics.screen({ anonymousId: 'a-1', name: 'Cart' });
    analytics.group({ userId: 'u-1', groupId: 'acme' });
    await analytics.closeAndFlush();
  };

  it('sends events that are all accepted (C-SEGMENT-1, C-SEGMENT-10)', async () => {
    await sendEverything();
    expect(collection.stored()).toEqual({ sent: 5, events: everything });
    expect(new Set(collection.calls)).toEqual(new Set(['/collect/segment/v1/batch']));
  });

  it('loses and doubles nothing where answers are lost and requests fail (C-SEGMENT-4)', async () => {
    collection.fates.push('answer lost', 'unavailable', 'limited', 'answer lost');
    await sendEverything();
    expect(collection.stored().events).toEqual(everything);
    expect(collection.stored().sent).toBeGreaterThan(5);
  });
});

describe.skipIf('missing' in segment)('analytics-python', () => {
  it.each([[[] as Fate[]], [['unavailable', 'answer lost', 'limited'] as Fate[]]])(
    'stores every event once when the first requests meet %j (C-SEGMENT-1)',
    async (fates) => {
      collection.fates.push(...fates);
      await run(segment, 'segment.analytics');
      expect(collection.stored().events).toEqual(everything);
    },
  );
});

describe.skipIf('missing' in rudderstack)('rudder-sdk-python', () => {
  it('sends events that are all stored (C-SEGMENT-1)', async () => {
    await run(rudderstack, 'rudderstack.analytics');
    expect(collection.stored().events).toEqual(everything);
  });
});

const sdkFolder = path.dirname(createRequire(import.meta.url).resolve('@segment/analytics-next/package.json'));

/** Everything is sent to another origin than the page's. */
const pageFor = (
  apiHost: string,
  strategy: object,
) => `<!doctype html><title>Shop</title><script src="/sdk.js"></script>
<script type="module">
  const settings = { integrations: { 'Segment.io': { apiKey: '${projectKey}', apiHost: '${apiHost}', protocol: 'http', deliveryStrategy: ${JSON.stringify(strategy)} } } };
  const [analytics] = await AnalyticsNext.AnalyticsBrowser.load({ writeKey: '${projectKey}', cdnSettings: settings }, settings);
  await analytics.page(undefined, 'Home', {});
  await analytics.identify('u-1', { plan: 'pro' });
  await analytics.track('Order Placed', { total: 5 });
  await analytics.group('acme', { seats: 3 });
  await analytics.screen(undefined, 'Cart');
</script>`;

describe.skipIf(chromium === null)('analytics-next, in Chromium', () => {
  it.each([
    ['one by one', {}, 5],
    ['as a batch', { strategy: 'batching', config: { size: 5, timeout: 60_000 } }, 1],
  ])('sends to another origin %s, and all is accepted (C-SEGMENT-1, C-SEGMENT-10)', async (_, strategy, requests) => {
    const { port, host } = new URL(collection.url);
    collection.origins.push(`http://localhost:${port}`);
    const sdk = readFileSync(path.join(sdkFolder, 'dist', 'umd', 'index.js'), 'utf8');
    collection.pages.set('/sdk.js', { type: 'text/javascript', text: sdk });
    collection.pages.set('/', { type: 'text/html', text: pageFor(`${host}/collect/segment/v1`, strategy) });
    await withPage(chromium ?? '', `http://localhost:${port}/`, async () => {
      while (collection.calls.length < requests || collection.stored().sent < 5) await collection.answered();
    });
    expect(collection.stored().events).toEqual(everything);
    expect(collection.calls).toHaveLength(requests);
  });
});

async function run(client: Awaited<ReturnType<typeof pythonPackage>>, module: string): Promise<void> {
  if ('missing' in client) throw new Error('nothing to try');
  const script = new URL('../fixtures/segment-python/capture.py', import.meta.url).pathname;
  await python(client.folder, script, { module, key: projectKey, url: `${collection.url}/collect/segment` }, {});
}
