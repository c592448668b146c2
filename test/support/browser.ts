import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import * as v from 'valibot';
import { findChromium } from './chromium.ts';

/** Opens the system's Chromium, which `findChromium` has found. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findChromium() ?? '';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page, and what happened on it that must not. */
export type Watched = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Origins other than the page's own that were asked. */
  readonly strangers: ReadonlySet<string>;
  /** What the page's policy blocked, and errors that nobody caught. */
  readonly faults: readonly string[];
};

/** A page of a new browser, without state from another. With an address to sign in, it has shown the issuer's key. */
export async function watchedPage(browser: Browser, baseUrl: string, signInUrl?: string): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  if (signInUrl) await context.request.get(signInUrl, { maxRedirects: 0 });
  const page = await context.newPage();
  const strangers = new Set<string>();
  const faults: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(baseUrl).origin) strangers.add(origin);
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  return { page, context, strangers, faults };
}

const Violations = v.array(
  v.object({ id: v.string(), impact: v.nullish(v.string()), nodes: v.array(v.object({ html: v.string() })) }),
);

/** What axe finds on a page, each with its first place. */
export async function axeFindings(page: Page, impacts: RegExp = /./): Promise<string[]> {
  // Through the debugging protocol: the page's own policy would refuse a script element.
  await page.evaluate(axe.source);
  const found = v.parse(Violations, await page.evaluate('axe.run().then(({ violations }) => violations)'));
  return found
    .filter(({ impact }) => impacts.test(impact ?? 'minor'))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

/** What axe finds serious or worse on a page. */
export const seriousFindings = (page: Page): Promise<string[]> => axeFindings(page, /serious|critical/);

/** The text of a limit up to its first time, which the page shows as a distance from now. */
export const untilTime = (text: string): string => text.split(/\d{4}-\d\d-/)[0] ?? text;
