import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openBrowser, type Watched, watchedPage } from './browser.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';

/** The workspace of the sample. */
export function shopOfSample({ credentials }: ServiceProcess) {
  const { shop } = credentials.workspaces;
  if (!shop) throw new Error('the sample has no shop');
  return shop;
}

/** What the tests of a file share; the fields are there once the first test begins, the page anew for each. */
export type SampleBrowser = {
  service: ServiceProcess;
  browser: Browser;
  watched: Watched;
  page: Page;
  readonly shop: () => ReturnType<typeof shopOfSample>;
  readonly warehouse: () => string;
  /** The address of a page, for a user with a role. */
  readonly addressOf: (page: string, role?: string) => string;
};

type Options = {
  /** Prepares the service before the first test. */
  readonly prepare?: (service: ServiceProcess) => Promise<void>;
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether a test signs in, so that its page may ask the issuer. */
  readonly signsIn?: boolean;
};

/** Runs the sample's service and a browser for the tests of a suite, and fails a test whose page broke its policy or asked others. */
export function sampleBrowser({
  prepare,
  size = { width: 1_440, height: 900 },
  signsIn = false,
}: Options = {}): SampleBrowser {
  const shop = () => shopOfSample(state.service);
  const state = {
    shop,
    warehouse: () => shop().connectors['warehouse']?.id ?? '',
    addressOf: (page: string, role = 'admin') =>
      `${state.service.credentials.base_url}${page}#token=${shop().tokens[role]}`,
  } as SampleBrowser;
  beforeAll(async () => {
    [state.service, state.browser] = await Promise.all([
      startProcess(['--in-memory', '--seed', 'sample']),
      openBrowser(),
    ]);
    await prepare?.(state.service);
  }, 300_000);
  afterAll(async () => {
    await state.browser?.close();
    await state.service?.end('SIGTERM');
  });
  beforeEach(async () => {
    const { credentials } = state.service;
    state.watched = await watchedPage(state.browser, credentials.base_url, credentials.sign_in_url);
    state.page = state.watched.page;
    state.page.setDefaultTimeout(20_000);
    await state.page.setViewportSize(size);
  });
  afterEach(async () => {
    const { faults, strangers } = state.watched;
    expect([faults, signsIn ? [] : [...strangers]]).toEqual([[], []]);
    await state.watched.context.close();
  });
  return state;
}
