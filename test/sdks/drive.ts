import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { findChromium, withPage } from '../support/chromium.ts';
import type { Sdk } from './catalogue.ts';
import { drivers } from './install.ts';

export type Drive = {
  readonly sdk: Sdk;
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly marks: readonly string[];
  /** Of the pages' origin, which the project allows: pages are opened one after another. */
  readonly pagePort: number;
  /** Resolves once every mark was answered, or will not be. */
  readonly settled: () => Promise<void>;
};

/** Has an SDK send its marks, and resolves once it has nothing more to send. */
export async function drive(one: Drive): Promise<void> {
  const { sdk, folder, url, key, marks } = one;
  const argument = JSON.stringify({ name: sdk.name, module: sdk.driver, folder, url, key, marks });
  switch (sdk.language) {
    case 'browser':
      return await openPage(one);
    case 'node':
      return await start(one, process.execPath, [path.join(drivers, 'node.mjs'), argument]);
    case 'python':
      return await start(one, 'python3', [path.join(drivers, 'python.py'), argument]);
    case 'go':
      return await start(one, path.join(folder, 'driver'), [argument]);
    case 'java': {
      const classes = [path.join(folder, 'jars', '*'), path.join(folder, 'classes')].join(path.delimiter);
      return await start(one, 'java', ['-cp', classes, sdk.driver ?? '', url, key, marks.join(' ')]);
    }
  }
}

/** SDKs that do not wait for their queue at the end are kept until their standard input ends. */
async function start({ sdk, folder, settled }: Drive, program: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, PYTHONPATH: folder, ...(sdk.v1 && { POSTHOG_CAPTURE_MODE: 'v1' }) };
  const child = spawn(program, args, {
    env,
    stdio: ['pipe', 'ignore', process.env['SDK_OUTPUT'] ? 'inherit' : 'ignore'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  await Promise.race([settled(), ended]);
  child.stdin.end();
  const slow = after(30_000, 'slow', { ref: false });
  const code = await Promise.race([ended, slow]);
  if (code === 'slow') child.kill('SIGKILL');
  else if (code !== 0) throw new Error(`the driver of ${sdk.name} ended with ${code}`);
}

const pages: Readonly<Record<string, (one: Drive) => string>> = {
  '@segment/analytics-next': ({ key, url }) => `<script src="/sdk/dist/umd/index.js"></script>
<script type="module">
  const segment = { apiKey: '${key}', apiHost: '${new URL(url).host}/collect/segment/v1', protocol: 'http' };
  const settings = { integrations: { 'Segment.io': segment } };
  const [sdk] = await AnalyticsNext.AnalyticsBrowser.load({ writeKey: '${key}', cdnSettings: settings }, settings);
  const calls = [(mark) => sdk.track('Order Placed', { mark }), (mark) => sdk.identify('u-1', { mark }), (mark) => sdk.page(undefined, 'Home', { mark })];`,
  'posthog-js': ({ key, url }) => `<script type="module">
  import sdk from '/sdk/dist/module.js';
  import { posthogJsOptions } from '/helper/index.js';
  sdk.init('${key}', posthogJsOptions('${url}', { request_queue_config: { flush_interval_ms: 250 }, opt_out_useragent_filter: true }));
  const calls = [(mark) => sdk.capture('Order Placed', { mark }), (mark) => sdk.group('company', 'acme', { mark })];`,
};

/** Serves a page that sends all marks, one after another, to another origin. */
async function openPage(one: Drive): Promise<void> {
  const chromium = findChromium();
  if (chromium === null) throw new Error('Chromium is not there');
  const sdkFolder = path.join(one.folder, 'node_modules', one.sdk.name);
  const helper = path.resolve(import.meta.dirname, '..', '..', 'sdk');
  const page = `<!doctype html><title>Shop</title>${pages[one.sdk.name]?.(one)}
  for (const [at, mark] of ${JSON.stringify(one.marks)}.entries()) {
    calls[at % calls.length](mark);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
</script>`;
  const server = createServer((request, response) => {
    const [, place = '', ...rest] = (request.url ?? '').split('/');
    const folder = { sdk: sdkFolder, helper }[place];
    response.setHeader('content-type', folder ? 'text/javascript' : 'text/html');
    response.end(folder ? readFileSync(path.join(folder, ...rest)) : page);
  });
  server.listen(one.pagePort, '127.0.0.1');
  try {
    await withPage(chromium, `http://localhost:${one.pagePort}/`, one.settled);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
