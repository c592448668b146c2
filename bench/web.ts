// The explorer at a neighbourhood of 500 and of 2,000 relations: until the picture stands, the worst frame while
// panning, memory, and the size of each page's scripts. Needs a Chromium; prints JSON lines.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { bundleFolder } from '../lib/function-specs.ts';
import { openBrowser } from '../test/support/browser.ts';
import { type ServiceCredentials, startProcess } from '../test/support/service-process.ts';

const sizes = [500, 2_000] as const;
const pansPerRun = 40;
const perAnswer = 490;
const inSight = 100;

const service = await startProcess(['--in-memory', '--seed', 'sample']);
const browser = await openBrowser();
try {
  for (const size of sizes) await measure(browser, service.credentials, size);
  for (const line of scriptSizes()) console.log(JSON.stringify(line));
} finally {
  await browser.close();
  await service.end('SIGTERM');
}

/** Relations that one relation feeds through hubs, all expanded in the picture. */
async function measure(
  of: Browser,
  { base_url: baseUrl, workspaces }: ServiceCredentials,
  size: number,
): Promise<void> {
  const shop = workspaces['shop'];
  if (!shop) throw new Error('the sample has no shop');
  const hubs = Array.from({ length: Math.ceil(size / perAnswer) }, (_, hub) => `hub_${size}_${hub}`);
  await deliver(baseUrl, shop, hubs, size);
  const page = await of.newPage({ viewport: { width: 1600, height: 1000 } });
  const processor = await processorOf(page);
  const started = performance.now();
  await page.goto(`${baseUrl}/lineage?${searchOf(shop, hubs, size)}#token=${shop.tokens['admin']}`);
  await drawnWhole(page, size + hubs.length);
  const pictureMs = Math.round(performance.now() - started);
  const pictureProcessorMs = await processor();
  const worstFrameMs = await worstFrame(page);
  const panProcessorMs = (await processor()) - pictureProcessorMs;
  const heapBytes = Number(await page.evaluate('performance.memory.usedJSHeapSize'));
  const drawn = await page.locator('.react-flow__node').count();
  console.log(
    JSON.stringify({
      bench: 'web',
      relations: size,
      picture_ms: pictureMs,
      // What the page itself takes of it, whatever else the machine does.
      picture_processor_ms: pictureProcessorMs,
      worst_frame_ms: worstFrameMs,
      pan_step_processor_ms: Math.round(panProcessorMs / pansPerRun),
      heap_mib: Math.round(heapBytes / 2 ** 20),
      nodes_in_sight: drawn,
    }),
  );
  await page.close();
}

/** The address that opens every hub, and no group. */
function searchOf(shop: Shop, hubs: readonly string[], size: number): URLSearchParams {
  const search = new URLSearchParams({
    connector: shop.connectors['warehouse']?.id ?? '',
    relation: `shop.bench.root_${size}`,
    direction: 'downstream',
  });
  for (const hub of hubs) search.append('down', `shop.bench.${hub}`);
  for (const depth of [1, 2]) search.append('open', `downstream.${depth}.shop.bench`);
  return search;
}

/** Waits until a picture of this many relations stands. */
async function drawnWhole(page: Page, relations: number): Promise<void> {
  const nodes = page.locator('.react-flow__node');
  const statement = `${relations.toLocaleString('en')} relations downstream`;
  await nodes.first().waitFor({ timeout: 300_000 });
  await page.locator('.summary-main', { hasText: statement }).waitFor({ timeout: 300_000 });
  // Until the last answer is laid out only the hubs are drawn; after that, whatever is in sight.
  await nodes.nth(inSight).waitFor({ state: 'attached', timeout: 300_000 });
}

type Shop = NonNullable<ServiceCredentials['workspaces'][string]>;

async function deliver(baseUrl: string, shop: Shop, hubs: readonly string[], size: number): Promise<void> {
  const namespace = shop.connectors['warehouse']?.namespaces[0] ?? '';
  const dataset = (name: string) => ({ namespace, name: `shop.bench.${name}` });
  const jobs = [
    { from: `root_${size}`, to: hubs },
    ...hubs.map((hub, index) => ({
      from: hub,
      to: Array.from(
        { length: Math.min(perAnswer, size - index * perAnswer) },
        (_, leaf) => `leaf_${size}_${index}_${leaf}`,
      ),
    })),
  ];
  const events = jobs.flatMap(({ from, to }) =>
    to.map((target) => ({
      eventTime: new Date().toISOString(),
      producer: 'https://bench.example',
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
      job: { namespace: 'bench', name: `make ${target}` },
      inputs: [dataset(from)],
      outputs: [dataset(target)],
    })),
  );
  const headers = { authorization: `Bearer ${shop.tokens['editor']}`, 'content-type': 'application/json' };
  for (let at = 0; at < events.length; at += 1_000) {
    const body = JSON.stringify(events.slice(at, at + 1_000));
    const url = `${baseUrl}/api/v1/lineage/batch?workspace_id=${shop.id}&connector_id=${shop.connectors['warehouse']?.id}`;
    const { delivery_id } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
      delivery_id: string;
    };
    await projected(`${baseUrl}/v1/lineage/deliveries/${delivery_id}?workspace_id=${shop.id}`, headers);
  }
}

async function projected(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const { state } = (await (await fetch(url, { headers })).json()) as { state: string };
    if (state === 'projected') return;
    if (state !== 'accepted' && state !== 'processing') throw new Error(`the delivery is ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** How long the page's main thread has run so far, in milliseconds of a processor. */
async function processorOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return Math.round(1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0));
  };
}

/** The longest time between two frames while the picture is dragged to and fro, in milliseconds. */
async function worstFrame(page: Page): Promise<number> {
  await page.evaluate(`globalThis.frames_ = []; let last = performance.now();
    const next = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(next); }; requestAnimationFrame(next);`);
  await page.mouse.move(900, 700);
  await page.mouse.down();
  for (let step = 0; step < pansPerRun; step++) await page.mouse.move(900 + 8 * (step % 20), 700 - 6 * (step % 20));
  await page.mouse.up();
  return Math.round(Number(await page.evaluate('Math.max(...frames_.slice(1))')));
}

/** Each script by itself, as gzip would send it; the first page loads what the document names. */
function scriptSizes(): object[] {
  const site = path.join(bundleFolder('web'), 'site');
  const document = readFileSync(path.join(site, 'index.html'), 'utf8');
  const gzipped = (name: string) => gzipSync(readFileSync(path.join(site, 'assets', name))).length;
  const scripts = readdirSync(path.join(site, 'assets')).filter((name) => name.endsWith('.js'));
  const first = scripts.filter((name) => document.includes(name));
  const firstKiB = Math.round(first.reduce((sum, name) => sum + gzipped(name), 0) / 1_024);
  return [
    { bench: 'web', first_page_script_kib: firstKiB },
    ...scripts.map((name) => ({ bench: 'web', script: name.replace(/-[^-]+\.js$/, ''), gzip_bytes: gzipped(name) })),
  ];
}
