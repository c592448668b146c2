import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { sampleBrowser, shopOfSample } from '../support/sample-browser.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { deliverEvents, jobEvent } from './deliver-events.ts';

const generator = path.resolve(import.meta.dirname, '..', '..', '..', 'shared', 'explorer', 'generate-northwind.mjs');
const hasAll = findChromium() !== null && existsSync(generator);
if (!hasAll)
  console.warn('Without Chromium or the generator of Northwind, the budgets of the explorer are not tested.');

const runs = 5;
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** A project of 300 models and a picture of 1,000 relations. Times are printed; a busy machine may miss the budgets. */
describe.skipIf(!hasAll)('the explorer with a project of 300 models, in figures', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'northwind-'));
  const sample = sampleBrowser({
    prepare: async (service) => {
      for (const variant of ['main', 'branch']) execFileSync('node', [generator, path.join(folder, variant), variant]);
      await deliverManifest(service, manifestOf('main'));
      await deliverEvents(service, thousand(service), { states: /^projected$/, timeout: 120_000 });
    },
  });
  let page: Page;
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    page = sample.page;
  });

  const manifestOf = (variant: string): Buffer => readFileSync(path.join(folder, variant, 'target', 'manifest.json'));
  const hubs = [0, 1, 2].map((hub) => `wide.hubs.hub_${hub}`);
  const leaf = (hub: number, index: number) => `wide.leaves_${hub}.leaf_${index}`;

  /** A root that feeds three relations, which feed 332 each. */
  const thousand = (service: ServiceProcess) => [
    ...hubs.map((hub) => jobEvent(service, 'wide.raw.root', hub)),
    ...hubs.flatMap((hub, at) => Array.from({ length: 332 }, (_, index) => jobEvent(service, hub, leaf(at, index)))),
  ];

  const graph = () => page.getByRole('region', { name: 'Lineage graph' });
  const addressOf = (question: string) => sample.addressOf(`${question}&connector=${sample.warehouse()}`);
  const lineage = (relation: string, more: string) => `/lineage?relation=${relation}${more}`;
  const columns = '&column=amount_cents&direction=downstream';
  const opened = hubs.map((hub) => `&down=${hub}`).join('');
  const ungrouped = hubs.map((_, hub) => `&open=downstream.wide.leaves_${hub}`).join('');
  const all = `&direction=downstream&depth=1${opened}`;

  const cases = [
    [20, 800, lineage('analytics.raw_stripe.charges', columns)],
    [50, 900, lineage('analytics.finance.fct_subscriptions', '&direction=upstream&depth=5')],
    [170, 1_100, lineage('analytics.core.dim_customers', '&depth=4')],
    [1_000, 2_000, lineage('wide.raw.root', all)],
  ] as const;

  async function open(question: string): Promise<void> {
    await page.goto('about:blank');
    await page.goto(addressOf(question));
    await graph().locator('.relation').first().waitFor();
  }

  it.each(cases)('draws %i relations within the budget of %i ms', async (count, budget, question) => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      const start = performance.now();
      await open(question);
      if (count === 1_000) await page.getByText('996 relations that you expanded').waitFor();
      times.push(performance.now() - start);
    }
    console.info(`${count} relations are drawn after ${Math.round(median(times))} ms (budget ${budget}).`);
    expect(await graph().locator('.relation').count()).toBeGreaterThan(1);
  });

  it.each([
    ['170', lineage('analytics.core.dim_customers', '&depth=4')],
    ['1,000', lineage('wide.raw.root', all + ungrouped)],
  ])('moves smoothly: frames a second while %s relations are dragged and zoomed', async (count, question) => {
    await open(question);
    await page.waitForLoadState('networkidle');
    const rates: Record<'drag' | 'zoom', number[]> = { drag: [], zoom: [] };
    for (let run = 0; run < runs; run++)
      for (const kind of ['drag', 'zoom'] as const) {
        await page.evaluate(countFrames);
        await page.mouse.move(500, 250);
        if (kind === 'drag') await page.mouse.down();
        for (let step = 0; step < 30; step++) {
          if (kind === 'drag') await page.mouse.move(500 + 6 * (step % 15), 250 + 4 * (step % 15));
          else await page.mouse.wheel(0, step % 10 < 5 ? 40 : -40);
        }
        await page.mouse.up();
        rates[kind].push(v.parse(v.number(), await page.evaluate('frames_.stop()')));
      }
    const [drag, zoom] = [median(rates.drag), median(rates.zoom)];
    console.info(
      `${count} relations: ${drag.toFixed(0)} frames a second dragged, ${zoom.toFixed(0)} zoomed (budget 55).`,
    );
    expect(Math.min(drag, zoom)).toBeGreaterThan(0);
  });

  it('lights the relations of one that is pointed at, and shows the evidence of an edge that is chosen', async () => {
    const [lit, shown]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      await open(lineage('analytics.raw_stripe.charges', '&direction=downstream&depth=3'));
      await page.waitForLoadState('networkidle');
      const box = await graph().locator('.relation').last().boundingBox();
      await page.mouse.move(700, 200);
      await page.evaluate(timeOf('mouseover', '.relation', '[data-dimmed="true"]'));
      await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 20);
      lit.push(v.parse(v.number(), await page.evaluate('timed_')));
      await page.mouse.move(700, 200);
      const link = graph().locator('.edge-link').first();
      await link.focus();
      await page.evaluate(timeOf('keydown', '.edge-link', '.evidence .piece'));
      await page.keyboard.press('Enter');
      shown.push(v.parse(v.number(), await page.evaluate('timed_')));
    }
    console.info(
      `Lit after ${Math.round(median(lit))} ms (budget 50), evidence after ${Math.round(median(shown))} ms (200).`,
    );
    expect(Math.min(...lit, ...shown)).toBeGreaterThan(0);
  });

  it('has no name under 33 characters cut in a box of columns', async () => {
    await open(lineage('analytics.raw_stripe.charges', columns));
    await page.waitForLoadState('networkidle');
    const cut = v.parse(v.array(v.string()), await page.evaluate(cutNames));
    console.info(`${cut.length} names of at most 32 characters are cut.`);
    expect(cut).toEqual([]);
  });

  it('leads no line through a box of 170 relations, and shows the schema on each card', async () => {
    await open(lineage('analytics.core.dim_customers', '&depth=4'));
    await page.waitForLoadState('networkidle');
    const [lines, through] = v.parse(
      v.tuple([v.number(), v.array(v.string())]),
      await page.evaluate(linesThroughBoxes),
    );
    const titles = await graph().locator('.group .relation-table').allTextContents();
    console.info(`${through.length} of ${lines} lines lead through boxes; ${titles.length} cards show their schema.`);
    expect(through).toEqual([]);
    expect(titles.length).toBeGreaterThan(5);
    expect(titles).not.toContain('');
  });

  it('names the breaking columns of a branch and most relations that break on the first screen', async () => {
    await page.goto(addressOf('/changes?'));
    const file = { name: 'manifest.json', mimeType: 'application/json', buffer: manifestOf('branch') };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.locator('.relation[data-mark="breaks"]').first().waitFor();
    await page.waitForLoadState('networkidle');
    const breaking = page.getByRole('table', { name: 'What goes' }).locator('tr[data-grade="breaking"]');
    const columns = (await breaking.getByRole('rowheader').allTextContents()).map(
      (name) => /\.(\w+)(?= →|$)/.exec(name)?.[1],
    );
    expect(columns.toSorted()).toEqual(['amount', 'captured_at', 'failure_code']);
    for (const row of await breaking.all()) expect(await inSight(row.getByRole('rowheader'))).toBe(true);
    const names = new Set<string>();
    for (const one of await page.locator('.affected tbody tr').all())
      if (await inSight(one)) names.add((await one.getByRole('rowheader').textContent()) ?? '');
    for (const one of await graph().locator('.relation[data-mark="breaks"] .relation-name').all())
      if (await inSight(one)) names.add((await one.getAttribute('data-id')) ?? '');
    console.info(`${columns.length} breaking columns and ${names.size} relations that break are in sight.`);
    expect(names.size).toBeGreaterThanOrEqual(8);
  });

  /** Whether a whole element is within the window and the parts that scroll. */
  const inSight = async (element: ReturnType<Page['locator']>): Promise<boolean> => {
    const box = await element.boundingBox();
    if (box === null || box.y < 0 || box.y + box.height > 900 || box.x + box.width > 1_440) return false;
    const at = [box.x + Math.min(60, box.width / 2), box.y + box.height / 2];
    return element.evaluate((one, [x, y]) => one.contains(one.ownerDocument.elementFromPoint(x ?? 0, y ?? 0)), at);
  };
});

/** Pushes the manifest as the newest complete snapshot of the sample's project. */
async function deliverManifest(service: ServiceProcess, manifest: Buffer): Promise<void> {
  const { id: workspace_id, tokens, connectors, linked_projects } = shopOfSample(service);
  const headers = { authorization: `Bearer ${tokens['editor']}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    ...{ workspace_id, connector_id: connectors['warehouse']?.id, project_id: linked_projects['dbt'] },
    ...{ source_event_key: 'northwind', completeness: 'complete', manifest: JSON.parse(manifest.toString()) },
  });
  const at = `${service.credentials.base_url}/v1/lineage`;
  const sent = await fetch(`${at}/dbt/manifest`, { method: 'POST', headers, body });
  const { delivery_id } = v.parse(v.object({ delivery_id: v.string() }), await sent.json());
  const isThere = async () => {
    const answer = await fetch(`${at}/deliveries/${delivery_id}?workspace_id=${workspace_id}`, { headers });
    return v.parse(v.object({ state: v.string() }), await answer.json()).state === 'projected';
  };
  await vi.waitUntil(isThere, { timeout: 120_000, interval: 200 });
}

/** In the page: counts frames until `stop`, which answers how many there were a second. */
const countFrames = `globalThis.frames_ = (() => {
  let [count, isOn] = [0, true];
  const start = performance.now();
  const next = () => { count++; if (isOn) requestAnimationFrame(next); };
  requestAnimationFrame(next);
  return { stop: () => { isOn = false; return (1000 * count) / (performance.now() - start); } };
})()`;

/** In the page: the milliseconds from an event at one element until another is there. */
const timeOf = (event: string, at: string, until: string): string => `globalThis.timed_ = new Promise((done) => {
  let start = null;
  addEventListener('${event}', ({ target }) => { if (target.closest('${at}')) start ??= performance.now(); }, true);
  new MutationObserver((_, observer) => {
    if (start === null || !document.querySelector('${until}')) return;
    observer.disconnect();
    done(performance.now() - start);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}), undefined`;

/** In the page: names of at most 32 characters whose text is wider than their room. */
const cutNames = `[...document.querySelectorAll('.relation:has(.relation-columns) .relation-table')]
  .filter((name) => name.textContent.length <= 32 && name.scrollWidth > name.clientWidth + 1)
  .map((name) => name.textContent)`;

/** In the page: how many lines there are, and which pass through boxes that are not their ends. */
const linesThroughBoxes = `(() => {
  const boxes = [...document.querySelectorAll('.react-flow__node')].map((node) => [node.dataset.id, node.getBoundingClientRect()]);
  const lines = [...document.querySelectorAll('.react-flow__edge')];
  const through = lines.filter((line) => {
    const path = line.querySelector('.react-flow__edge-path');
    const matrix = path.getScreenCTM();
    const ends = line.dataset.id.split('\\n');
    for (let at = 0; at <= 60; at++) {
      const { x, y } = path.getPointAtLength((path.getTotalLength() * at) / 60).matrixTransform(matrix);
      for (const [id, box] of boxes)
        if (!ends.includes(id) && x > box.left + 2 && x < box.right - 2 && y > box.top + 2 && y < box.bottom - 2) return true;
    }
    return false;
  });
  return [lines.length, through.map((line) => line.dataset.id)];
})()`;
