import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { seriousFindings } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { sampleBrowser, shopOfSample } from '../support/sample-browser.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const charges = 'shop.raw_stripe.charges';

const Changes = v.object({ items: v.array(v.object({ at: v.string(), columns_removed: v.number() })) });

/** Pushes the sample's project again, one of its columns gone. Returns when that took effect. */
async function release(service: ServiceProcess): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../local/seed/sample/manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const model = manifest.nodes['model.shop.stg_payments'];
  model.compiled_code = model.compiled_code.replace(/^.*amount_cents.*$/m, '    0 as dropped,');
  const { id: workspace_id, tokens, connectors, linked_projects } = shopOfSample(service);
  const connector_id = connectors['warehouse']?.id;
  const api = (address: string, init: RequestInit = {}) =>
    fetch(`${service.credentials.base_url}${address}`, {
      ...init,
      headers: { authorization: `Bearer ${tokens['editor']}`, 'content-type': 'application/json' },
    });
  const sent = await api('/v1/lineage/dbt/manifest', {
    method: 'POST',
    body: JSON.stringify({
      ...{ workspace_id, connector_id, manifest, completeness: 'complete' },
      ...{ project_id: linked_projects['dbt'], source_event_key: 'release' },
    }),
  });
  expect(sent.status).toBe(202);
  const history = `/v1/lineage/changes?workspace_id=${workspace_id}&connector_id=${connector_id}`;
  const removed = async () => {
    const { items } = v.parse(Changes, await (await api(history)).json());
    return items.find(({ columns_removed }) => columns_removed > 0)?.at ?? null;
  };
  return vi.waitUntil(removed, { timeout: 120_000, interval: 500 });
}

describe.skipIf(findChromium() === null)('the history of a connector', () => {
  let removedAt = '';
  const sample = sampleBrowser({
    prepare: async (service) => {
      removedAt = await release(service);
    },
  });
  let page: Page;
  beforeEach(async () => {
    page = sample.page;
    await page.goto(sample.addressOf(`/lineage?connector=${sample.warehouse()}&relation=${charges}`));
    await page.locator('.history-bar').first().waitFor();
  });

  const history = () => page.getByRole('region', { name: 'History' });
  const gone = () => history().getByRole('link', { name: /dbt changed \d+ relations?, \d+ columns? went/ });

  it('has a bar where something changed, which says what in words and is red where columns went', async () => {
    const bar = gone().last();
    expect(await bar.getAttribute('data-gone')).toBe('true');
    const painted = (property: string) =>
      bar.evaluate((one, name) => {
        const view = one.ownerDocument.defaultView;
        const body = view?.getComputedStyle(one.ownerDocument.documentElement).getPropertyValue('--bad');
        const probe = one.ownerDocument.createElement('i');
        probe.style.backgroundColor = body ?? '';
        one.append(probe);
        const wanted = view?.getComputedStyle(probe).getPropertyValue(name);
        probe.remove();
        return [view?.getComputedStyle(one, '::before').getPropertyValue(name), wanted];
      }, property);
    const [color, bad] = await painted('background-color');
    expect(color).toBe(bad);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('compares before and after a change by one click', async () => {
    await gone().last().click();
    await page.waitForURL(/\/changes\?.*from=.*to=/);
    const { searchParams } = new URL(page.url());
    const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
    expect([from < removedAt, removedAt < to]).toEqual([true, true]);
    await page.locator('.change-list tbody tr').first().waitFor();
  });

  it('moves from change to change by the keyboard, and back to now by one button', async () => {
    const thumb = page.getByRole('slider', { name: 'As of' });
    expect(await thumb.getAttribute('aria-valuetext')).toBe('Now');
    await thumb.press('Home');
    await page.waitForURL(/as_of=/);
    await expect.poll(() => thumb.getAttribute('aria-valuetext')).not.toBe('Now');
    expect(await page.getByRole('button', { name: 'Now', exact: true }).count()).toBe(1);
    await thumb.press('End');
    await page.waitForURL((url) => !url.search.includes('as_of='));
  });

  it('offers the times that are often compared, here and on the page of changes', async () => {
    for (const name of ['yesterday', '7 days ago'])
      expect(await history().getByRole('link', { name }).getAttribute('href')).toMatch(/\/changes\?.*from=20/);
    await history().getByRole('link', { name: 'before the last release' }).click();
    await page.getByRole('table', { name: 'What goes' }).getByText('shop.staging.stg_payments.amount').waitFor();
    await page.locator('.difflist').getByRole('link', { name: '7 days ago' }).waitFor();
  });
});
