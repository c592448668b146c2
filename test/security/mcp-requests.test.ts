import { beforeAll, describe, expect, it } from 'vitest';
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

  it('has a progress token that is no content (C-AGENT-5)', async () => {
    const message = (length: number) => ({ ...ping, params: { _meta: { progressToken: 'p'.repeat(length) } } });
    expect((await sent({}, message(257))).status).toBe(422);
    expect((await sent({}, message(256))).status).toBe(200);
  });
});
