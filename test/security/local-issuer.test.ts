import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevelopmentIssuer, startIssuer } from '../../local/issuer/issuer.ts';
import { loopback } from '../../shared/contract/stack-outputs.ts';

let issuer: DevelopmentIssuer;
let key: string;
beforeAll(async () => {
  issuer = await startIssuer(null);
  issuer.offer([{ user: 'admin', label: 'admin of shop' }]);
  key = new URL(issuer.signInUrl('http://127.0.0.1:4600/')).searchParams.get('key') ?? '';
});
afterAll(() => issuer.stop());

type Sent = { readonly form?: Record<string, string>; readonly headers?: Record<string, string> };

async function ask(path: string, { form, headers }: Sent = {}) {
  const url = new URL(path, issuer.baseUrl);
  const sent = request(url, { method: form ? 'POST' : 'GET', headers: { ...headers } });
  sent.end(form ? String(new URLSearchParams(form)) : undefined);
  const answer = await new Promise<IncomingMessage>((resolve) => void sent.once('response', resolve));
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

const authorize = (more: Record<string, string> = {}) =>
  `/authorize?${new URLSearchParams({
    client_id: issuer.audience,
    redirect_uri: `http://127.0.0.1:9${loopback.path}`,
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: 'x',
    ...more,
  })}`;
const cookieOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

describe('the issuer of a machine that several people use', () => {
  it('gives nobody a code without the key of the credentials file', async () => {
    for (const form of [{ user: 'admin' }, { user: 'admin', key: '' }, { user: 'admin', key: `${key}x` }]) {
      const refused = await ask(authorize(), { form });
      expect([refused.status, refused.headers['location'], refused.headers['set-cookie']]).toEqual([
        200,
        undefined,
        undefined,
      ]);
      expect(refused.body).toContain('name="key"');
    }
    const forged = [
      'tributary-development-user=admin',
      'tributary-development-session=admin',
      'tributary-development-session=admin.AAAA',
      'tributary-development-session=%E0%A4%A.x',
    ];
    for (const cookie of forged) {
      const silent = await ask(authorize({ prompt: 'none' }), { headers: { cookie } });
      expect(silent.headers['location']).toContain('error=login_required');
    }
    expect((await ask(`/?key=${key}x&to=http://127.0.0.1/`)).status).toBe(403);
    expect((await ask(`/?key=${key}&to=http://evil.example/`)).status).toBe(403);
  });

  it('signs in by the key, and then by the session of the browser until it signs out', async () => {
    const given = await ask(authorize(), { form: { user: 'admin', key } });
    expect([given.status, given.headers['location']]).toEqual([303, expect.stringContaining('code=')]);
    const silent = await ask(authorize({ prompt: 'none' }), { headers: { cookie: cookieOf(given) } });
    expect(silent.headers['location']).toContain('code=');
    const out = await ask('/logout', { headers: { cookie: cookieOf(given) } });
    const after = await ask(authorize({ prompt: 'none' }), { headers: { cookie: cookieOf(out) } });
    expect(after.headers['location']).toContain('error=login_required');
    expect(cookieOf(out)).not.toContain(key);
  });

  it('opens the explorer with a session by the address of the credentials file', async () => {
    const entered = await ask(issuer.signInUrl('http://127.0.0.1:4600/'));
    expect([entered.status, entered.headers['location']]).toEqual([303, 'http://127.0.0.1:4600/']);
    const page = await ask(authorize(), { headers: { cookie: cookieOf(entered) } });
    expect(page.body).not.toContain('name="key"');
    const chosen = await ask(authorize(), { form: { user: 'admin' }, headers: { cookie: cookieOf(entered) } });
    expect(chosen.headers['location']).toContain('code=');
  });

  it('refuses pages of other sites, by their origin or by a name of theirs for this machine', async () => {
    const foreign = [
      { host: 'rebound.example' },
      { host: `rebound.example:${new URL(issuer.baseUrl).port}` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) expect((await ask('/jwks.json', { headers })).status).toBe(403);
    const own = await ask('/jwks.json', { headers: { origin: 'http://127.0.0.1:4600' } });
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, 'http://127.0.0.1:4600']);
  });
});
