import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../support/chromium.ts';
import { dropBranch } from '../support/sample-branch.ts';
import { sampleBrowser } from '../support/sample-browser.ts';

/** The share of pixels that may differ: other versions of Chromium smooth edges differently. Runs of one differ in none. */
const mostDifferent = 0.005;

const Difference = v.nullable(v.object({ errorMessage: v.string(), diff: v.optional(v.instance(Buffer)) }));
/** Pixelmatch, as Playwright brings it. */
const { utils } = v.parse(
  v.object({ utils: v.object({ getComparator: v.function() }) }),
  createRequire(import.meta.url)('playwright-core/lib/coreBundle'),
);
const compare = v.parse(v.function(), utils.getComparator('image/png'));

const references = path.join(import.meta.dirname, 'pictures');
const failed = path.resolve(import.meta.dirname, '..', '..', 'dist', 'pictures');

const charges = 'relation=shop.raw_stripe.charges&column=amount_cents&direction=downstream';
const edge = '&edge_from=shop.raw_stripe.charges&edge_to=shop.staging.stg_stripe__charges';
const desktop = { width: 1_440, height: 900 };

type View = {
  readonly name: string;
  readonly address: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly act?: (page: Page) => Promise<void>;
};

const views: readonly View[] = [
  { name: 'overview', address: '/?' },
  { name: 'columns', address: `/lineage?${charges}` },
  { name: 'evidence', address: `/lineage?${charges}${edge}`, act: seeEvidence },
  { name: 'table', address: `/lineage?${charges}&view=table` },
  { name: 'changes', address: '/changes?', act: dropBranch },
  { name: 'gaps', address: '/gaps?' },
  { name: 'checks', address: '/checks?' },
  { name: 'phone', address: `/lineage?${charges}`, size: { width: 390, height: 844 } },
];

async function seeEvidence(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Evidence' }).getByRole('listitem').first().waitFor();
}

/** What differs from run to run or from day to day: times, deliveries' ids and counts of days. */
const unsteady = '.hero p, .tiles, time, [href*="/deliveries/"], .day-bars';

describe.skipIf(findChromium() === null)('the pages look as their pictures', () => {
  const sample = sampleBrowser();

  async function take({ address, size = desktop, act }: View, colorScheme: 'light' | 'dark'): Promise<Buffer> {
    // Half of the pixels: enough to see a change, and small files. The page's policy would refuse the style below.
    const options = {
      viewport: size,
      deviceScaleFactor: 0.5,
      colorScheme,
      reducedMotion: 'reduce',
      bypassCSP: true,
    } as const;
    const context = await sample.browser.newContext(options);
    const page = await context.newPage();
    // All that the sample loaded is one hour old, whatever the machine's speed.
    await page.clock.setFixedTime(Date.now() + 3_600_000);
    await page.goto(sample.addressOf(`${address}&connector=${sample.warehouse()}`));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    if (address.startsWith('/lineage'))
      await page
        .locator(address.includes('view=table') ? 'tbody tr' : '.react-flow__node')
        .first()
        .waitFor();
    await act?.(page);
    await page.waitForLoadState('networkidle');
    const loading = page.locator('.skeleton').or(page.getByText('Loading…'));
    await expect.poll(() => loading.count(), { timeout: 60_000 }).toBe(0);
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    const style = `${unsteady
      .split(', ')
      .map((one) => `${one}, ${one} *`)
      .join(', ')} { visibility: hidden !important }
      time { display: inline-block; width: 8em; white-space: nowrap; overflow: hidden }`;
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', style });
    await context.close();
    return picture;
  }

  const cases = views.flatMap((view) => (['light', 'dark'] as const).map((theme) => ({ ...view, theme })));

  it.each(cases)('$name, $theme', async ({ theme, ...view }) => {
    const name = `${view.name}-${theme}.png`;
    const reference = path.join(references, name);
    const picture = await take(view, theme);
    if (process.env['UPDATE_PICTURES']) writeFileSync(reference, picture);
    expect(existsSync(reference), `no picture ${name}: UPDATE_PICTURES=1 takes it`).toBe(true);
    const options = { maxDiffPixelRatio: mostDifferent };
    const difference = v.parse(Difference, compare(picture, readFileSync(reference), options));
    if (difference !== null) {
      mkdirSync(failed, { recursive: true });
      writeFileSync(path.join(failed, name), picture);
      if (difference.diff) writeFileSync(path.join(failed, `difference-${name}`), difference.diff);
    }
    expect(difference?.errorMessage, `see dist/pictures/${name}`).toBeUndefined();
  });
});
