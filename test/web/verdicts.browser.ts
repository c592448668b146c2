import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleBrowser } from '../support/sample-browser.ts';

const charges = 'shop.raw_stripe.charges';
const staged = 'shop.staging.stg_stripe__charges';
const payments = 'shop.finance.fct_payments';

/** In the sample, runs confirm three models, and an old version of a fourth still runs. */
describe.skipIf(findChromium() === null)('what declarations and runs say of edges (C-PICTURE-1)', () => {
  const sample = sampleBrowser({ size: { width: 1_360, height: 900 } });
  let page: Page;
  beforeEach(() => {
    page = sample.page;
  });

  const graph = () => page.getByRole('region', { name: 'Lineage graph' });
  const edge = (upstream: string, downstream: string) =>
    graph().getByRole('link', { name: `${upstream} to ${downstream}`, exact: true });

  const styleOf = (selector: string, property: string, part = '') =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '${part}').${property}`);

  async function open(more = ''): Promise<void> {
    const question = `relation=${charges}&direction=downstream${more}`;
    await page.goto(sample.addressOf(`/lineage?connector=${sample.warehouse()}&${question}`));
    await page.getByRole('group', { name: 'Edges' }).waitFor();
    await page.waitForLoadState('networkidle');
  }

  it('are drawn solid unless runs doubt them, and one against its declaration is dotted, with a mark and a word', async () => {
    await open('&depth=3');
    const dashes = (verdict: string) =>
      styleOf(`.lineage-edge[data-verdict="${verdict}"] .react-flow__edge-path`, 'strokeDasharray');
    expect([await dashes('confirmed'), await dashes('declared_only"]:not([data-doubted="true')]).toEqual([
      'none',
      'none',
    ]);
    expect(await dashes('contradicted')).not.toBe('none');
    const doubted = graph().locator('.lineage-edge[data-doubted="true"] .react-flow__edge-path');
    for (const line of await doubted.all())
      expect(
        await line.evaluate((path) => path.ownerDocument.defaultView?.getComputedStyle(path).strokeDasharray),
      ).not.toBe('none');
    const mark = `.edge-link[aria-label="${staged} to ${payments}"]`;
    expect(await styleOf(mark, 'opacity')).toBe('1');
    expect(await styleOf(mark, 'content', '::before')).toContain('!');
    expect(await edge(staged, payments).getAttribute('aria-description')).toBe('observed against the declaration');
    expect(await edge(charges, staged).getAttribute('aria-description')).toBe('confirmed by runs');
    const legend = page.getByRole('group', { name: 'Edges' }).locator('.verdict-line');
    expect(await legend.allTextContents()).toEqual(expect.arrayContaining(['confirmed by runs', 'only declared']));
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('are drawn for the mappings of columns too', async () => {
    await open('&column=amount_cents');
    const verdicts = await graph()
      .locator('.column-edge')
      .evaluateAll((lines) => lines.map((line) => line.dataset['verdict']));
    expect(new Set(verdicts)).toEqual(new Set(['confirmed', 'declared_only', 'observed_only']));
  });

  it('are counted beside the picture, and limit the picture, the table and the address to those that are checked', async () => {
    await open('&depth=3');
    const edges = page.getByRole('group', { name: 'Edges' });
    const row = (words: string) => edges.locator('label').filter({ hasText: words });
    expect(await row('confirmed by runs').textContent()).toMatch(/3$/);
    expect(await row('observed against the declaration').textContent()).toMatch(/1$/);
    await edges.getByRole('checkbox', { name: 'observed against the declaration' }).check();
    await page.waitForURL(/verdict=contradicted/);
    await expect.poll(() => graph().locator('.relation').count()).toBe(3);
    await edge(staged, payments).waitFor({ state: 'attached' });
    // The sentence is about the whole answer; its limits count what is not drawn.
    expect(await page.locator('.summary-main').textContent()).toMatch(/ ([2-9]|\d{2,}) relations break/);
    const omitted = page.getByRole('region', { name: 'What this answer leaves out' });
    expect(await omitted.textContent()).toContain('because you chose which edges to show');
    await page.getByRole('tab', { name: 'Table' }).click();
    const rows = page.getByRole('table', { name: 'Impact' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.allTextContents()).toEqual([
      expect.stringMatching(/stg_stripe__charges.*confirmed by runs$/),
      expect.stringMatching(/fct_payments.*observed against the declaration$/),
    ]);
  });

  it('are explained beside the evidence, and a reader learns what to do', async () => {
    await open(`&depth=3&edge_from=${staged}&edge_to=${payments}`);
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByText('an old version of the project still runs').waitFor();
    await evidence.getByText('A declaration would raise the confidence to 98%').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => page.url()).not.toContain(`edge_to=${payments}`);
    await page.keyboard.press('p');
    await page.waitForURL(new RegExp(`edge_to=${payments}`));
  });
});
