import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptPosthogBatch } from '../../shared/domain/events/accept-batch.ts';
import { findChromium, withPage } from '../support/chromium.ts';
import { collectionPorts, collectRequest, projectKey } from '../support/collection-ports.ts';
import { recordRequests } from '../support/request-recorder.ts';

const chromium = findChromium();
if (chromium === null) console.warn('No Chromium on PATH: posthog-js is not run. Set CHROMIUM_BIN to run it.');

const posthogFolder = path.dirname(createRequire(import.meta.url).resolve('posthog-js/package.json'));
const sdkFile = (name: string) => readFileSync(new URL(`../../sdk/${name}.js`, import.meta.url), 'utf8');

/** Timers that run on demand, each after the requests of the one before: a minute of the page in no time. */
const timers = `
  const waiting = new Map();
  let time = 0;
  let made = 0;
  let open = 0;
  const wait = (run, delay, every) => {
    const period = Math.max(Number(delay) || 0, every ? 100 : 0);
    waiting.set(++made, { at: time + period, run, every: every ? period : 0 });
    return made;
  };
  window.setTimeout = (run, delay, ...args) => wait(() => run(...args), delay, false);
  window.setInterval = (run, delay, ...args) => wait(() => run(...args), delay, true);
  window.clearTimeout = window.clearInterval = (id) => waiting.delete(id);
  // The SDK compresses and reads what it compressed apart from its timers: time stands while any of that is open.
  const work = [[window, 'fetch'], [Response.prototype, 'blob'], [Response.prototype, 'arrayBuffer'],
    [Blob.prototype, 'arrayBuffer'], [Blob.prototype, 'text'],
    [WritableStreamDefaultWriter.prototype, 'write'], [WritableStreamDefaultWriter.prototype, 'close']];
  for (const [owner, name] of work) {
    const run = owner[name];
    owner[name] = function (...args) {
      open++;
      return run.apply(this, args).finally(() => open--);
    };
  }
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  window.pass = async (milliseconds) => {
    for (const end = time + milliseconds; ; ) {
      do await turn();
      while (open > 0);
      const [id, next] = [...waiting].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (next === undefined || next.at > end) return;
      time = next.at;
      if (next.every) next.at += next.every;
      else waiting.delete(id);
      next.run();
    }
  };`;

const page = `<!doctype html><title>Shop</title><button id="order">Order</button><script>${timers}</script><script type="module">
  import posthog from '/posthog.js';
  import { posthogJsOptions } from '/sdk/index.js';
  // The SDK sends with credentials by it, and browsers refuse that for another origin.
  XMLHttpRequest.prototype.send = () => fetch('/by-xhr');
  // Everything is switched on that the helper has to switch off again.
  const options = { capture_pageleave: true, autocapture: true, disable_session_recording: false, capture_exceptions: true,
    disable_surveys: false, capture_performance: true, capture_heatmaps: true, opt_in_site_apps: true, api_transport: 'XHR',
    request_queue_config: { flush_interval_ms: 250 }, opt_out_useragent_filter: true };
  posthog.init('${projectKey}', posthogJsOptions(location.origin, options));
  posthog.setPersonProperties({ anonymous: true });
  posthog.capture('Seen');
  document.querySelector('#order').click();
  posthog.identify('user-1', { plan: 'pro' }, { first: 1 });
  posthog.group('company', 'acme', { seats: 3 });
  posthog.capture('Order Placed', { total: 5 });
  posthog.alias('user-2');
  posthog.captureException(new Error('failed'));
  posthog.startSessionRecording();
  posthog.reloadFeatureFlags();
  posthog.isFeatureEnabled('flag');
  posthog.getFeatureFlag('flag');
  posthog.getSurveys(() => {}, true);
  posthog.getActiveMatchingSurveys(() => {}, true);
  posthog.getEarlyAccessFeatures(() => {}, true);
  posthog.updateEarlyAccessFeatureEnrollment('beta', true);
  posthog.createPersonProfile();
  posthog.capture('Last', {}, { send_instantly: true });
  // That nothing else is called shows only after a while.
  await pass(60_000);
  await fetch('/done');
</script>`;

const files = {
  '/': page,
  '/posthog.js': readFileSync(path.join(posthogFolder, 'dist/module.js'), 'utf8'),
  ...Object.fromEntries(['index', 'browser', 'server', 'supported'].map((name) => [`/sdk/${name}.js`, sdkFile(name)])),
};

describe.skipIf(chromium === null)('posthog-js with the helper, in Chromium', () => {
  it('calls the event route and nothing else, and everything that it sends is accepted (C-POSTHOG-20)', async () => {
    const recorder = await recordRequests(files);
    await withPage(chromium ?? '', `${recorder.baseUrl}/`, () => recorder.seen('/done'));
    await recorder.stop();
    const sent = recorder.requests.filter(
      ({ path }) => !(path in files) && path !== '/done' && path !== '/favicon.ico',
    );
    expect([...new Set(sent.map(({ method, path }) => `${method} ${path}`))]).toEqual(['POST /collect/e/']);

    const ports = collectionPorts();
    for (const { headers, query, bytes } of sent)
      await acceptPosthogBatch(ports, collectRequest(bytes, { headers: { ...headers, origin: undefined }, query }));
    const events = ports.accepted.flatMap(({ lines }) => lines.map((line) => JSON.parse(line)));
    const names = new Set(events.map(({ type, event }) => event ?? type));
    expect(names).toEqual(new Set(['page', 'Seen', 'identify', 'group', 'Order Placed', 'Last']));
    expect(events.find(({ event }) => event === 'Seen')).not.toHaveProperty('user_id');
    expect(events.find(({ event }) => event === 'Order Placed')).toMatchObject({
      user_id: 'user-1',
      properties: { total: 5 },
    });
  });
});
