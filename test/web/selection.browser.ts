import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleBrowser } from '../support/sample-browser.ts';

const charges = 'shop.raw_stripe.charges';
const staged = 'shop.staging.stg_stripe__charges';
const payments = 'shop.finance.fct_payments';
const columns = '&column=amount_cents&direction=downstream';

describe.skipIf(findChromium() === null)('a click on a relation', () => {
  const sample = sampleBrowser();
  let page: Page;
  beforeEach(() => {
    page = sample.page;
  });

  const panel = (name: string) => page.getByRole('complementary').getByRole('region', { name, exact: true });
  const relation = (name: string) =>
    page.getByRole('region', { name: 'Lineage graph' }).getByRole('button', { name: new RegExp(`^${name}(,|$)`) });

  async function open(more = ''): Promise<void> {
    await page.goto(sample.addressOf(`/lineage?connector=${sample.warehouse()}&relation=${charges}${columns}${more}`));
    await relation(staged).waitFor();
    await page.waitForLoadState('networkidle');
  }

  it('shows that relation: why it breaks, the columns reached, who makes it, who reads it, and its checks', async () => {
    await open();
    await relation(payments).click();
    const selected = panel('fct_payments');
    const chain = selected.getByRole('list').filter({ hasText: 'charges.amount_cents' }).getByRole('listitem');
    await expect
      .poll(() => chain.allTextContents())
      .toEqual([
        'charges.amount_cents',
        expect.stringMatching(/^computedstg_stripe__charges\.amount$/),
        expect.stringMatching(/fct_payments\.\w+$/),
      ]);
    await selected.getByText(/^Columns reached \d+ of \d+$/).waitFor();
    await selected.getByText(/model\.shop\.fct_payments/).waitFor();
    await selected.getByText('Last run').waitFor();
    await selected.getByText(/^\d+ relations?$/).waitFor();
    await selected.getByRole('heading', { name: 'Checks' }).waitFor();
    await page.getByRole('group', { name: 'Columns' }).waitFor({ state: 'attached' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
  });

  it('is in the address, and one click, Escape or Back leads to the root', async () => {
    await open();
    await relation(staged).click();
    await panel('stg_stripe__charges').waitFor();
    await page.waitForURL(/selected=/);
    await panel('stg_stripe__charges').getByRole('button', { name: 'Back to charges' }).click();
    await panel('stg_stripe__charges').waitFor({ state: 'detached' });
    await relation(staged).press('Enter');
    await panel('stg_stripe__charges').waitFor();
    const shared = page.url();
    await page.keyboard.press('Escape');
    await panel('stg_stripe__charges').waitFor({ state: 'detached' });
    await page.goBack();
    await panel('stg_stripe__charges').waitFor();
    await page.goto('about:blank');
    await page.goto(`${shared}#token=${sample.shop().tokens['viewer']}`);
    await panel('stg_stripe__charges').waitFor();
    await relation(charges).click();
    await panel('stg_stripe__charges').waitFor({ state: 'detached' });
  });

  it('leads on to what breaks from there, and hides the relation', async () => {
    await open(`&selected=${staged}`);
    await panel('stg_stripe__charges').getByRole('link', { name: 'What breaks from here' }).click();
    await page.waitForURL(new RegExp(`relation=${staged}&direction=downstream`));
    await relation(staged).and(page.locator('[aria-label*="root"]')).waitFor();
    await page.goBack();
    await panel('stg_stripe__charges').getByRole('button', { name: 'Hide', exact: true }).click();
    await relation(staged).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await relation(staged).waitFor();
  });

  it('does not move the picture', async () => {
    await open();
    const view = () => page.locator('.react-flow__viewport').getAttribute('style');
    const first = await view();
    await page.mouse.move(600, 600);
    await page.mouse.down();
    await page.mouse.move(640, 560, { steps: 4 });
    await page.mouse.up();
    const moved = await view();
    expect(moved).not.toBe(first);
    await relation(staged).click();
    await panel('stg_stripe__charges').getByText('Last run').waitFor();
    expect(await view()).toBe(moved);
  });

  it('takes back no selection, but the change before it', async () => {
    await open();
    await page.getByRole('checkbox', { name: 'status' }).check();
    await page.waitForURL(/column=status/);
    await relation(payments).click();
    await panel('fct_payments').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.url()).not.toContain('column=status');
  });
});
