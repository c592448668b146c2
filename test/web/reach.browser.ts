import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { seriousFindings } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleBrowser } from '../support/sample-browser.ts';
import { deliverEvents, jobEvent } from './deliver-events.ts';

const charges = 'shop.raw_stripe.charges';
const staged = 'shop.staging.stg_stripe__charges';
/** A busy machine draws late. */
const patient = { timeout: 10_000 };
const columns = '&column=amount_cents&direction=downstream';

const StoredPolicy = v.object({ revision: v.number(), filters: v.unknown(), fusion_weights: v.unknown() });

/** On small screens, by keyboard, and by mistake. */
describe.skipIf(findChromium() === null)('the explorer within reach', () => {
  const sample = sampleBrowser({
    prepare: async (service) => {
      const copies = Array.from({ length: 7 }, (_, index) =>
        jobEvent(service, 'hub.raw.root', `hub.marts.copy_${index}`),
      );
      const readers = Array.from({ length: 60 }, (_, index) =>
        jobEvent(service, 'wide.raw.root', `wide.marts.reader_${index}`),
      );
      const spread = Array.from({ length: 45 }, (_, index) =>
        jobEvent(service, 'spread.raw.root', `spread.${index < 30 ? 'large' : `small_${index % 3}`}.reader_${index}`),
      );
      await deliverEvents(
        service,
        [...copies, ...readers, ...spread, jobEvent(service, 'hub.raw.root', 'hub.staging.other')],
        {
          states: /^projected$/,
          timeout: 60_000,
        },
      );
    },
  });
  let page: Page;
  beforeEach(() => {
    page = sample.page;
  });

  const graph = () => page.getByRole('region', { name: 'Lineage graph' });
  const searchBox = () => page.getByRole('searchbox', { name: 'Search relations and columns' });

  async function open(address: string): Promise<void> {
    await page.goto(sample.addressOf(address));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  }
  const lineage = (more = '') => open(`/lineage?connector=${sample.warehouse()}&relation=${charges}${columns}${more}`);

  it('waits with Enter for results, then names the page in its title and has the focus on it', async () => {
    await open('/providers');
    expect(await page.title()).toBe('Providers · Tributary');
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/lineage/relations?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press('/');
    await page.keyboard.type('raw_stripe charges');
    await page.keyboard.press('Enter');
    held.resolve();
    await page.waitForURL(/relation=shop.raw_stripe.charges(&|$)/);
    await expect.poll(() => page.title()).toBe(`${charges} · Lineage · Tributary`);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('page');
  });

  it('shows results on a phone with their names on few lines', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/providers');
    await searchBox().fill('stripe');
    const option = page.getByRole('listbox').getByRole('option').first();
    const name = await option.locator('.relation-ref').boundingBox();
    expect(name?.width).toBeGreaterThan(200);
    expect(name?.height).toBeLessThan(48);
    const box = await option.boundingBox();
    expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 390]).toEqual([true, true]);
  });

  it('has the history, the tools and rows of tables within the width of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const right = async (box: ReturnType<Page['locator']>) => {
      const { x = 0, width = 999 } = (await box.boundingBox()) ?? {};
      return x + width;
    };
    await open(`/lineage?connector=${sample.warehouse()}&relation=wide.raw.root&direction=downstream`);
    await page.getByRole('textbox', { name: 'As of date and time' }).scrollIntoViewIfNeeded();
    for (const part of ['.as-of-field', '.history', '.graph-tools > :last-child'])
      expect(await right(page.locator(part)), part).toBeLessThanOrEqual(390);
    await open('/gaps');
    for (const cell of await page.getByRole('rowheader').all())
      expect((await cell.boundingBox())?.width).toBeGreaterThan(200);
    for (const button of await page.getByRole('button', { name: 'Ignore' }).all())
      expect(await right(button)).toBeLessThanOrEqual(374);
    const edge = page.getByRole('link', { name: / → shop\.finance\.fct_payments$/ });
    expect(await edge.evaluate((one) => one.innerHTML)).toContain('fct_<wbr>payments');
  });

  it('shows each row of a table as a card on a phone, with the headings as labels', async () => {
    const { id: workspace_id, tokens } = sample.shop();
    const { base_url } = sample.service.credentials;
    const headers = { authorization: `Bearer ${tokens['admin']}`, 'content-type': 'application/json' };
    const token = { workspace_id, name: 'nightly push', expires_in_days: 90, scopes: ['read'], client_kind: 'ci' };
    const made = await fetch(`${base_url}/v1/auth/tokens`, { method: 'POST', headers, body: JSON.stringify(token) });
    expect(made.status).toBe(201);
    await page.setViewportSize({ width: 390, height: 844 });
    const table = `/lineage?connector=${sample.warehouse()}&relation=${charges}${columns}&view=table`;
    for (const address of ['/providers', '/tokens', '/gaps', '/checks', '/deliveries', '/collection', table]) {
      await open(address);
      await page.locator('.data tbody tr').first().waitFor();
      expect([address, await page.evaluate(faultsOfCards)]).toEqual([address, []]);
      expect(await seriousFindings(page)).toEqual([]);
    }
  });

  it.each([800, 1_024])(
    'has nothing above the limits of the answer or beside the bar in a window of %d pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 768 });
      await lineage();
      const edges = async (selector: string) => {
        const { x = 0, y = 0, width: own = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
        return { left: x, top: y, right: x + own, bottom: y + height };
      };
      const [head, inspector, bar] = [await edges('.explorer-head'), await edges('.inspector'), await edges('.as-of')];
      expect(inspector.left >= head.right || inspector.top >= head.bottom).toBe(true);
      expect(bar.right <= inspector.left || bar.top >= inspector.bottom).toBe(true);
      const workspace = await page.locator('.workspace').evaluate((one) => one.scrollWidth - one.clientWidth);
      expect(workspace).toBe(0);
    },
  );

  it('has the name of a lane beside what is further left', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`/lineage?connector=${sample.warehouse()}&relation=shop.marts.orders`);
    const button = await page.getByRole('button', { name: /further left/ }).boundingBox();
    const head = page.locator('.lane-strip span', { hasText: 'This relation' });
    expect((await head.boundingBox())?.x).toBeGreaterThan((button?.x ?? 999) + (button?.width ?? 0));
  });

  it('says of a name that several relations have it, and of a comparison since when', async () => {
    await open(`/lineage?connector=${sample.warehouse()}&relation=orders`);
    await page.getByText('Several relations have this name.').waitFor();
    expect(await page.getByText('No relation of this connector').count()).toBe(0);
    await open(`/changes?connector=${sample.warehouse()}`);
    await page.getByText(/^Changes since yesterday until /).waitFor();
  });

  it('offers another try wherever something could not be loaded', async () => {
    await page.route('**/v1/lineage/overview?*', (route) => route.abort());
    await open('/');
    const message = page.getByRole('alert');
    await message.getByText('The service cannot be reached').waitFor();
    await page.unroute('**/v1/lineage/overview?*');
    await message.getByRole('button', { name: 'Try again' }).click();
    await message.waitFor({ state: 'detached' });
  });

  it('stays in the workspace of an address, and shares it', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const other = { id: 'ws_00000000000000000000', name: 'another', role: 'viewer', created_at: null };
    await page.route('**/v1/workspaces', async (route) => {
      const response = await route.fetch();
      const { items } = v.parse(v.object({ items: v.array(v.unknown()) }), await response.json());
      await route.fulfill({ response, json: { items: [other, ...items], next_cursor: null } });
    });
    await page.route(`**/v1/connectors?*${other.id}*`, (route) =>
      route.fulfill({ json: { workspace_id: other.id, items: [], next_cursor: null } }),
    );
    const shown = () => page.getByRole('combobox', { name: 'Workspace' }).inputValue();
    await lineage();
    await page.getByRole('link', { name: /^Gaps/ }).click();
    await page.getByRole('heading', { name: 'Gaps' }).waitFor();
    expect(await shown()).toBe(sample.shop().id);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const copied = v.parse(v.string(), await page.evaluate('navigator.clipboard.readText()'));
    await page.evaluate('localStorage.clear()');
    await page.goto('about:blank');
    await page.goto(`${copied}#token=${sample.shop().tokens['viewer']}`);
    await expect.poll(shown).toBe(sample.shop().id);
  });

  it('leaves the picture room at a zoom of 200 %', async () => {
    await page.setViewportSize({ width: 720, height: 450 });
    await lineage();
    const box = await graph().boundingBox();
    const sheet = await page.getByRole('complementary').boundingBox();
    const shown = (sheet?.y ?? 0) - (box?.y ?? 0);
    console.info(`At a zoom of 200 % the picture is ${shown.toFixed(0)} pixels high.`);
    expect(shown).toBeGreaterThan(200);
  });

  it('moves the picture to what the keyboard is on or has chosen, and Escape closes evidence', async () => {
    await page.setViewportSize({ width: 1_000, height: 700 });
    await lineage();
    await graph()
      .getByRole('button', { name: new RegExp(`^${charges}`) })
      .focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => isInSight('document.activeElement.closest(".relation")'), patient).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(() => isInSight('document.activeElement.closest(".relation")'), patient).toBe(true);
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await page.keyboard.press('e');
    await page.keyboard.press('Enter');
    await evidence.waitFor();
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press('n');
      await expect.poll(() => isInSight('document.querySelector(".edge-link[data-chosen=true]")'), patient).toBe(true);
    }
    await page.keyboard.press('Escape');
    await evidence.waitFor({ state: 'detached' });
    await page.goto('about:blank');
    await lineage('&selected=shop.finance.fct_payments');
    await expect.poll(() => isInSight('document.querySelector(".relation[data-selected=true]")'), patient).toBe(true);
  });

  const isInSight = (element: string) =>
    page.evaluate(`(() => {
      const room = document.querySelector('.graph').getBoundingClientRect();
      const box = ${element}.getBoundingClientRect();
      return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
    })()`);

  it('deletes nothing by one click', async () => {
    await open('/checks');
    const rows = page.getByRole('table', { name: 'Checks' }).getByRole('rowheader');
    const name = (await rows.first().textContent()) ?? '';
    let deleted = 0;
    page.on('request', (request) => {
      if (request.method() === 'DELETE') deleted++;
    });
    await page.clock.install();
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: `Undo: delete ${name}` }).click();
    await page.clock.runFor(10_000);
    await page.getByRole('button', { name: `Delete ${name}` }).waitFor();
    expect([deleted, await rows.first().textContent()]).toEqual([0, name]);
  });

  it('says of a pattern that it matches no schema, and offers those that it may mean', async () => {
    await open(`/policy?connector=${sample.warehouse()}`);
    const exclude = page.getByLabel('Exclude these schemas');
    await exclude.fill('raw_stripe');
    const note = page.getByRole('status').filter({ hasText: '“raw_stripe” matches 0 schemas' });
    await note.getByRole('button', { name: 'shop.raw_stripe' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await exclude.inputValue()).toBe('shop.raw_stripe');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('takes a saved policy back, unless somebody else has saved one since', async () => {
    const { base_url } = sample.service.credentials;
    const path = `${base_url}/v1/connectors/${sample.warehouse()}/lineage-policy`;
    const headers = { authorization: `Bearer ${sample.shop().tokens['admin']}`, 'content-type': 'application/json' };
    const read = async () =>
      v.parse(StoredPolicy, await (await fetch(`${path}?workspace_id=${sample.shop().id}`, { headers })).json());
    await open(`/policy?connector=${sample.warehouse()}`);
    const before = await read();
    const exclude = page.getByLabel('Exclude these schemas');
    await exclude.fill('shop.raw_stripe');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText(`Revision ${before.revision + 2} is active`).waitFor();
    expect(await read()).toEqual({ ...before, revision: before.revision + 2 });
    expect(await exclude.inputValue()).toBe('');
    await exclude.fill('shop.raw_stripe');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Revision ${before.revision + 3} is saved`).waitFor();
    const others = { workspace_id: sample.shop().id, filters: safeDefaults };
    expect((await fetch(path, { method: 'PUT', headers, body: JSON.stringify(others) })).status).toBe(200);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Nothing was undone').waitFor();
    expect((await read()).revision).toBe(before.revision + 4);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('names providers so that they can be told apart', async () => {
    await page.route('**/v1/lineage/providers?*', async (route) => {
      const response = await route.fetch();
      const { items, ...list } = v.parse(v.looseObject({ items: v.array(v.looseObject({})) }), await response.json());
      const of = (connector_id: string | null) =>
        items.map((item) => ({ ...item, id: `${item['id']}${connector_id}`, connector_id }));
      await route.fulfill({ response, json: { ...list, items: [...of(sample.warehouse()), ...of(null)] } });
    });
    await open('/providers');
    for (const place of ['no connector', 'warehouse'])
      await page.getByRole('button', { name: `Pause airflow (${place})` }).waitFor();
  });

  it('says that there are no gaps only once those of all providers are loaded', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/gaps?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await Promise.all([page.waitForRequest('**/gaps?*'), page.goto(sample.addressOf('/gaps'))]);
    await page.getByText('Loading…').waitFor();
    expect(await page.getByText('There are no open gaps.').count()).toBe(0);
    held.resolve();
    await page.getByRole('table', { name: 'Gaps' }).waitFor();
  });

  it('lists a gap about the same namespace once, with all its providers, and its command beside a button', async () => {
    await open('/gaps');
    const row = page.getByRole('row', { name: /A namespace belongs to no connector/ });
    await row.waitFor();
    expect(await row.getByRole('listitem').filter({ hasNotText: 'datasets' }).count()).toBe(2);
    const [command, button] = [row.locator('pre'), row.getByRole('button', { name: 'Copy' })];
    const [left, right] = await Promise.all([command.boundingBox(), button.boundingBox()]);
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
  });

  it('names the jobs whose runs do not end, and columns that are not known for what they are', async () => {
    await page.route('**/gaps?*', async (route) => {
      const response = await route.fetch();
      const list = v.parse(
        v.looseObject({ items: v.array(v.looseObject({ details: v.looseObject({}) })) }),
        await response.json(),
      );
      const [first] = list.items;
      const jobs = Array.from({ length: 6 }, (_, index) => `nightly/job_${index}`);
      const unfinished = { count: 6, jobs, advice: 'Send all events of a run.' };
      const runs = first && { ...first, gap_type: 'unfinished_runs', details: { ...first.details, unfinished } };
      const one = { reason: 'some', count: 1, assets: [], assets_left_out: 0, advice: 'Run `dbt compile` first.' };
      const details = { ...first?.details, unresolved: [{ ...one, resolved: false }] };
      const assets = first && { ...first, id: 'assets', gap_type: 'unresolved_assets', details };
      await route.fulfill({ response, json: { ...list, items: [runs, assets].filter(Boolean) } });
    });
    await open('/gaps');
    const row = page.getByRole('row', { name: /Runs do not end/ }).first();
    await row.getByText('nightly/job_4').waitFor();
    expect(await row.getByText('nightly/job_5').count()).toBe(0);
    await row.getByText('6 names in all').waitFor();
    await row.getByText('Send all events of a run.', { exact: true }).waitFor();
    const unknown = page.getByRole('row', { name: /Names or columns are not known/ }).first();
    await unknown.getByText('Run dbt compile first.').waitFor();
    await unknown.getByRole('code').getByText('dbt compile', { exact: true }).waitFor();
  });

  it('counts open gaps everywhere as their page lists them, and names each once where something needs attention', async () => {
    await open('/gaps');
    const rows = page.getByRole('table', { name: 'Gaps' }).locator('tbody tr');
    await rows.first().waitFor();
    const count = await rows.count();
    const rail = page.getByRole('navigation', { name: 'Pages' });
    await rail.getByRole('link', { name: `Gaps ${count}`, exact: true }).waitFor();
    await open('/');
    await page.getByRole('link', { name: `Open gaps ${count} evidence is missing` }).waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    expect(await attention.getByRole('link', { name: 'A namespace belongs to no connector' }).count()).toBe(1);
    await open('/gaps');
    await rows.first().getByRole('button', { name: 'Ignore' }).click();
    await rail.getByRole('link', { name: `Gaps ${count - 1}`, exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Show resolved and ignored' }).check();
    await page.getByRole('button', { name: 'Open again' }).click();
    await rail.getByRole('link', { name: `Gaps ${count}`, exact: true }).waitFor();
  });

  it('calls no provider active if there is none, and no check passed that was not evaluated', async () => {
    const Items = v.looseObject({ items: v.array(v.looseObject({})) });
    await page.route(/\/(providers|results)\?/, async (route) => {
      const response = await route.fetch();
      const list = v.parse(Items, await response.json());
      const isOfCheck = route.request().url().includes('/results');
      const items = isOfCheck ? list.items.map((one) => ({ ...one, state: 'not_evaluated' })) : [];
      await route.fulfill({ response, json: { ...list, items } });
    });
    await open('/');
    await page.getByRole('link', { name: 'Providers 0 none yet' }).waitFor();
    await page.getByRole('link', { name: 'Checks 4 4 not evaluated' }).waitFor();
  });

  it('has the weights of evidence behind a summary on the first screen of a policy', async () => {
    await open(`/policy?connector=${sample.warehouse()}`);
    const weight = page.getByLabel('OpenLineage runs');
    expect(await weight.isVisible()).toBe(false);
    await page.getByText('Weight of one piece of evidence').click();
    expect(await weight.isVisible()).toBe(true);
  });

  it('opens a group without moving what was there, lets the eye follow, and closes it', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(`/lineage?connector=${sample.warehouse()}&relation=hub.raw.root&direction=downstream`);
    const root = graph().locator('.relation[data-root="true"]');
    const group = graph().getByRole('button', { name: /^marts.*, 7 relations$/ });
    const node = graph().locator('.react-flow__node').first();
    const motion = () =>
      node.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).transitionProperty);
    const before = await root.boundingBox();
    await group.click();
    await expect.poll(() => graph().locator('.relation').count()).toBe(9);
    expect(await root.boundingBox()).toEqual(before);
    expect(await motion()).toBe('all');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await motion()).toBe('transform');
    await page.getByRole('button', { name: 'Close group hub.marts' }).click();
    await group.waitFor();
    expect(await root.boundingBox()).toEqual(before);
    expect(page.url()).not.toContain('open=');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('shows the readers of a hub as one card with a list that is searched', async () => {
    await open(`/lineage?connector=${sample.warehouse()}&relation=wide.raw.root&direction=downstream`);
    const card = graph().getByRole('button', { name: 'marts, 60 relations' });
    await card.click();
    const list = page.getByRole('dialog', { name: 'marts, 60 relations' });
    await list.getByText('wide.marts 60').waitFor();
    await list.getByRole('textbox', { name: 'Find in the group' }).fill('READER_5');
    await list.getByText('wide.marts 11').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await list.getByRole('button', { name: 'wide.marts.reader_57' }).click();
    await page.getByRole('heading', { level: 2, name: 'reader_57' }).waitFor();
    await graph().getByRole('button', { name: 'marts, 59 relations' }).click();
    await page.getByRole('button', { name: 'Draw all 59' }).click();
    await expect.poll(() => graph().locator('.relation').count()).toBeGreaterThan(30);
  });

  it('shows the readers of a hub in several schemas as one card, counted by schema', async () => {
    await open(`/lineage?connector=${sample.warehouse()}&relation=spread.raw.root&direction=downstream`);
    const name = 'Readers of root, 45 relations';
    await graph().getByRole('button', { name }).click();
    expect(await graph().locator('.group').count()).toBe(1);
    expect(await graph().locator('.members li').allTextContents()).toEqual([
      ...['large 30', 'small_0 5', 'small_1 5', 'small_2 5'],
    ]);
    const list = page.getByRole('dialog', { name });
    await list.getByText('spread.large 30 · spread.small_0 5').waitFor();
    await list.getByRole('textbox', { name: 'Find in the group' }).fill('small_1');
    await list.getByText('spread.small_1 5', { exact: true }).waitFor();
    await list.getByRole('textbox', { name: 'Find in the group' }).fill('');
    await list.getByRole('button', { name: 'Draw all 45' }).click();
    await page.getByRole('button', { name: 'Close group Readers of root' }).waitFor();
  });

  it('counts the readers of a hub by the owners that the answer names, and finds them by owner', async () => {
    const Item = v.looseObject({ relation_ref: v.string() });
    await page.route('**/v1/lineage/impact?*', async (route) => {
      const response = await route.fetch();
      const answer = v.parse(v.looseObject({ downstream: v.array(Item) }), await response.json());
      const owned = (owner: string) => ({ owners: [owner] });
      const downstream = answer.downstream.map((item) => ({
        ...item,
        ...(/_1?[0-9]$/.test(item.relation_ref)
          ? owned('ann@shop.test')
          : /_2/.test(item.relation_ref) && owned('Ben')),
      }));
      await route.fulfill({ response, json: { ...answer, downstream } });
    });
    await open(`/lineage?connector=${sample.warehouse()}&relation=wide.raw.root&direction=downstream`);
    await graph().getByRole('button', { name: 'marts, 60 relations' }).click();
    const list = page.getByRole('dialog', { name: 'marts, 60 relations' });
    await list.getByText('Owners: ann@shop.test 20 · Ben 10').waitFor();
    await list.getByRole('listitem').filter({ hasText: 'wide.marts.reader_7' }).getByText('ann@shop.test').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await list.getByRole('textbox', { name: 'Find in the group' }).fill('ben');
    await list.getByText('Owners: Ben 10').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(10);
  });

  it('copies the name of the relation that has the focus', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await lineage();
    await graph().locator(`.relation-name[data-id="${charges}"]`).focus();
    await page.keyboard.press('Control+c');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(charges);
  });

  it('keeps the name of a relation that was selected to copy', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await lineage(`&selected=${staged}`);
    await page.getByRole('button', { name: 'Copy name' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(staged);
  });
});

/** In the page: tables that are wider than their frame, and cells that do not have their heading as a label. */
const faultsOfCards = `[...document.querySelectorAll('.data')].flatMap((table) => {
  const { scrollWidth, clientWidth } = table.parentElement;
  const headings = [...table.tHead.rows[0].cells].map((one) => one.textContent);
  const cells = [...table.tBodies[0].rows].flatMap((row) => [...row.cells].map((cell, at) => [cell, headings[at]]));
  const wrong = cells.filter(([cell, heading]) => {
    if (cell.tagName === 'TH' || cell.textContent === '' || heading === 'Action') return false;
    return getComputedStyle(cell, '::before').content !== JSON.stringify(heading);
  });
  const wide = scrollWidth > clientWidth ? [table.ariaLabel + ' is ' + scrollWidth + ' pixels wide'] : [];
  return [...wide, ...wrong.map(([cell, heading]) => heading + ': ' + cell.textContent)];
})`;
