import type { Locator, Page } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { Claim } from '../../shared/contract/claim.ts';
import { claimSentence } from '../../shared/contract/claim-words.ts';
import { untilTime } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { branchFile, branchShown } from '../support/sample-branch.ts';
import { sampleBrowser } from '../support/sample-browser.ts';
import { deliverEvents, jobEvent } from './deliver-events.ts';

const charges = 'shop.raw_stripe.charges';
const staged = 'shop.staging.stg_stripe__charges';
const payments = 'shop.finance.fct_payments';
const mostTabs = 40;

/** A number of steps, and what takes them. */
type Way = readonly [steps: number, act: () => Promise<void>];

/** Ten jobs, each from the first page to the right answer. A step is a click or a key press that writes nothing. */
describe.skipIf(findChromium() === null)('a person', () => {
  let rejected = '';
  const sample = sampleBrowser({
    prepare: async (service) => {
      const { schemaURL: _, ...invalid } = { schemaURL: '', ...jobEvent(service, charges, staged) };
      const states = { states: /^quarantined$/, timeout: 60_000 };
      rejected = await deliverEvents(service, [invalid], states);
    },
  });
  let page: Page;
  let steps = 0;
  beforeEach(async () => {
    page = sample.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The browser gives its choosers of files to a test only while one listens, which it learns later than a key.
    page.on('filechooser', () => {});
    await page.goto(sample.addressOf('/'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    steps = 0;
  });

  const job = (title: string, ways: Readonly<Record<'mouse' | 'keyboard', Way>>, isRight: () => Promise<void>) =>
    it.each(Object.entries(ways))(`${title}, by %s`, async (_, [most, act]) => {
      await act();
      await isRight();
      expect(steps).toBe(most);
    });
  const click = async (target: Locator) => {
    await target.click();
    steps++;
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      steps++;
    }
  };
  const write = (text: string) => page.keyboard.type(text);
  const tabTo = async (target: Locator) => {
    await target.waitFor();
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      if (await target.evaluate((one) => one === one.ownerDocument.activeElement)) return;
      await press('Tab');
    }
    throw new Error('The keyboard does not reach it.');
  };
  const opened = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  const ask = async (path: string, query: Record<string, string>): Promise<Claim> => {
    const asked = { workspace_id: sample.shop().id, connector_id: sample.warehouse(), ...query };
    const headers = { authorization: `Bearer ${sample.shop().tokens['viewer']}` };
    const url = `${sample.service.credentials.base_url}${path}?${new URLSearchParams(asked)}`;
    return v.parse(v.looseObject({ claim: Claim }), await (await fetch(url, { headers })).json()).claim;
  };
  const claimOf = (column_ref: string) =>
    ask('/v1/lineage/impact', { relation_ref: charges, column_ref, direction: 'downstream', max_depth: '10' });

  const search = () => page.getByRole('searchbox', { name: 'Search relations and columns' });
  const find = async (text: string, name: string) => {
    await click(search());
    await write(text);
    await click(page.getByRole('option', { name, exact: true }));
  };
  const findByKeys = async (text: string) => {
    await press('/');
    await write(text);
    await press('Enter');
  };
  const findAnything = async (text: string) => {
    await press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).waitFor();
    await write(text);
    await press('Enter');
  };
  const menu = (name: string) => click(page.getByRole('navigation').getByRole('link', { name }));
  const graph = () => page.getByRole('region', { name: 'Lineage graph' });
  const sentence = () => page.locator('.summary-main');
  const leavesOut = () => page.getByRole('region', { name: 'What this answer leaves out' });

  job(
    'finds a relation by half of its name, with a typo',
    {
      mouse: [2, () => find('paymnts', payments)],
      keyboard: [2, () => findByKeys('paymnts')],
    },
    async () => {
      await page.waitForURL(new RegExp(`relation=${payments}`));
      await graph().locator('.relation[data-root="true"]').waitFor();
    },
  );

  const says = async (column: string) => {
    await page.waitForURL(new RegExp(`relation=${charges}.*column=${column}`));
    const claim = await claimOf(column);
    await sentence().getByText(claimSentence(claim)).waitFor();
    for (const { text } of claim.limits) await leavesOut().getByText(untilTime(text)).first().waitFor();
  };

  job(
    'learns what breaks if a column changes',
    {
      mouse: [2, () => find('raw_stripe.charges.amount', `${charges}.amount_cents`)],
      keyboard: [2, () => findAnything('raw_stripe.charges.amount')],
    },
    () => says('amount_cents'),
  );

  job(
    'sees why an edge exists',
    {
      mouse: [
        3,
        async () => {
          await find('raw_stripe.charges', charges);
          const edge = graph().getByRole('link', { name: `${charges} to ${staged}` });
          await edge.waitFor();
          // The line itself, which is above its link.
          await edge.click({ force: true });
          steps++;
        },
      ],
      keyboard: [
        6,
        async () => {
          await findByKeys('raw_stripe.charges');
          await graph().locator('.relation[data-root="true"]').waitFor();
          await press('F6', 'F6', 'e', 'Enter');
        },
      ],
    },
    async () => {
      const piece = page.getByRole('region', { name: 'Evidence' }).getByRole('listitem').first();
      await piece.getByRole('link', { name: /^Delivery/ }).waitFor();
    },
  );

  const choose = async (open: () => Promise<void>) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
    await chooser.setFiles(branchFile());
  };
  const file = () => page.locator('input[type="file"]');
  const banner = () => page.locator('.banner p').first();

  job(
    'learns what a branch breaks',
    {
      mouse: [
        2,
        async () => {
          await menu('Changes');
          await choose(() => click(file()));
        },
      ],
      keyboard: [
        5,
        async () => {
          await press('g', 'c');
          await opened('What changed');
          await tabTo(file());
          await choose(() => press('Enter'));
        },
      ],
    },
    async () => {
      await branchShown(page);
      expect(await banner().textContent()).toMatch(/^\d+ relations break, and/);
    },
  );

  job(
    'learns whether a column is used',
    {
      mouse: [2, () => find('raw_stripe.charges.fail', `${charges}.failure_code`)],
      keyboard: [2, () => findByKeys('raw_stripe.charges.fail')],
    },
    () => says('failure_code'),
  );

  const week = () => page.locator('.difflist').getByRole('link', { name: '7 days ago' });

  job(
    'learns what changed since last week',
    {
      mouse: [
        3,
        async () => {
          await menu('Changes');
          await click(page.getByRole('tab', { name: 'Two times' }));
          await click(week());
        },
      ],
      keyboard: [
        7,
        async () => {
          await press('g', 'c');
          await opened('What changed');
          await press('Tab', 'ArrowRight');
          await tabTo(week());
          await press('Enter');
        },
      ],
    },
    async () => {
      await page.waitForURL(/from=/);
      const from = new URL(page.url()).searchParams.get('from') ?? '';
      expect(Date.now() - Date.parse(from)).toBeGreaterThan(6.9 * 86_400_000);
      await banner()
        .getByText(claimSentence(await ask('/v1/lineage/diff', { from })))
        .waitFor();
    },
  );

  job(
    'sees which sources are silent',
    {
      mouse: [1, () => menu('Gaps')],
      keyboard: [2, () => press('g', 'g')],
    },
    async () => {
      const rows = page.getByRole('table', { name: 'Gaps' }).locator('tbody tr');
      await rows.first().waitFor();
      const open = await page.locator('.nav-count').textContent();
      expect(await rows.count()).toBe(Number(open));
      const texts = await rows.allTextContents();
      expect(new Set(texts).size).toBe(texts.length);
      const command = page.locator('td pre').first();
      expect(await command.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    },
  );

  const delivery = () => page.getByRole('link', { name: rejected.slice(0, 8) });

  job(
    'learns why an event was rejected',
    {
      mouse: [
        2,
        async () => {
          await menu('Deliveries');
          await click(delivery());
        },
      ],
      keyboard: [
        11,
        async () => {
          await press('g', 'd');
          await opened('Deliveries');
          await tabTo(delivery());
          await press('Enter');
        },
      ],
    },
    async () => {
      await page.waitForURL(new RegExp(`/deliveries/${rejected}`));
      await page.getByText('schemaURL').first().waitFor();
    },
  );

  const link = () => page.getByRole('button', { name: 'Copy link' });

  job(
    'shares an answer',
    {
      mouse: [
        3,
        async () => {
          await find('raw_stripe.charges.amount', `${charges}.amount_cents`);
          await page.waitForURL(/column=/);
          await click(link());
        },
      ],
      keyboard: [
        4,
        async () => {
          await findAnything('raw_stripe.charges.amount');
          await page.waitForURL(/column=/);
          await findAnything('copy link');
        },
      ],
    },
    async () => {
      const copied = v.parse(v.string(), await page.evaluate('navigator.clipboard.readText()'));
      await page.goto('about:blank');
      await page.goto(`${copied}#token=${sample.shop().tokens['viewer']}`);
      await says('amount_cents');
    },
  );

  const exclude = () => page.getByLabel('Exclude these schemas');
  const meant = () => page.getByRole('button', { name: 'shop.raw_stripe' });

  job(
    'hides a schema by a policy, and takes that back',
    {
      mouse: [
        6,
        async () => {
          await menu('Policy');
          await page.getByRole('combobox', { name: 'Connector' }).selectOption({ label: 'warehouse' });
          steps++;
          await click(exclude());
          await write('raw_stripe');
          await click(meant());
          await hidden();
          await click(page.getByRole('button', { name: 'Save' }));
          await click(page.getByRole('button', { name: 'Undo', exact: true }));
        },
      ],
      keyboard: [
        12,
        async () => {
          await findAnything('policy');
          await opened('Policy');
          await tabTo(page.getByRole('combobox', { name: 'Connector' }));
          await press('ArrowDown');
          await tabTo(exclude());
          await write('raw_stripe');
          await tabTo(meant());
          await press('Enter');
          await hidden();
          await press('Control+Enter');
          await tabTo(page.getByRole('button', { name: 'Undo', exact: true }));
          await press('Enter');
        },
      ],
    },
    async () => {
      await expect.poll(() => exclude().inputValue(), { timeout: 20_000 }).toBe('');
    },
  );

  const hidden = async () => {
    expect(await exclude().inputValue()).toBe('shop.raw_stripe');
    await page.getByText(/\d+ edges? would be hidden/).waitFor();
  };
});
