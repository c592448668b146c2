import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { dropBranch } from '../support/sample-branch.ts';
import { sampleBrowser } from '../support/sample-browser.ts';

/** A comparison of a branch is a place: it has an address, and says what to tell whom. */
describe.skipIf(findChromium() === null)('the comparison of a branch', () => {
  const sample = sampleBrowser();
  let page: Page;
  beforeEach(() => {
    page = sample.page;
  });

  const banner = (of: Page) => of.locator('.banner p').first().textContent();
  const list = (of: Page, name: string) => of.getByRole('table', { name });

  const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;

  async function compared(): Promise<string> {
    await page.goto(sample.addressOf(`/changes?connector=${sample.warehouse()}`));
    await dropBranch(page);
    await page.waitForURL(/comparison=/);
    return page.url();
  }

  it('is at its address for a colleague too, after a reload, and whatever connector is chosen', async () => {
    const address = await compared();
    // The token is in memory only, so a reload signs in again.
    await page.goto('about:blank');
    await page.goto(sample.addressOf(pathOf(address)));
    await page.locator('.relation[data-mark="breaks"]').first().waitFor();
    const said = await banner(page);
    expect(said).toMatch(/^\d+ relations break, and/);
    const other = page.getByLabel('Connector');
    await other.selectOption({ index: 0 });
    await page.waitForURL((url) => !url.search.includes(`connector=${sample.warehouse()}`));
    expect(page.url()).toContain('comparison=');
    expect(await banner(page)).toBe(said);
    const colleague = await page.context().newPage();
    await colleague.goto(sample.addressOf(pathOf(address), 'viewer'));
    await colleague.locator('.relation[data-mark="breaks"]').first().waitFor();
    expect(await banner(colleague)).toBe(said);
    await colleague.close();
  });

  it('says of an address that nothing is kept under that it has expired', async () => {
    await page.goto(sample.addressOf('/changes?comparison=5c0e4d2e-94a1-4d07-9a53-0d5b6a3c9f11'));
    await page.getByRole('alert').getByText('does not exist, or it has expired').waitFor();
  });

  it('lists what goes and what comes, each once, and grades it as the picture does', async () => {
    await compared();
    const goes = list(page, 'What goes').getByRole('row').filter({ hasText: 'net_amount' });
    expect(await goes.textContent()).toContain('→ amount_after_refunds');
    expect(await goes.getAttribute('data-grade')).toBe('breaking');
    const names = await page.locator('.change-list tbody tr').evaluateAll((rows) => rows.map((one) => one.textContent));
    expect(new Set(names).size).toBe(names.length);
    await goes.getByRole('button').click();
    const color = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    expect(await color('.relation[data-mark="breaks"] .relation-mark', 'color')).toBe(
      await color('.change-list [data-grade="breaking"] td b', 'color'),
    );
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('shows the lines of SQL that differ, before and after', async () => {
    await compared();
    await page.getByText('SQL before and after').click();
    const sides = page.locator('.sql-sides figure');
    await sides.first().waitFor();
    const [before, after] = await Promise.all(
      [0, 1].map((side) => sides.nth(side).locator('[data-differs]').allTextContents()),
    );
    expect(before).toEqual([expect.stringMatching(/^\s+net_amount,?$/)]);
    expect(after).toEqual([expect.stringMatching(/^\s+net_amount as amount_after_refunds,?$/)]);
  });

  it('gives a message for each owner', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const address = await compared();
    const tell = page.getByRole('region', { name: 'Who to tell' });
    const finance = tell.getByRole('listitem').filter({ hasText: 'finance@shop.test' });
    expect(await finance.textContent()).toMatch(/may break \d relations?/);
    await finance.getByRole('button', { name: 'Copy message to finance@shop.test' }).click();
    await finance.getByText('Copied').waitFor();
    const message = v.parse(v.string(), await page.evaluate('navigator.clipboard.readText()'));
    expect(message).toContain('- exposure.shop.finance_close may break. Cause: shop.finance.fct_payments.net_amount');
    expect(message).toContain(address.replace(/#.*/, ''));
    await tell.getByText('no known owner').waitFor();
  });
});
