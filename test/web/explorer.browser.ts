import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { SignInDirections } from '../../shared/contract/settings.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { axeFindings, seriousFindings, type Watched, watchedPage } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { commandJson } from '../support/command-line.ts';
import { runEvent } from '../support/run-event.ts';
import { sampleBrowser } from '../support/sample-browser.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { logIn } from '../support/signing-in.ts';
import { startStage } from '../support/stage.ts';
import { deliverEvents, jobEvent } from './deliver-events.ts';

const hasChromium = findChromium() !== null;
if (!hasChromium) console.warn('No Chromium is installed: the explorer is not tested in a browser.');

const payments = 'shop.raw.payments';
const staged = 'shop.staging.stg_payments';

describe.skipIf(!hasChromium)('the explorer', () => {
  const sample = sampleBrowser({ size: { width: 1_360, height: 900 }, signsIn: true });
  const { shop, warehouse } = sample;
  let service: ServiceProcess;
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  beforeEach(() => {
    ({ service, browser, watched, page } = sample);
  });

  const open = (address: string, role = 'admin') => page.goto(sample.addressOf(address, role));
  const lineage = (more = '') => `/lineage?connector=${warehouse()}&relation=${payments}${more}`;
  const graph = () => page.getByRole('region', { name: 'Lineage graph' });
  const relation = (name: string) =>
    graph().getByRole('button', { name: new RegExp(`^${name.replaceAll('.', '\\.')}(,|$)`) });
  const ask = async (query: Record<string, string>) => {
    const requested = new URLSearchParams({ workspace_id: shop().id, connector_id: warehouse(), ...query });
    const headers = { authorization: `Bearer ${shop().tokens['admin']}` };
    const response = await fetch(`${service.credentials.base_url}/v1/lineage/impact?${requested}`, { headers });
    return v.parse(ImpactAnswer, await response.json());
  };

  it('is served under a strict policy, its files for ever and compressed', async () => {
    const document = await fetch(`${service.credentials.base_url}/lineage`);
    const policy = document.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("font-src 'self'");
    expect(policy).not.toContain('unsafe');
    console.info(`The policy of a page: ${policy}`);
    const script = /src="([^"]+\.js)"/.exec(await document.text())?.[1] ?? '';
    const file = await fetch(service.credentials.base_url + script, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(file.headers.get('content-encoding')).toBe('br');
    expect((await fetch(`${service.credentials.base_url}/assets/nothing.js`)).status).toBe(404);
    expect((await fetch(`${service.credentials.base_url}/lineage`, { method: 'POST' })).status).toBe(405);
  });

  it('finds a relation by a part of its name, and opens it', async () => {
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search relations and columns' }).pressSequentially('payments');
    await page.getByRole('listbox').getByRole('option', { name: payments, exact: true }).click();
    await expect.poll(() => page.url()).toContain(`relation=${payments}`);
    await relation(payments).waitFor();
    await relation(staged).waitFor();
  });

  it('goes on from a name without a connector to the one that knows it, and lists several (C-IDENTITY-16)', async () => {
    await open(`/lineage?relation=${payments}`);
    await page.waitForURL((url) => url.searchParams.get('connector') === warehouse());
    await relation(payments).waitFor();
    const events = ['warehouse', 'app'].map((host) =>
      runEvent(`postgres://${host}.shop.test:5432`, ['twin.public.orders'], ['twin.public.reader']),
    );
    await fetch(`${service.credentials.base_url}/api/v1/lineage/batch?workspace_id=${shop().id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${shop().tokens['admin']}` },
      body: JSON.stringify(events),
    });
    const application = shop().connectors['application']?.id ?? '';
    const matches = { relation_ref: 'twin.public.orders', direction: 'downstream' };
    const known = async () => (await ask({ ...matches, connector_id: application })).downstream.length;
    await expect.poll(known, { timeout: 30_000 }).toBe(1);
    await open('/lineage?relation=twin.public.orders');
    await page.getByText('application: 0 upstream, 1 downstream').waitFor();
    await page.getByText('warehouse: 0 upstream, 1 downstream').waitFor();
    await page.getByRole('link', { name: 'twin.public.orders' }).first().click();
    await expect.poll(() => page.url()).toContain(`connector=${application}`);
    await relation('twin.public.reader').waitFor();
  });

  it('grows by expanded relations, drops hidden ones, and can undo both', async () => {
    await open(lineage('&depth=1'));
    await relation(staged).click();
    // The root has these buttons too, until the other relation is the chosen one; and by keyboard, since they move with
    // the picture while it is drawn again.
    const tools = page.getByRole('toolbar', { name: staged.split('.').at(-1) ?? '', exact: true });
    await tools.getByRole('button', { name: 'Expand downstream' }).press('Enter');
    await relation('shop.marts.orders').waitFor();
    await relation(staged).click();
    await tools.getByRole('button', { name: 'Hide', exact: true }).press('Enter');
    await expect.poll(() => relation(staged).count()).toBe(0);
    await expect.poll(() => leavesOut()).toContain('that you hid');
    await page.getByRole('button', { name: 'Undo' }).click();
    await relation(staged).waitFor();
    const shared = page.url();
    await page.goto('about:blank');
    await page.goto(`${shared}#token=${shop().tokens['viewer']}`);
    await relation('shop.marts.orders').waitFor();
  });

  it('draws the way to a relation that is far beyond the picture, and says where none is known', async () => {
    await open(lineage('&depth=1'));
    await relation(staged).waitFor();
    await page.getByLabel('Path to').fill('shop.marts.revenue_daily');
    await page.keyboard.press('Enter');
    await relation('shop.marts.revenue_daily').waitFor();
    await relation('shop.marts.orders').waitFor();
    expect(await relation('shop.marts.customer_value').count()).toBe(0);
    expect(page.url()).toContain('to=shop.marts.revenue_daily');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => relation('shop.marts.orders').count()).toBe(0);
    await page.getByLabel('Path to').fill('shop.raw.customers');
    await page.keyboard.press('Enter');
    await page.getByText('No path of at most 10 steps to shop.raw.customers is known.').waitFor();
  });

  const leavesOut = () => page.getByRole('region', { name: 'What this answer leaves out' }).textContent();

  it('answers what breaks if a column changes: the picture, the table, the CSV and the API say the same', async () => {
    await open(lineage('&direction=downstream'));
    const columns = page.getByRole('group', { name: 'Columns' });
    await columns.getByRole('checkbox', { name: 'amount_cents' }).check();
    await page.getByText('6 relations break, and 1 relation may break.').waitFor();
    expect(page.url()).toContain('column=amount_cents');
    expect(await leavesOut()).toContain('Columns of 1 relation are not known');
    const answer = await ask({ relation_ref: payments, column_ref: 'amount_cents', direction: 'downstream' });
    const expected = answer.downstream.map(({ relation_ref }) => relation_ref).toSorted();
    await relation('shop.marts.revenue_daily').waitFor();
    expect((await drawn()).filter((name) => name !== payments)).toEqual(expected);
    await page.getByRole('tab', { name: 'Table' }).click();
    const rows = await tableRows();
    expect(rows.map(([name]) => name).toSorted()).toEqual(expected);
    expect(await csvRows()).toEqual(rows);
  });

  const drawn = async () =>
    (
      await graph()
        .locator('.relation-name')
        .evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''))
    )
      .map((name) => name.split(', ')[0] ?? '')
      .toSorted();

  async function tableRows(): Promise<string[][]> {
    const table = page.getByRole('table', { name: 'Impact' });
    await table.waitFor();
    return table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  }

  async function csvRows(): Promise<string[][]> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    // Every cell is quoted, and none of the sample holds a quote.
    return lines.slice(1).map((line) => line.slice(1, -1).split('","'));
  }

  it('shows who reports an edge, when, and the statement', async () => {
    await open(lineage());
    await graph()
      .getByRole('link', { name: `${payments} to ${staged}` })
      .focus();
    await page.keyboard.press('Enter');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    const piece = evidence.getByRole('listitem').filter({ hasText: 'dbt manifest' });
    await piece.waitFor();
    expect(await piece.locator('mark').count()).toBeGreaterThan(0);
    await piece.getByRole('link', { name: /^Delivery/ }).click();
    await page.getByText('projected', { exact: true }).first().waitFor();
  });

  it('shows an earlier time, by the field and by the slider, and says so in the address', async () => {
    await open(lineage());
    await relation(staged).waitFor();
    const field = page.getByRole('textbox', { name: 'As of date and time' });
    await field.fill('2126-01-01 00:00');
    await field.press('Enter');
    await page.getByText('in the future').waitFor();
    const then = new Date(Date.now() - 5 * 60_000).toISOString();
    await field.fill(then);
    await field.press('Enter');
    await expect.poll(() => page.url()).toContain('as_of=');
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await expect.poll(() => page.url()).not.toContain('as_of=');
    await page.getByRole('slider', { name: 'As of' }).press('Home');
    await expect.poll(() => page.url()).toContain('as_of=');
  });

  it('says what a branch would break that no longer has a column', async () => {
    await open('/changes');
    const sample = path.resolve(import.meta.dirname, '../../local/seed/sample/manifest.json');
    const manifest = JSON.parse(readFileSync(sample, 'utf8'));
    const model = manifest.nodes['model.shop.stg_payments'];
    model.compiled_code = model.compiled_code.replace(/^.*amount_cents.*$/m, '    0 as dropped,');
    const buffer = Buffer.from(JSON.stringify(manifest));
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'manifest.json', mimeType: 'application/json', buffer });
    await page.getByText('Breaking', { exact: false }).first().waitFor();
    await page.getByRole('table', { name: 'What goes' }).getByText('shop.staging.stg_payments.amount').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as comment' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const comment = v.parse(v.string(), await page.evaluate('navigator.clipboard.readText()'));
    expect(comment).toMatch(/^### Lineage: breaking\n/);
    expect(comment).toContain('| breaking | removed | `shop.staging.stg_payments` · `amount` |');
  });

  it('shows what a policy would hide before it is saved, and hides it after', async () => {
    await open(`/policy?connector=${warehouse()}`);
    await page.getByLabel('Exclude these schemas').fill('shop.staging');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'What this would hide or show' });
    await preview.getByText('would be hidden').waitFor();
    await preview.getByText(`${payments} → ${staged}`).waitFor();
    await preview.getByRole('region', { name: 'Lineage graph' }).locator('[data-mark="removed"]').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Revision 1 is active').waitFor();
    await page.goto(`${service.credentials.base_url}${lineage()}#token=${shop().tokens['viewer']}`);
    await relation(payments).waitFor();
    expect(await relation(staged).count()).toBe(0);
    expect(await leavesOut()).toMatch(/policy hides \d+ relation/);
    await page.goto(`${service.credentials.base_url}/policy?connector=${warehouse()}#token=${shop().tokens['admin']}`);
    await page.getByLabel('Exclude these schemas').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Revision 2 is active').waitFor();
  });

  it('shows the effect of a policy while it is written', async () => {
    await open(`/policy?connector=${warehouse()}`);
    await page.getByLabel('Exclude these schemas').fill('shop.staging');
    const preview = page.getByRole('region', { name: 'What this would hide or show' });
    await preview.getByText('would be hidden').waitFor();
  });

  it('shows the weight of a type, and leaves it out if it is emptied', async () => {
    const { base_url, workspaces } = service.credentials;
    const put = (fusion_weights: object) =>
      fetch(`${base_url}/v1/connectors/${warehouse()}/lineage-policy`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${shop().tokens['admin']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ workspace_id: workspaces['shop']?.id, filters: safeDefaults, fusion_weights }),
      });
    expect((await put({ spark: 0.3 })).status).toBe(200);
    await open(`/policy?connector=${warehouse()}`);
    const weight = page.getByLabel('spark');
    expect(await weight.inputValue()).toBe('0.3');
    await weight.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await weight.waitFor({ state: 'detached' });
  });

  it('sorts a table by the heading that is clicked: up, down, and in the first order', async () => {
    await open('/checks');
    const heading = page.getByRole('columnheader', { name: 'Name' });
    const names = () => page.getByRole('table', { name: 'Checks' }).getByRole('rowheader').allTextContents();
    await heading.waitFor();
    const first = await names();
    const orders: unknown[] = [];
    for (let click = 0; click < 3; click++) {
      await heading.getByRole('button').click();
      orders.push([await heading.getAttribute('aria-sort'), await names()]);
    }
    const up = first.toSorted((a, b) => a.localeCompare(b));
    expect(orders).toEqual([
      ['ascending', up],
      ['descending', up.toReversed()],
      ['none', first],
    ]);
  });

  it('leads from an edge that nobody declares to its evidence', async () => {
    await open('/gaps?');
    await page.getByRole('link', { name: / → shop\.finance\.fct_payments$/ }).click();
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByRole('listitem').first().waitFor();
    expect(await evidence.textContent()).toContain('fct_payments');
  });

  it('signs in at the issuer by one click, keeps no token, and asks nobody else', async () => {
    await page.goto(`${service.credentials.base_url}/providers`);
    await page.getByRole('button', { name: 'Sign in as viewer of shop' }).click();
    await page.getByRole('heading', { name: 'Providers' }).waitFor();
    await page.getByRole('row', { name: /OpenLineage/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Pause/ }).count()).toBe(0);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).not.toContain('eyJ');
    const issuers = [...watched.strangers];
    expect(issuers).toHaveLength(1);
    // Loaded again, the issuer is asked without a dialogue.
    await page.reload();
    await page.getByRole('row', { name: /OpenLineage/ }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in as admin of shop' }).waitFor();
    expect([...watched.strangers]).toEqual(issuers);
  });

  it('names the role that a refused user lacks, with the error code and the request id', async () => {
    await open('/tokens', 'viewer');
    const alert = page.getByRole('alert');
    await alert.getByText('This page needs the role admin').waitFor();
    expect(await alert.textContent()).toMatch(/insufficient_workspace_role[\s\S]*Request id/);
  });

  it('pauses a feed and resumes it', async () => {
    await open('/providers');
    await page.getByRole('button', { name: 'Pause OpenLineage' }).click();
    await page.getByRole('button', { name: 'Resume OpenLineage' }).click();
    await page.getByRole('button', { name: 'Pause OpenLineage' }).waitFor();
  });

  it('registers what kind of source sends with a provider key, and removes it (C-FEED-1, C-FEED-3)', async () => {
    await open('/providers');
    expect(await page.getByLabel('Provider key', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'New provider key' }).click();
    await page.getByLabel('Provider key', { exact: true }).fill('history');
    await page.getByLabel('Type', { exact: true }).fill('job_log');
    await page.getByLabel(/^Class/).selectOption('runtime');
    await page.getByLabel('Name', { exact: true }).fill('Job history');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('row', { name: /history job log runtime Job history/ }).waitFor();
    await page.getByRole('row', { name: /Job history job log/ }).waitFor();
    await page.getByRole('button', { name: 'Remove history' }).click();
    await page.getByText('No provider key is registered').waitFor();
  });

  it('shows the days of a feed, and how many more there are', async () => {
    await open('/providers');
    await page.getByRole('img', { name: /^Deliveries of OpenLineage in the last 14 days: .*projected/ }).waitFor();
  });

  /** Sets the plan of the only project of the shop. */
  async function setPlan(tracking_plan: object): Promise<void> {
    const { id: workspace_id, tokens } = shop();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens['admin']}` };
    const path = `${service.credentials.base_url}/v1/collection-projects`;
    const listed = await fetch(`${path}?workspace_id=${workspace_id}`, { headers });
    const { items } = v.parse(v.object({ items: v.array(v.object({ id: v.string() })) }), await listed.json());
    const body = JSON.stringify({ workspace_id, tracking_plan });
    expect((await fetch(`${path}/${items[0]?.id}`, { method: 'PATCH', headers, body })).status).toBe(200);
  }

  it('shows of a collection project what may send, what was sent and what was refused, by code (C-COUNT-1)', async () => {
    await open('/collection');
    const project = page.getByRole('region', { name: 'shop', exact: true });
    await project.getByLabel('Name of the key').fill('from a browser');
    await project.getByRole('button', { name: 'Create a key' }).click();
    const key = (await project.getByText(/^dpk_/).first().textContent()) ?? '';
    await project.getByText(`posthog.init('${key}'`).waitFor();
    await project.getByLabel('Origin').fill('https://shop.test');
    await project.getByRole('button', { name: 'Allow the origin' }).click();
    await project.getByRole('button', { name: 'Remove https://shop.test' }).waitFor();
    await project.getByText('tributary plan put shop plan.json').waitFor();
    await setPlan({ mode: 'warn', additional_events: false, events: { Seen: { required: ['order'] } } });
    const send = (events: readonly object[]) =>
      fetch(`${service.credentials.base_url}/collect/v1/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ project_key: key, events }),
      });
    const properties = { total: 5, secret: 'a value' };
    const event = { type: 'track', event: 'Seen', user_id: 'u', timestamp: new Date().toISOString(), properties };
    expect((await send([{ ...event, id: 'a' }])).status).toBe(202);
    expect((await send([{ ...event, id: 'b', type: 'nothing' }])).status).toBe(422);
    const counted = project.getByRole('table', { name: 'Events of shop' });
    await expect
      .poll(
        async () => {
          await page.goto('about:blank');
          await open('/collection');
          await counted.waitFor();
          return (await counted.locator('tbody th').allTextContents()).toSorted();
        },
        { timeout: 30_000 },
      )
      .toEqual([
        'accepted',
        'broken rule: /type must be one of track, page, identify, group',
        'broken rule: Seen: /properties/order is required',
        'rejected: invalid event',
        'repeated',
      ]);
    const plan = project.getByText('Tracking plan: 1 event. Violations are counted, and the events accepted.');
    expect(await plan.textContent()).toContain('Other events are violations.');
    await plan.click();
    await project.getByRole('figure', { name: 'Tracking plan' }).getByText('"order"').waitFor();
    const fields = project.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Seen' }) });
    await fields.getByText('2 fields').click();
    expect(await fields.getByRole('listitem').allTextContents()).toEqual([
      'properties.secret string',
      'properties.total number',
    ]);
    expect(await page.content()).not.toContain('a value');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
      if (process.env['SHOTS'])
        await page.screenshot({ path: `${process.env['SHOTS']}/collection-${colorScheme}.png`, fullPage: true });
    }
    await project.getByRole('button', { name: 'Revoke from a browser' }).click();
    await project.getByRole('row', { name: /from a browser.*revoked/ }).waitFor();
    await page.goto('about:blank');
    await open('/collection', 'editor');
    await page.getByRole('alert').getByText('This page needs the role admin').waitFor();
  });

  it('creates a check, shows its result, and links to it from the attention list', async () => {
    await open('/checks', 'editor');
    await page.getByRole('button', { name: 'New check' }).click();
    await page.getByLabel('Name', { exact: true }).fill('payments feed nothing');
    await page.getByLabel('Expectation').fill('at most 0 downstream relations');
    await page.getByLabel(/^Limit to these relations/).fill('shop.raw.payments');
    await page.getByRole('button', { name: 'Create a check' }).click();
    await page.getByRole('button', { name: 'Run now payments feed nothing' }).click();
    await page.getByRole('row', { name: /payments feed nothing.*failed/ }).waitFor();
    await page.goto('about:blank');
    await open('/', 'editor');
    await page.getByRole('link', { name: 'The check payments feed nothing fails' }).click();
    const results = page.getByRole('list', { name: 'Results of payments feed nothing' });
    await results.getByText('1 violation').waitFor();
    await page.getByRole('button', { name: 'Disable payments feed nothing' }).click();
    await page.getByRole('button', { name: 'Enable payments feed nothing' }).waitFor();
    await page.getByRole('button', { name: 'Delete payments feed nothing' }).click();
    await page.getByRole('button', { name: 'Delete payments feed nothing' }).waitFor({ state: 'detached' });
  });

  it('is below the path of a stage, as API Gateway serves it', async () => {
    const report = await fetch(`${service.credentials.base_url}/v1/auth/sign-in`);
    const stage = await startStage(
      'live',
      service.credentials.base_url,
      v.parse(SignInDirections, await report.json()),
    );
    try {
      const at = await watchedPage(browser, stage.url);
      await at.page.goto(`${stage.url}/#token=${shop().tokens['admin']}`);
      await at.page.getByRole('link', { name: 'shop.finance.fct_payments' }).click();
      await at.page
        .getByRole('region', { name: 'Lineage graph' })
        .getByRole('button', { name: /^shop\.finance\.fct_payments,/ })
        .waitFor();
      expect(new URL(at.page.url()).pathname).toBe('/live/lineage');
      const shared = at.page.url();
      await at.page.goto('about:blank');
      await at.page.goto(`${shared}#token=${shop().tokens['viewer']}`);
      await at.page.getByRole('link', { name: 'Providers' }).click();
      await at.page.getByRole('row', { name: /OpenLineage/ }).waitFor();
      expect([at.faults, [...at.strangers]]).toEqual([[], []]);
      await at.context.close();
    } finally {
      stage.stop();
    }
  });

  it('renews a session that would soon end, and signs out on every page of the browser', async () => {
    const { base_url: base } = service.credentials;
    await page.goto(`${base}/providers`);
    await page.getByRole('button', { name: 'Sign in as admin of shop' }).click();
    await page.getByRole('row', { name: /OpenLineage/ }).waitFor();
    const beside = await watched.context.newPage();
    await beside.goto(`${base}/gaps`);
    await beside.getByRole('button', { name: 'Sign in as admin of shop' }).click();
    await beside.getByRole('heading', { name: 'Gaps' }).waitFor();
    const renewed = page.waitForRequest(
      (request) => request.postDataJSON()?.grant_type === 'refresh_token' && request.method() === 'POST',
    );
    await page.clock.setFixedTime(Date.now() + 3_590_000);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await renewed;
    await page.getByRole('cell', { name: 'projected' }).first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in as admin of shop' }).waitFor();
    await beside.getByRole('button', { name: 'Sign in as admin of shop' }).waitFor();
  });

  it('ends a session whose token the service takes no longer, and says so', async () => {
    await page.goto(`${service.credentials.base_url}/providers#token=dpt_nothing`);
    await page.getByRole('alert').getByText('Your session has expired').waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in as viewer of shop' }).click();
    await page.getByRole('row', { name: /OpenLineage/ }).waitFor();
    const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    expect(names).toContain('Deliveries');
    expect(names).not.toEqual(expect.arrayContaining(['Policy']));
    expect(names).not.toEqual(expect.arrayContaining(['Tokens']));
  });

  const deliver = (events: readonly object[]) =>
    deliverEvents(service, events, { states: /projected|quarantined/, timeout: 60_000 });

  it('shows what of a delivery is quarantined, and opens it at its place only for admins', async () => {
    const id = await deliver([jobEvent(service, 'shop.raw.a', 'shop.raw.b'), { eventTime: 'never' }]);
    await open(`/deliveries/${id}`, 'viewer');
    await page.getByText('Item 1').waitFor();
    expect(await page.getByRole('link', { name: /^Open item/ }).count()).toBe(0);
    await page.goto('about:blank');
    await open(`/deliveries/${id}`);
    await page.getByRole('link', { name: 'Open item 1 in the payload' }).click();
    await page.getByText('"eventTime": "never"').waitFor();
    expect(await page.getByText('shop.raw.b').count()).toBe(0);
  });

  it('draws hundreds at once: every relation a button, the edges as one shape until somebody comes near', async () => {
    const leaves = Array.from({ length: 160 }, (_, index) => `shop.many.leaf_${index}`);
    await deliver(leaves.map((leaf) => jobEvent(service, 'shop.many.root', leaf)));
    await open(`/lineage?connector=${warehouse()}&relation=shop.many.root&open=downstream.shop.many`);
    await relation('shop.many.leaf_159').waitFor({ state: 'attached' });
    expect(await graph().locator('.relation-name').count()).toBe(161);
    await graph().locator('.far-edges path').waitFor({ state: 'attached' });
    expect(await graph().getByRole('link').count()).toBe(0);
    for (let step = 0; step < 8; step++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await graph().getByRole('link').first().waitFor({ state: 'attached' });
  });

  it('is walked by the keyboard: arrows lead from relation to relation, a column lights its way', async () => {
    await open(lineage('&column=amount_cents&direction=downstream'));
    await relation(payments).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toContain(staged);
    await graph().getByRole('button', { name: 'amount_cents' }).focus();
    await expect.poll(() => graph().locator('.column-edge[data-highlighted="true"]').count()).toBeGreaterThan(3);
    expect(await page.getByText(/^Reported by/).textContent()).toMatch(/dbt manifest \(\d\)/);
  });

  it('shows a token once, and revokes it', async () => {
    await open('/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name', { exact: true }).fill('from a browser');
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByText(/^dpt_/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke from a browser' }).click();
    await page.getByRole('row', { name: /from a browser.*revoked/ }).waitFor();
  });

  it('lets a viewer ask for a role, and an admin decide', async () => {
    await open('/access', 'viewer');
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByLabel('Reason').fill('to load a manifest');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText('Your request was sent').waitFor();
    await page.goto('about:blank');
    await open('/access');
    const request = page.getByRole('article').filter({ hasText: 'to load a manifest' });
    await request.getByRole('button', { name: 'Deny' }).click();
    await request.waitFor({ state: 'detached' });
  });

  const login = (args: readonly string[], browse: (address: string) => Promise<string>) =>
    logIn(['--url', service.credentials.base_url, '--port', '0', ...args], browse);

  /** Goes through the issuer's page as a person of a role, and answers what then has to be typed: nothing. */
  const signInAs = (role: string) => async (address: string) => {
    await page.goto(address);
    await page.getByRole('button', { name: `Sign in as ${role} of shop` }).click();
    await page.getByText('Signed in').waitFor();
    return '';
  };

  it('signs the command line in, which keeps a token of its machine for itself (C-ACCESS-10, C-AGENT-2)', async () => {
    const { code, output, messages, kept, mode } = await login(['--json'], signInAs('admin'));
    expect([code, messages]).toEqual([0, expect.stringMatching(/^Open \S+\n$/)]);
    expect(JSON.parse(output)).toMatchObject({
      profile: 'default',
      user_id: 'shop-admin',
      expires_at: kept.expires_at,
    });
    expect(kept).toMatchObject({ token: expect.stringMatching(/^dpt_/), workspace: shop().id });
    expect(mode).toBe('600');
    const env = { TRIBUTARY_URL: service.credentials.base_url, TRIBUTARY_TOKEN: kept.token };
    const { items } = await commandJson(['tokens', 'list'], { env });
    expect(items.map(({ name }: { name: string }) => name)).toContain(`tributary on ${hostname()}`);
  });

  it('keeps the session of a user who may not have a token, and says why; the issuer is enough', async () => {
    const report = await fetch(`${service.credentials.base_url}/v1/auth/sign-in`);
    const issuer = v
      .parse(SignInDirections, await report.json())
      .discovery_url.replace('/.well-known/openid-configuration', '');
    const { code, messages, kept } = await login(['--issuer', issuer], signInAs('viewer'));
    expect(code).toBe(0);
    expect(kept.token).toMatch(/^eyJ/);
    expect(messages).toContain('No long-lived token was created');
  });

  const isRequested = /^Give tributary on .* a token\?$/;

  it('shows the code for a machine without a browser, which is typed there (C-AGENT-2)', async () => {
    const { code, kept } = await login(['--no-browser', '--scope', 'read', '--json'], async (address) => {
      await page.goto(`${address}#token=${shop().tokens['admin']}`);
      await page.getByRole('heading', { name: isRequested }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByText('Permissions: read.').waitFor();
      await page.getByRole('button', { name: 'Allow' }).click();
      return (await page.getByRole('figure', { name: 'Code' }).locator('code').textContent()) ?? '';
    });
    expect([code, kept]).toEqual([0, expect.objectContaining({ token: expect.stringMatching(/^dpt_/) })]);
  });

  it('sends an agent of this machine its code, or that it was denied, and nobody else', async () => {
    const received: string[] = [];
    const agent = createServer(({ url = '' }, response) => {
      if (url.startsWith('/callback')) received.push(url);
      response.end('done');
    }).listen(0, '127.0.0.1');
    await once(agent, 'listening');
    const address = agent.address();
    const redirect_uri = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`;
    const request = { code_challenge: 'c'.repeat(43), device_id: 'device-1', device_name: 'laptop', state: 's' };
    const ask = async (to: string, answer: string) => {
      await page.goto('about:blank');
      const query = new URLSearchParams({ ...request, redirect_uri: to, client_name: 'studio' });
      await open(`/authorize?${query}`);
      await page.getByRole('heading', { name: 'Give studio on laptop a token?' }).waitFor();
      await page.getByRole('button', { name: answer }).click();
    };
    await ask(redirect_uri, 'Deny');
    await ask(redirect_uri, 'Allow');
    await page.getByText('done').waitFor();
    await ask('https://evil.test/', 'Allow');
    await page.getByRole('alert').getByText('/redirect_uri').waitFor();
    agent.close();
    const iss = new URLSearchParams({ iss: service.credentials.base_url });
    expect(received).toEqual([
      `/callback?error=access_denied&${iss}&state=s`,
      expect.stringMatching(/^\/callback\?code=[\w-]+&iss=[\w%.]+&state=s$/),
    ]);
  });

  it('takes the picture along as a file', async () => {
    await open(lineage());
    await relation(staged).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download picture' }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  const pages = () => [
    '/',
    lineage('&column=amount_cents'),
    lineage(`&edge_from=${payments}&edge_to=${staged}`),
    lineage('&view=table'),
    lineage().replace(payments, 'shop.raw.paymentz'),
    ...['/lineage', '/changes', '/providers', '/deliveries', '/gaps', '/policy', '/tokens', '/collection'],
    ...['/access', '/checks'],
  ];

  it.each([
    ['light', 1_440, 900],
    ['dark', 1_280, 800],
    // 1440×900 at a zoom of 200 %.
    ['light', 720, 450],
    ['light', 390, 844],
    ['dark', 320, 900],
  ] as const)(
    'has nothing on any page that axe finds, in the %s theme and %i pixels wide',
    async (theme, width, height) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      const findings: string[] = [];
      for (const address of [...pages(), await aDelivery()]) {
        await open(address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        findings.push(...(await axeFindings(page)).map((finding) => `${address} ${finding}`));
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (beyond !== 0) findings.push(`${address} is ${beyond} pixels wider than the screen`);
      }
      console.info(`${theme}, ${width} pixels wide: ${findings.length} findings.`);
      expect(findings).toEqual([]);
      expect([...watched.strangers]).toEqual([]);
    },
    180_000,
  );

  async function aDelivery(): Promise<string> {
    const headers = { authorization: `Bearer ${shop().tokens['viewer']}` };
    const requested = `/v1/lineage/deliveries?workspace_id=${shop().id}&limit=1`;
    const answer = await fetch(service.credentials.base_url + requested, { headers });
    const { items } = v.parse(Deliveries, await answer.json());
    return `/deliveries/${items[0]?.delivery_id}?payload=yes`;
  }
});

const Deliveries = v.object({ items: v.array(v.object({ delivery_id: v.string() })) });
