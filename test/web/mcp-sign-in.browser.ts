import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, seriousFindings, watchedPage } from '../support/browser.ts';
import { findChromium } from '../support/chromium.ts';
import { pythonPackage } from '../support/python.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const hasChromium = findChromium() !== null;
const script = path.resolve(import.meta.dirname, '..', 'fixtures', 'mcp-python', 'sign_in.py');

/** A program that waits on loopback for the browser, as clients do. */
async function startReceiver() {
  const server = createServer((_, response) => response.end('You can close this page.')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const redirectUri = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`;
  const returned = new Promise<URL>((resolve) =>
    server.on('request', ({ url = '' }) => url.startsWith('/callback') && resolve(new URL(url, redirectUri))),
  );
  return { redirectUri, returned, close: () => server.close() };
}

/** Of the official client, without anything that is known of this service. */
function providerOf(redirectUrl: string, open: (address: URL) => void): OAuthClientProvider {
  const kept: Record<string, unknown> = {};
  const keep = (name: string) => (value: unknown) => void Object.assign(kept, { [name]: value });
  return {
    redirectUrl,
    clientMetadata: { client_name: 'TypeScript <b>client</b>', redirect_uris: [redirectUrl] },
    state: () => 'a state',
    clientInformation: () => kept['client'] as never,
    saveClientInformation: keep('client'),
    tokens: () => kept['tokens'] as never,
    saveTokens: keep('tokens'),
    redirectToAuthorization: open,
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => String(kept['verifier']),
    discoveryState: () => kept['discovery'] as OAuthDiscoveryState,
    saveDiscoveryState: keep('discovery'),
  };
}

describe.skipIf(!hasChromium).each([
  ['as it is', []],
  // API Gateway renames the header that says where the metadata is.
  ['with the rules of AWS', ['--strict-aws']],
] as const)('a client of the Model Context Protocol, of the service %s', (_, options) => {
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    const starting = startProcess(['--in-memory', '--seed', 'sample', ...options]);
    [service, browser] = await Promise.all([starting, openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
  });

  /** Signs a person in at the issuer and allows what the page says. */
  async function allow(address: string, client: string, work: (page: Page) => Promise<void> = async () => undefined) {
    const { base_url, sign_in_url } = service.credentials;
    const { page, context, faults } = await watchedPage(browser, base_url, sign_in_url);
    page.setDefaultTimeout(20_000);
    await page.goto(address);
    await page.getByRole('button', { name: 'Sign in as admin of shop' }).click();
    const { host } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    // The markup of the name is text.
    await page.getByRole('heading', { name: `Give ${client} on ${host} a token?` }).waitFor();
    await page.getByText('Permissions: read.').waitFor();
    await page.getByText(`Allow gives the token to ${host}.`).waitFor();
    await work(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('You can close this page.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  }

  it.each(['127.0.0.1', 'localhost'])(
    'in TypeScript finds the way from 401 to a tool by itself, at %s (C-AGENT-13)',
    async (host) => {
      const url = new URL(`${service.credentials.base_url}/mcp`);
      url.hostname = host;
      const { redirectUri, returned, close } = await startReceiver();
      const opened: URL[] = [];
      const authProvider = providerOf(redirectUri, (address) => opened.push(address));
      const transport = new StreamableHTTPClientTransport(url, { authProvider });
      const client = new Client({ name: 'test', version: '1' });
      await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
      const [address] = opened;
      expect(address?.searchParams.get('resource')).toBe(url.href);
      await allow(address?.href ?? '', 'TypeScript <b>client</b>', async (page) =>
        expect(await seriousFindings(page)).toEqual([]),
      );
      const answer = (await returned).searchParams;
      expect([answer.get('state'), answer.get('iss')]).toEqual(['a state', url.origin]);
      await transport.finishAuth(answer);
      const second = new Client({ name: 'test', version: '1' });
      await second.connect(new StreamableHTTPClientTransport(url, { authProvider }));
      expect((await second.listTools()).tools.map(({ name }) => name)).toContain('get_impact');
      const context = await second.callTool({ name: 'get_context', arguments: {} });
      expect(JSON.stringify(context.structuredContent)).toContain('shop');
      await second.close();
      close();
    },
  );

  it('continues for a member as soon as an administrator approves it (C-AGENT-16)', async () => {
    const { base_url, sign_in_url, workspaces } = service.credentials;
    const { redirectUri, returned, close } = await startReceiver();
    const opened: URL[] = [];
    const authProvider = providerOf(redirectUri, (address) => opened.push(address));
    const url = new URL(`${base_url}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { authProvider });
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError);
    const { page, context, faults } = await watchedPage(browser, base_url, sign_in_url);
    page.setDefaultTimeout(20_000);
    await page.goto(opened[0]?.href ?? '');
    await page.getByRole('button', { name: 'Sign in as viewer of shop' }).click();
    await page.getByRole('button', { name: 'Ask an administrator' }).click();
    await page.getByRole('heading', { name: 'Waiting for an administrator' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const { id: workspace_id = '', tokens } = workspaces['shop'] ?? {};
    const ask = async (method: string, place: string) => {
      const headers = { authorization: `Bearer ${tokens?.['admin']}` };
      const answer = await fetch(`${base_url}/v1/access/${place}?workspace_id=${workspace_id}`, { method, headers });
      return (await answer.json()) as { items: { id: string; title: string; kind: string }[] };
    };
    const { items } = await ask('GET', 'attention');
    const waiting = items.find(({ title }) => title.startsWith('A member requests a token'));
    expect(waiting?.title).toBe(
      `A member requests a token for TypeScript <b>client</b> on ${new URL(redirectUri).host}`,
    );
    await ask('POST', `requests/${waiting?.id}/approve`);
    await transport.finishAuth((await returned).searchParams);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_impact');
    await client.close();
    expect(faults).toEqual([]);
    await context.close();
    close();
  });

  it('signs in from Python too (C-AGENT-13)', async ({ skip }) => {
    const found = await pythonPackage('mcp', '2.3.0');
    if ('missing' in found) return skip(found.missing);
    const { redirectUri, returned, close } = await startReceiver();
    const job = JSON.stringify({ url: `${service.credentials.base_url}/mcp`, redirect_uri: redirectUri });
    const child = spawn('python3', [script, job], { env: { ...process.env, PYTHONPATH: found.folder } });
    let failure = '';
    child.stderr.on('data', (bytes) => {
      failure += bytes;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: address } = await lines.next();
    await allow(address ?? failure, 'Python <b>client</b>');
    child.stdin.write(`${await returned}\n`);
    const { value: last } = await lines.next();
    close();
    expect(JSON.parse(last ?? failure)).toMatchObject({ tools: expect.arrayContaining(['get_impact']), scope: 'read' });
  });
});
