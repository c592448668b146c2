import { beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { codeOf, deployedFunctions, type Send } from '../support/deployed-functions.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let send: Send;
let token: string;
beforeAll(async () => {
  send = await deployedFunctions();
  await world.workspace('mcp');
  token = await world.issuer.sign('mcp-viewer');
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const sent = (headers: Record<string, string>, body: object = ping) =>
  send({ route: routes.postMcp, token, headers, body });

describe('a message of the Model Context Protocol', () => {
  it('is refused from a web page of another origin (C-AGENT-5)', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const refused = await sent({ Origin: origin });
      expect([refused.status, codeOf(refused)]).toEqual([403, 'origin_not_allowed']);
    }
    expect((await sent({})).status).toBe(200);
  });

  it('is answered with what the API answers to the token of its caller', async () => {
    const { id: workspace } = await world.workspace('agents');
    const real = globalThis.fetch;
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, request) => {
      const { pathname, searchParams } = new URL(String(address));
      const route = Object.values(routes).find((one) => one.method === 'GET' && one.path === pathname);
      if (route === undefined) return real(address, request);
      const bearer = new Headers(request?.headers).get('authorization')?.slice('Bearer '.length) ?? null;
      const query = Object.fromEntries(searchParams);
      const { status, text } = await send({ route, token: bearer, query });
      return new Response(text, { status });
    });
    const params = { name: 'list_feeds', arguments: { workspace } };
    const resultFor = async (user: string) => {
      const body = { ...ping, method: 'tools/call', params };
      const { text } = await send({ route: routes.postMcp, token: await world.issuer.sign(user), body });
      return JSON.parse(text).result;
    };
    const [member, stranger] = [await resultFor('agents-viewer'), await resultFor('mcp-viewer')];
    fetched.mockRestore();
    expect(member).toMatchObject({ structuredContent: { feeds: [] } });
    expect(member.isError ?? false).toBe(false);
    expect(stranger).toMatchObject({ isError: true });
    expect(JSON.stringify(stranger)).not.toContain('feeds');
  });

  it('has a progress token that is no content (C-AGENT-5)', async () => {
    const message = (length: number) => ({ ...ping, params: { _meta: { progressToken: 'p'.repeat(length) } } });
    expect((await sent({}, message(257))).status).toBe(422);
    expect((await sent({}, message(256))).status).toBe(200);
  });
});
