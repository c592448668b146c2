import type { Page, Request } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleBrowser } from '../support/sample-browser.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { deliverEvents, jobEvent } from './deliver-events.ts';

/** How many relations the pictures have that are measured; the sample has some of 8 and 17. */
const counts = [19, 50, 170, 500, 1_000] as const;

const delivered = { states: /^projected$/, timeout: 120_000 };

/** A root that feeds relations of ten schemas, the second half of each through the first. */
function shopOf(service: ServiceProcess, count: number): object[] {
  const name = (index: number) => `wide${count}.schema_${index % 10}.a_relation_with_a_long_name_${index}`;
  return Array.from({ length: count - 1 }, (_, index) =>
    jobEvent(service, index < count / 2 ? `wide${count}.raw.root` : name(index - Math.floor(count / 2)), name(index)),
  );
}

/** A root that feeds seven relations that look alike, and one that does not. */
const alike = (service: ServiceProcess): object[] => [
  ...Array.from({ length: 7 }, (_, index) => jobEvent(service, 'alike.raw.root', `alike.marts.copy_${index}`)),
  jobEvent(service, 'alike.raw.root', 'alike.staging.other'),
];

describe.skipIf(findChromium() === null)('the picture, in figures', () => {
  const sample = sampleBrowser({
    prepare: async (service) => {
      for (const count of counts) await deliverEvents(service, shopOf(service, count), delivered);
      await deliverEvents(service, alike(service), delivered);
    },
  });
  let page: Page;
  beforeEach(() => {
    page = sample.page;
  });

  const graph = () => page.getByRole('region', { name: 'Lineage graph' });

  const addressOf = (relation: string, more: string) =>
    sample.addressOf(`/lineage?connector=${sample.warehouse()}&relation=${relation}${more}`);

  async function open(relation: string, more = ''): Promise<void> {
    await page.goto(addressOf(relation, more));
    await graph().locator('.relation').first().waitFor();
    await page.waitForLoadState('networkidle');
  }

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
    console.info(`On a phone the root has its top at ${box?.y.toFixed(0)} of 844 pixels.`);
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

  it.each([
    [1_440, 170],
    [390, 170],
    [1_440, 1_000],
  ])(
    'shows readable names in whole boxes if nothing is grouped, %i pixels wide: %i relations',
    async (width, count) => {
      await page.setViewportSize({ width, height: 900 });
      await open(`wide${count}.raw.root`, '&depth=5&group=none');
      const { smallest, cut } = v.parse(
        v.object({ smallest: v.number(), cut: v.array(v.string()) }),
        await page.evaluate(measureText),
      );
      expect(smallest).toBeGreaterThanOrEqual(11);
      expect(cut).toEqual([]);
      expect(v.parse(v.array(v.string()), await page.evaluate(namesBeyondBoxes))).toEqual([]);
    },
  );

  it('keeps names readable from afar, and leads no line through a box where a lane has several columns', async () => {
    await open('wide170.raw.root', '&depth=5&group=none');
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await expect.poll(() => page.locator('.relation-name').count()).toBe(170);
    expect(v.parse(v.array(v.string()), await page.evaluate(namesBeyondBoxes))).toEqual([]);
    const { smallest } = v.parse(v.object({ smallest: v.number() }), await page.evaluate(measureText));
    const [parts, through] = v.parse(v.tuple([v.number(), v.number()]), await page.evaluate(partsThroughBoxes));
    console.info(`Names have ${smallest.toFixed(1)} pixels; ${through} of ${parts} parts of lines lead through boxes.`);
    expect(smallest).toBeGreaterThanOrEqual(11);
    expect(parts).toBeGreaterThan(168);
    expect(through).toBe(0);
  });

  it.each([
    [1_280, columns],
    [1_440, columns],
    [1_920, columns],
    [1_440, '&depth=2'],
    [390, columns],
  ])('cuts no lane at first view, %i pixels wide: %s', async (width, more) => {
    await page.setViewportSize({ width, height: 900 });
    await open('shop.raw_stripe.charges', more);
    const room = await graph().boundingBox();
    const boxes = await Promise.all((await graph().locator('.relation').all()).map((one) => one.boundingBox()));
    const [left, right] = [room?.x ?? 0, (room?.x ?? 0) + (room?.width ?? 0)];
    const shares = boxes.map((box) =>
      box ? (Math.min(right, box.x + box.width) - Math.max(left, box.x)) / box.width : 0,
    );
    const [whole, cut] = [
      shares.filter((share) => share > 0.99),
      shares.filter((share) => share > 0.1 && share < 0.99),
    ];
    console.info(`${width} pixels wide: ${whole.length} of ${boxes.length} boxes are whole, ${cut.length} are cut.`);
    expect(whole.length).toBeGreaterThan(0);
    expect(cut).toEqual([]);
    // What is outside should be nearer, not what is inside larger.
    if (more === columns) expect(parseInt((await page.locator('.zoom').textContent()) ?? '', 10)).toBeLessThan(106);
  });

  it('has whole names and no text under 11 pixels from afar, where columns have no room', async () => {
    await open('shop.raw_stripe.charges', columns);
    for (let times = 0; times < 3; times++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => page.locator('.zoom').textContent()).toMatch(/^[56]\d%$/);
    const { smallest } = v.parse(v.object({ smallest: v.number() }), await page.evaluate(measureText));
    expect(smallest).toBeGreaterThanOrEqual(11);
    for (const name of await graph().locator('.relation:has(.relation-columns) .relation-table').all())
      expect(await name.evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true);
  });

  it('says above each lane in words how many relations it has', async () => {
    await open('shop.raw_stripe.charges', columns);
    const heads = page.locator('.lane-strip span');
    await expect.poll(() => heads.first().textContent()).toBe('This relation');
    for (const head of (await heads.allTextContents()).slice(1))
      expect(head).toMatch(/^(\d steps? downstream)?\d+ relations?$/);
    await open('wide170.raw.root', '&depth=5&group=none');
    await expect
      .poll(() => heads.allTextContents())
      .toEqual(['This relation', '1 step downstream85 relations', '2 steps downstream84 relations']);
  });

  it('draws seven that look alike as one, which opens in place', async () => {
    await open('alike.raw.root', '&direction=downstream');
    const group = graph().getByRole('button', { name: /, 7 relations$/ });
    await group.getByText('7 alike').waitFor();
    expect(await graph().locator('.relation').count()).toBe(3);
    await group.click();
    await expect.poll(() => graph().locator('.relation').count()).toBe(9);
    // A click on a group opens it and lights nothing; only what is under the pointer is lit.
    await page.mouse.move(700, 840);
    await expect.poll(() => graph().locator('[data-dimmed="true"]').count()).toBe(0);
  });

  it('keeps lit what a click chose, until Escape', async () => {
    await open('shop.raw_stripe.charges', '&direction=downstream&depth=3');
    const [all, dimmed] = [graph().locator('.relation'), graph().locator('.relation[data-dimmed="true"]')];
    await graph()
      .getByRole('button', { name: /^shop.finance.fct_disputes/ })
      .click();
    await page.mouse.move(700, 300);
    await expect.poll(() => dimmed.count()).toBeGreaterThan(0);
    expect(await dimmed.count()).toBeLessThan(await all.count());
    await page.keyboard.press('Escape');
    await expect.poll(() => dimmed.count()).toBe(0);
  });

  it('lights a schema by its chip, and the table lists only that', async () => {
    await open('shop.raw_stripe.charges', columns);
    const chip = page.getByRole('toolbar', { name: 'Light a schema' }).getByRole('button', { name: /^finance/ });
    await chip.click();
    await page.waitForURL(/schema=shop.finance/);
    await expect.poll(() => graph().locator('.relation[data-dimmed="true"]').count()).toBeGreaterThan(3);
    await page.getByRole('tab', { name: 'Table' }).click();
    const names = page.getByRole('table', { name: 'Impact' }).getByRole('rowheader');
    for (const name of await names.allTextContents()) expect(name).toMatch(/^shop\.finance\./);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as comment' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const comment = v.parse(v.string(), await page.evaluate('navigator.clipboard.readText()'));
    expect(comment).toContain('| `shop.finance.fct_payments` | Downstream |');
    await chip.click();
    await expect.poll(() => names.count()).toBeGreaterThan(5);
  });

  it('says in the inspector who states the relation and what changed of it, and follows the way to the end', async () => {
    await open('shop.raw_stripe.charges', '&direction=downstream&depth=1');
    const inspector = page.getByRole('complementary');
    await inspector.getByText('Sources', { exact: true }).click();
    await inspector.getByRole('link', { name: 'airflow' }).waitFor();
    await inspector.getByText('Changes of the last 30 days').click();
    await inspector.getByText('→ shop.staging.stg_stripe__charges').waitFor();
    await page.getByRole('button', { name: 'Follow to the end' }).click();
    await page.waitForURL((url) => !url.searchParams.has('depth'));
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('keeps the buttons of a box off the label of its edge', async () => {
    await open('shop.raw.payments', columns + evidence);
    const label = await graph().locator('.edge-link[data-chosen="true"]').boundingBox();
    const pins = await Promise.all((await graph().locator('.pin').all()).map((pin) => pin.boundingBox()));
    expect(pins).toHaveLength(2);
    for (const pin of pins) {
      const isBeside = pin && label && (pin.x + pin.width <= label.x || pin.x >= label.x + label.width);
      const isAbove = pin && label && (pin.y + pin.height <= label.y || pin.y >= label.y + label.height);
      expect(isBeside || isAbove).toBe(true);
    }
  });

  it('keeps the last answer behind the message of a failed request', async () => {
    await open('shop.raw.payments', columns);
    await page.route('**/v1/lineage/impact?*', (route) => route.abort());
    await page.getByLabel('Direction').selectOption('both');
    const message = graph().locator('xpath=..').getByRole('alert');
    await message.getByText('The service cannot be reached').waitFor();
    expect(await graph().locator('.relation').count()).toBe(8);
    await page.unroute('**/v1/lineage/impact?*');
    await message.getByRole('button', { name: 'Try again' }).click();
    await message.waitFor({ state: 'detached' });
  });

  it('has a sheet on a phone that a drag or the arrow keys make higher or lower', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('shop.raw.payments', columns);
    const handle = page.getByRole('separator', { name: 'Height of the sheet' });
    const height = async () => Math.round((await page.getByRole('complementary').boundingBox())?.height ?? 0);
    const middle = await height();
    await handle.press('ArrowUp');
    const high = await height();
    await handle.press('ArrowDown');
    await handle.press('ArrowDown');
    console.info(`The sheet has ${await height()}, ${middle} or ${high} pixels.`);
    expect([(await height()) < middle, middle < high]).toEqual([true, true]);
    const at = await handle.boundingBox();
    await page.mouse.move(195, (at?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move(195, 420, { steps: 4 });
    await page.mouse.up();
    expect(await height()).toBe(middle);
    await page.getByLabel('Path to').waitFor();
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
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

  it('groups by schema, layer or step, or not at all, as the address has it', async () => {
    await open('wide170.raw.root', '&depth=5');
    const groups = graph().locator('.group .relation-table');
    const choice = page.getByLabel('Group by');
    await choice.selectOption('step');
    await page.waitForURL(/group=step/);
    await expect.poll(() => groups.allTextContents()).toEqual(['1 step downstream', '2 steps downstream']);
    await choice.selectOption('layer');
    await expect.poll(() => groups.allTextContents()).toEqual(['Marts']);
    await choice.selectOption('none');
    await expect.poll(() => groups.count()).toBe(0);
    await choice.selectOption('schema');
    await expect.poll(() => groups.count()).toBe(10);
    expect(page.url()).not.toContain('group=');
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

  it('shows in the header which theme the palette has chosen', async () => {
    await open('shop.raw.payments');
    const theme = page.getByRole('combobox', { name: 'Theme' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('theme');
    await page.getByRole('option', { name: 'Use the theme: Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor();
    expect(await theme.inputValue()).toBe('dark');
    await theme.selectOption('system');
    await page.locator('html:not([data-theme])').waitFor();
  });

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
    await page.getByRole('option', { name: 'Deliveries', selected: true }).click();
    await page.waitForURL(/\/deliveries$/);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await page.waitForURL(/\/gaps$/);
  });

  it('opens what the palette finds if Enter was pressed before there were results', async () => {
    await open('shop.raw.payments');
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/lineage/relations?*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    await field.fill('stg_payments amount');
    await field.press('Enter');
    release();
    await page.waitForURL(/stg_payments&column=amount&direction=downstream/);
    await page.unroute('**/v1/lineage/relations?*');
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
    const finished: Request[] = [];
    page.on('requestfinished', (request) => finished.push(request));
    await open('shop.raw.payments', columns);
    for (const request of finished) {
      const type = request.resourceType();
      if (type === 'script' || type === 'stylesheet' || type === 'font')
        bytes[type] += (await request.sizes()).responseBodySize;
    }
    const { script, stylesheet, font } = bytes;
    console.info(`Compressed: script ${kb(script)} KB, style ${kb(stylesheet)} KB, fonts ${kb(font)} KB.`);
    expect(script).toBeLessThanOrEqual(245 * 1_024);
    expect(stylesheet).toBeLessThanOrEqual(15 * 1_024);
    expect(font).toBeLessThanOrEqual(90 * 1_024);
  });

  it.each([
    [8, 'shop.raw.payments', columns],
    [50, 'wide50.raw.root', '&depth=5'],
    [170, 'wide170.raw.root', '&depth=5'],
    [500, 'wide500.raw.root', '&depth=5'],
  ])('stands soon: the median time from navigation to the first box of %i', async (count, relation, more) => {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      await page.goto('about:blank');
      const start = performance.now();
      await page.goto(addressOf(relation, more));
      await graph().locator('.relation').first().waitFor();
      times.push(performance.now() - start);
    }
    const median = times.toSorted((a, b) => a - b)[2] ?? 0;
    console.info(`${count} relations are drawn after ${Math.round(median)} ms.`);
    // The budgets are 800 to 2,000 ms on a quiet machine; this one may be busy.
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

/** In the page: boxes in sight whose name is missing or reaches beyond them. */
const namesBeyondBoxes = `[...document.querySelectorAll('.relation')].filter((relation) => {
  const box = relation.getBoundingClientRect();
  const name = relation.querySelector('.relation-table')?.getBoundingClientRect();
  return !name || name.height === 0 || name.top < box.top - 1 || name.bottom > box.bottom + 1;
}).map((relation) => relation.querySelector('.relation-name').dataset.id)`;

/** In the page: how many parts the lines have that are drawn together, and how many of these lead through boxes. */
const partsThroughBoxes = `(() => {
  const boxes = [...document.querySelectorAll('.react-flow__node')].map((node) => node.getBoundingClientRect());
  const path = document.querySelector('.far-edges path');
  const matrix = path.getScreenCTM();
  const parts = path.getAttribute('d').split(/(?=M)/);
  const through = parts.filter((part) => {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('d', part);
    return Array.from({ length: 21 }, (_, at) => line.getPointAtLength((line.getTotalLength() * at) / 20))
      .map((point) => point.matrixTransform(matrix))
      .some(({ x, y }) => boxes.some((box) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1));
  });
  return [parts.length, through.length];
})()`;
