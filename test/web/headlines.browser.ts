import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { Claim, limitOf } from '../../shared/contract/claim.ts';
import { claimSentence } from '../../shared/contract/claim-words.ts';
import { untilTime } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { dropBranch } from '../support/sample-branch.ts';
import { sampleBrowser } from '../support/sample-browser.ts';
import { deliverEvents, jobEvent } from './deliver-events.ts';

const charges = 'shop.raw_stripe.charges';
const columns = '&column=amount_cents&direction=downstream';

const Change = v.object({
  relation_ref: v.string(),
  column: v.string(),
  change: v.string(),
  breaks: v.array(v.object({ grade: v.string() })),
});
const grades = ['breaking', 'risky', 'safe'] as const;
const Summary = v.object({ summary: v.object({ grades: v.object(v.entriesFromList(grades, v.number())) }) });
const Comparison = v.object({ claim: Claim, columns: v.array(Change) });

/** The page says what the answer claims, with its limits, and nothing else stands where a number should. */
describe.skipIf(findChromium() === null)('a headline of the explorer', () => {
  const sample = sampleBrowser({
    prepare: async (service) => {
      const name = (length: number, step: number) => `chain${length}.raw.step_${step}`;
      const steps = [8, 12].flatMap((length) => Array.from({ length }, (_, step) => [length, step] as const));
      const events = steps.map(([length, step]) => jobEvent(service, name(length, step), name(length, step + 1)));
      await deliverEvents(service, events, { states: /^projected$/, timeout: 120_000 });
    },
  });
  let page: Page;
  beforeEach(() => {
    page = sample.page;
  });

  const headline = () => page.locator('.summary-main');
  const limits = () => page.getByRole('region', { name: 'What this answer leaves out' });
  const open = (address: string) => page.goto(sample.addressOf(`${address}&connector=${sample.warehouse()}`));

  it('counts everything that depends on a relation, and says “at least” if the walk was cut', async () => {
    await open('/lineage?relation=chain8.raw.step_0');
    await headline().getByText('8 relations break.').waitFor();
    expect(await limits().textContent()).toContain('Followed to the end: 8 steps.');
    await open('/lineage?relation=chain12.raw.step_0');
    await headline().getByText('At least 10 relations break.').waitFor();
    expect(await limits().textContent()).toContain('The walk ended at depth 10');
    await open('/lineage?relation=chain8.raw.step_0&depth=3');
    await headline().getByText('At least 3 relations break.').waitFor();
    await page.getByRole('button', { name: 'Follow to the end' }).click();
    await headline().getByText('8 relations break.').waitFor();
  });

  it('says in words since when evidence waits', async () => {
    const detail = new Date(Date.now() - 3 * 60_000).toISOString();
    await page.route('**/v1/lineage/impact?*', async (route) => {
      const response = await route.fetch();
      const { claim, ...answer } = v.parse(v.looseObject({ claim: Claim }), await response.json());
      const waits = limitOf('evidence_waits', { detail });
      await route.fulfill({ response, json: { ...answer, claim: { ...claim, limits: [waits] } } });
    });
    await open('/lineage?relation=chain8.raw.step_0');
    await limits().getByText('accepted since 3 minutes ago may not be in the graph yet.').first().waitFor();
    expect(await limits().textContent()).not.toContain(detail.slice(0, 11));
    expect(await limits().locator('time').first().getAttribute('dateTime')).toBe(detail);
  });

  it.each([
    [1_440, 900],
    [1_280, 800],
    // A window of 1,440 × 900 pixels at a zoom of 200 %.
    [720, 450],
    [390, 844],
    [320, 640],
  ])('stands whole above its whole limits, %i pixels wide and %i high', async (width, height) => {
    await page.setViewportSize({ width, height });
    await open(`/lineage?relation=${charges}${columns}`);
    await limits().waitFor();
    for (const part of ['.summary-main', '.leaves-out summary']) {
      const [text, cut] = v.parse(v.tuple([v.string(), v.array(v.string())]), await page.evaluate(cutBy(part)));
      expect(text).toMatch(/break|known/);
      expect([text, cut]).toEqual([text, []]);
    }
    const [above, below] = [await headline().boundingBox(), await limits().boundingBox()];
    expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeLessThan(12);
  });

  it('counts for each column of a branch what that column breaks, not what the relation does', async () => {
    await open('/changes?');
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().method() === 'POST' && one.url().endsWith('/v1/lineage/diff')),
      dropBranch(page),
    ]);
    const { columns: changes, claim } = v.parse(Comparison, await response.json());
    const removed = changes.filter(({ change }) => change === 'removed');
    expect(removed.length).toBeGreaterThan(0);
    for (const { relation_ref, column, breaks } of removed) {
      const row = page.getByRole('row').filter({ hasText: `${relation_ref}.${column}` });
      const sure = breaks.filter(({ grade }) => grade === 'breaking').length;
      expect(sure).toBeLessThan(breaks.length);
      expect(await row.getByRole('cell').last().textContent()).toBe(`${sure} break ${breaks.length - sure} may`);
    }
    const banner = page.getByRole('status').filter({ hasText: claimSentence(claim) });
    expect((await banner.textContent()) ?? '').toContain(untilTime(claim.limits[0]?.text ?? 'Nothing is left out.'));
    const drawn = page.locator('.relation[data-mark="may_break"]');
    expect(await drawn.count()).toBeGreaterThan(0);
  });

  it('is a lower bound if only a part of two times was compared', async () => {
    await page.route('**/v1/lineage/diff?*', async (route) => {
      const response = await route.fetch();
      const answer = v.parse(v.looseObject({ claim: Claim }), await response.json());
      const limit = { code: 'compared_in_part', text: 'Only a part was compared.', subjects: [], how_to_lift: null };
      const claim = {
        ...answer.claim,
        kind: 'may_break',
        counts: { breaks: 0, may_break: 0, at_least: true },
        limits: [{ ...limit, blocks: true }],
      };
      await route.fulfill({ response, json: { ...answer, claim } });
    });
    await open(`/changes?from=${daysAgo(1)}`);
    const banner = page.getByRole('status').filter({ hasText: 'Something may break: not everything is known.' });
    await banner.getByText('Only a part was compared.').waitFor();
    await page.goto(sample.addressOf('/'));
    await page.getByText(/^Since yesterday, at least:/).waitFor();
  });

  it('counts the graded changes of every connector between two times', async () => {
    const sum = { breaking: 0, risky: 0, safe: 0 };
    await page.route('**/v1/lineage/diff?*', async (route) => {
      const response = await route.fetch();
      const { summary } = v.parse(Summary, await response.json());
      for (const grade of grades) sum[grade] += summary.grades[grade];
      await route.fulfill({ response });
    });
    await page.goto(sample.addressOf(`/changes?from=${begun}`));
    const counts = await page.getByText(/Changes: \d/).textContent();
    expect(sum.risky).toBeGreaterThan(0);
    expect(counts).toContain(
      `Changes: ${sum.breaking} breaking, ${sum.risky} risky, ${sum.safe} without a known effect.`,
    );
  });

  it('offers the names that may be meant if nothing has the name to which the way is asked', async () => {
    await open(`/lineage?relation=${charges}&to=shop.finance.fct_paymnts`);
    const note = page.getByRole('status').filter({ hasText: 'No relation of this connector is called' });
    await note.getByRole('button', { name: 'shop.finance.fct_payments', exact: true }).click();
    await page.waitForURL(/to=shop.finance.fct_payments(&|$)/);
    await note.waitFor({ state: 'detached' });
  });

  it('says of a time before the first evidence that nothing was evaluated, and leads back', async () => {
    await open(`/lineage?relation=${charges}&as_of=${daysAgo(2)}`);
    await headline().getByText('Not evaluated: it is not known what breaks.').waitFor();
    await page.getByText('Nothing is known of it at this time.').waitFor();
    await page.getByRole('button', { name: 'Show it now' }).click();
    await headline()
      .getByText(/relations break/)
      .waitFor();
  });

  it('is no number until all that it counts has been loaded', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/agent/checks/*/results?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(sample.addressOf('/'));
    const checks = page.getByRole('link', { name: /^Checks/ }).filter({ hasText: /\d|Loading/ });
    await checks.getByRole('img', { name: 'Loading…' }).waitFor();
    expect(await checks.textContent()).not.toContain('none fails');
    held.resolve();
    await checks.getByText(/none fails|fails?$/).waitFor();
    const later = Promise.withResolvers<void>();
    await open(`/lineage?relation=${charges}${columns}`);
    await headline()
      .getByText(/relations break/)
      .waitFor();
    await page.route('**/v1/lineage/impact?*', async (route) => {
      await later.promise;
      await route.continue();
    });
    await page.getByRole('checkbox', { name: 'amount_cents' }).uncheck();
    await headline().getByRole('img', { name: 'Loading…' }).waitFor();
    later.resolve();
    await headline()
      .getByText(/relations break/)
      .waitFor();
  });

  it('goes with its limits into picture files, CSV files and comments', async () => {
    await page.addInitScript(rememberPictures);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(`/lineage?relation=${charges}${columns}`);
    const sentence = /\d+ relations break, and \d+ relations? may break\./;
    const [claim = ''] = sentence.exec((await headline().textContent()) ?? '') ?? [];
    const limit = 'exposure has no columns';
    expect(claim).not.toBe('');
    await page.locator('.react-flow__node').first().waitFor();
    await download(() => page.getByRole('button', { name: 'Download picture' }).click());
    const drawn = v.parse(v.string(), await page.evaluate('pictures_.at(-1)')).replace(/<\/text><text[^>]*>/g, ' ');
    for (const part of [charges, claim, limit, 'Tributary, 20']) expect(drawn).toContain(part);
    await page.getByRole('tab', { name: 'Table' }).click();
    const file = await download(() => page.getByRole('link', { name: 'Download CSV' }).click());
    const [headings = ''] = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect([headings.includes(claim), headings.includes(limit)]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Copy as comment' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const comment = v.parse(v.string(), await page.evaluate('navigator.clipboard.readText()'));
    expect([comment.includes(claim), comment.includes(limit)]).toEqual([true, true]);
  });

  async function download(act: () => Promise<void>): Promise<Download> {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    return file;
  }
});

/** The sample's events are of yesterday, and its documents come after this. */
const begun = new Date().toISOString();
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** In the page: the text of an element, and what cuts any of it off. */
const cutBy = (selector: string): string => `(() => {
  const element = document.querySelector('${selector}');
  const range = document.createRange();
  range.selectNodeContents(element);
  const cut = [];
  for (const text of range.getClientRects())
    for (let one = element; one !== null; one = one.parentElement) {
      const box = one.getBoundingClientRect();
      const isOut = text.left < box.left - 1 || text.right > box.right + 1 || text.bottom > box.bottom + 1;
      if (getComputedStyle(one).overflow !== 'visible' && isOut && text.width > 1) cut.push(one.className);
    }
  return [element.textContent, cut];
})()`;

/** In the page: keeps what pictures are made of. */
const rememberPictures = `globalThis.pictures_ = [];
const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
Object.defineProperty(HTMLImageElement.prototype, 'src', {
  ...source,
  set(value) {
    pictures_.push(decodeURIComponent(value));
    source.set.call(this, value);
  },
});`;
