import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
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
  /** Small batches and short waits, because many requests have to meet failures. If false, the SDK has its defaults. */
  readonly paced: boolean;
  /** Of the pages' origin, which the project allows: pages are opened one after another. */
  readonly pagePort: number;
};

export type Driver = {
  /** Makes one call for each mark at once. Resolves once a page has taken them. */
  readonly send: (marks: readonly string[]) => Promise<void>;
  /** Has the SDK send what is left. Rejects if its program failed. */
  readonly end: () => Promise<void>;
};

/** Starts a program or a page with an SDK. */
export async function startDriver(one: Drive): Promise<Driver> {
  const { sdk, folder, url, key, paced } = one;
  const argument = JSON.stringify({ name: sdk.name, module: sdk.driver, folder, url, key, paced, v1: sdk.v1 });
  switch (sdk.language) {
    case 'browser':
      return await openPage(one);
    case 'node':
      return startProgram(one, process.execPath, [path.join(drivers, 'node.mjs'), argument]);
    case 'python':
      return startProgram(one, 'python3', [path.join(drivers, 'python.py'), argument]);
    case 'ruby':
      return startProgram(one, 'ruby', [path.join(drivers, 'ruby.rb'), argument]);
    case 'go':
      return startProgram(one, path.join(folder, 'driver'), [argument]);
    case 'java': {
      const classes = [path.join(folder, 'jars', '*'), path.join(folder, 'classes')].join(path.delimiter);
      const args = ['-cp', classes, sdk.driver ?? '', url, key, paced ? 'paced' : 'defaults'];
      return startProgram(one, 'java', args);
    }
  }
}

function startProgram({ sdk, folder }: Drive, program: string, args: readonly string[]): Driver {
  const env = {
    ...process.env,
    PYTHONPATH: folder,
    GEM_HOME: folder,
    ...(sdk.v1 && { POSTHOG_CAPTURE_MODE: 'v1' }),
  };
  const child = spawn(program, args, {
    env,
    stdio: ['pipe', 'ignore', process.env['SDK_OUTPUT'] ? 'inherit' : 'ignore'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  ended.catch(() => undefined);
  // A program that has failed says so at the end.
  child.stdin.on('error', () => undefined);
  return {
    send: async (marks) => void child.stdin.write(`${marks.join(' ')}\n`),
    end: async () => {
      child.stdin.end();
      const code = await Promise.race([ended, after(30_000, 'slow', { ref: false })]);
      if (code === 'slow') child.kill('SIGKILL');
      else if (code !== 0) throw new Error(`the driver of ${sdk.name} ended with ${code}`);
    },
  };
}

const pages: Readonly<Record<string, (one: Drive) => string>> = {
  '@segment/analytics-next': ({ key, url }) => `<script src="/sdk/dist/umd/index.js"></script>
<script type="module">
  const segment = { apiKey: '${key}', apiHost: '${new URL(url).host}/collect/segment/v1', protocol: 'http' };
  const settings = { integrations: { 'Segment.io': segment } };
  const [sdk] = await AnalyticsNext.AnalyticsBrowser.load({ writeKey: '${key}', cdnSettings: settings }, settings);
  const calls = [(mark) => sdk.track('Order Placed', { mark }), (mark) => sdk.identify('u-1', { mark }), (mark) => sdk.page(undefined, 'Home', { mark })];`,
  'posthog-js': ({ key, url, paced }) => `<script type="module">
  import sdk from '/sdk/dist/module.js';
  import { posthogJsOptions } from '/helper/index.js';
  const pace = ${paced} ? { request_queue_config: { flush_interval_ms: 250 } } : {};
  sdk.init('${key}', posthogJsOptions('${url}', { ...pace, opt_out_useragent_filter: true }));
  const calls = [(mark) => sdk.capture('Order Placed', { mark }), (mark) => sdk.group('company', 'acme', { mark })];`,
};

/** Serves a page of another origin, which asks for the marks of its calls. */
async function openPage(one: Drive): Promise<Driver> {
  const chromium = findChromium();
  if (chromium === null) throw new Error('Chromium is not there');
  const sdkFolder = path.join(one.folder, 'node_modules', one.sdk.name);
  const helper = path.resolve(import.meta.dirname, '..', '..', 'sdk');
  const page = `<!doctype html><title>Shop</title>${pages[one.sdk.name]?.(one)}
  for (let at = 0; ; ) {
    const marks = await (await fetch('/marks')).json();
    for (const mark of marks) calls[at++ % calls.length](mark);
  }
</script>`;
  /** The page that waits for marks. */
  let waiting = Promise.withResolvers<ServerResponse>();
  const server = createServer((request, response) => {
    const [, place = '', ...rest] = (request.url ?? '').split('/');
    if (place === 'marks') {
      return waiting.resolve(response);
    }
    const folder = { sdk: sdkFolder, helper }[place];
    response.setHeader('content-type', folder ? 'text/javascript' : 'text/html');
    response.end(folder ? readFileSync(path.join(folder, ...rest)) : page);
  });
  server.listen(one.pagePort, '127.0.0.1');
  await once(server, 'listening');
  const closed = Promise.withResolvers<void>();
  const shown = withPage(chromium, `http://localhost:${one.pagePort}/`, () => closed.promise).finally(() => {
    server.closeAllConnections();
    server.close();
  });
  shown.catch(() => undefined);
  return {
    send: async (marks) => {
      const response = await Promise.race([waiting.promise, shown]);
      waiting = Promise.withResolvers();
      response?.setHeader('content-type', 'application/json').end(JSON.stringify(marks));
    },
    end: async () => {
      closed.resolve();
      await shown;
    },
  };
}
