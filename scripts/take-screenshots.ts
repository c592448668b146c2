// Takes the pictures of the README from the sample, with the system's Chromium.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/support/browser.ts';
import { dropBranch } from '../test/support/sample-branch.ts';
import { startProcess } from '../test/support/service-process.ts';
import { texts } from '../web/src/texts.ts';

/** A picture of the README is loaded by everybody who looks at the repository. */
const maxBytes = 300_000;

const folder = path.resolve(import.meta.dirname, '../docs/images');
const service = await startProcess(['--in-memory', '--seed', 'sample']);
const browser = await openBrowser();
try {
  const { base_url: baseUrl, workspaces } = service.credentials;
  const shop = workspaces['shop'];
  const connector = shop?.connectors['warehouse']?.id ?? '';
  const lineage = `/lineage?connector=${connector}&relation=shop.raw_stripe.charges`;
  const edge = '&edge_from=shop.raw_stripe.charges&edge_to=shop.staging.stg_stripe__charges';
  await mkdir(folder, { recursive: true });
  const shots: readonly (readonly [name: string, address: string, act?: (page: Page) => Promise<void>])[] = [
    ['start', '/', search],
    ['columns', `${lineage}&column=amount_cents&direction=downstream`],
    ['evidence', `${lineage}&column=amount_cents&direction=downstream${edge}`, evidence],
    ['table', `${lineage}&column=amount_cents&direction=downstream&view=table`],
    ['changes', `/changes?connector=${connector}`, dropBranch],
  ];
  for (const [name, address, act] of shots)
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
      await page.goto(`${baseUrl}${address}#token=${shop?.tokens['admin']}`);
      await loaded(page);
      // Drawn some time after all that comes by the network.
      if (address !== '/')
        await page
          .locator(address.includes('view=table') ? 'tbody tr' : '.react-flow__node')
          .first()
          .waitFor();
      if (act) await act(page);
      const file = `explorer-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`;
      const { length } = await page.screenshot({ path: path.join(folder, file), animations: 'disabled' });
      if (length > maxBytes) throw new Error(`${file} has ${length} bytes, more than ${maxBytes}.`);
      await page.close();
    }
} finally {
  await browser.close();
  await service.end('SIGTERM');
}

async function evidence(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Evidence' }).getByRole('listitem').first().waitFor();
}

async function search(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('charges amount');
  await page.getByRole('option').first().waitFor();
  await loaded(page);
}

/** A part that waits for an answer says so, also while nothing comes by the network. */
async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.getByText(texts.loading).first().waitFor({ state: 'detached' });
}
