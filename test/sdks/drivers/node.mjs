// Sends by the SDK of the folder what its input names: each line has the marks of calls to make at once.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { name, folder, url, key, paced } = JSON.parse(process.argv[2]);
const require = createRequire(`${folder}/`);
const sdk = require(name);

const segmentCalls = (client) => [
  (mark) => client.track({ userId: 'u-1', event: 'Order Placed', properties: { mark } }),
  (mark) => client.identify({ userId: 'u-1', traits: { mark } }),
  (mark) => client.page({ userId: 'u-1', name: 'Home', properties: { mark } }),
  (mark) => client.screen({ userId: 'u-1', name: 'Cart', properties: { mark } }),
  (mark) => client.group({ userId: 'u-1', groupId: 'acme', traits: { mark } }),
];

const clients = {
  '@segment/analytics-node': () => {
    const at = { host: url, path: '/collect/segment/v1/batch' };
    const client = new sdk.Analytics({
      writeKey: key,
      ...at,
      ...(paced && { maxEventsInBatch: 5, flushInterval: 100 }),
    });
    return { calls: segmentCalls(client), end: () => client.closeAndFlush({ timeout: 60_000 }) };
  },
  '@rudderstack/rudder-sdk-node': () => {
    const Analytics = sdk.default ?? sdk;
    const at = { dataPlaneUrl: `${url}/collect/segment` };
    const client = new Analytics(key, { ...at, ...(paced && { flushAt: 5, flushInterval: 100 }) });
    return { calls: segmentCalls(client), end: () => client.flush() };
  },
  '@jitsu/js': () => {
    const client = sdk.jitsuAnalytics({ host: `${url}/collect/segment`, writeKey: `${key}:server`, s2s: true });
    const calls = [
      (mark) => client.track('Order Placed', { mark }),
      (mark) => client.identify('u-1', { mark }),
      (mark) => client.page({ mark }),
      (mark) => client.group('acme', { mark }),
    ];
    return { calls, end: () => undefined };
  },
  'posthog-node': () => {
    const pace = { flushAt: 5, maxBatchSize: 5, flushInterval: 100, fetchRetryDelay: 500 };
    const client = new sdk.PostHog(key, { host: `${url}/collect`, ...(paced && pace) });
    const calls = [
      (mark) => client.capture({ distinctId: 'u-1', event: 'Order Placed', properties: { mark } }),
      (mark) => client.identify({ distinctId: 'u-1', properties: { mark } }),
      (mark) => client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { mark } }),
    ];
    return { calls, end: () => client.shutdown(60_000) };
  },
};

const { calls, end } = clients[name]();
// An application goes on when an SDK gives up.
process.on('unhandledRejection', (reason) => console.error(String(reason)));
let at = 0;
// Timers of SDKs do not keep a process alive: the input does.
for await (const line of createInterface({ input: process.stdin }))
  for (const mark of line.split(' ')) calls[at++ % calls.length](mark);
await Promise.resolve(end()).catch((reason) => console.error(String(reason)));
