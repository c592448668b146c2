import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { apiOf } from '../../shared/client/api.ts';

/** A server that redirects every request to an address, or notes it. */
async function startServer(target?: string) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(target === undefined ? 200 : 307, target === undefined ? {} : { location: target }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

describe('tokens and redirects', () => {
  it('sends no token and no body where the service redirects to', async () => {
    const thief = await startServer();
    const service = await startServer(`${thief.url}/v1/auth/tokens`);
    const route = { method: 'POST', path: '/v1/auth/tokens', access: { kind: 'none' } } as never;
    const failure = apiOf(service.url, 'dpt_secret').ask(route, { body: { code: 'secret' } });
    await expect(failure).rejects.toThrow(`redirects to ${thief.url}, which gets no token`);
    expect([service.seen, thief.seen]).toEqual([['Bearer dpt_secret'], []]);
    for (const { stop } of [service, thief]) stop();
  });

  it('follows no redirect in any request that has headers of ours', () => {
    const files = globSync('{bin,lib,functions,shared,cli,scripts}/**/*.ts');
    const calls = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      // The guarded one never follows.
      if (text.includes('GuardedFetch')) return [];
      const places = [...text.matchAll(/(?<![\w.])fetch\(/g)].map(({ index }) => index);
      return places.map((at) => ({ file, call: text.slice(Math.max(0, at - 500), at + 400) }));
    });
    const following = calls.filter(({ call }) => /\bheaders\b/.test(call) && !call.includes("redirect: 'manual'"));
    expect(calls.length).toBeGreaterThan(6);
    expect(following.map(({ file }) => file)).toEqual([]);
  });
});
