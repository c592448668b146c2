import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn as signInBy } from '../../cli/login/sign-in.ts';
import { oidcSessions } from '../../shared/adapters/oidc-sessions.ts';
import { commandLine } from '../support/command-line.ts';
import { startIssuer } from '../support/issuer.ts';

let keys: Awaited<ReturnType<typeof startIssuer>>;
let provider: Server;
let issuer: string;
/** What the last sign-in asked for: a code is good only for it. */
let requested = new URLSearchParams();

beforeAll(async () => {
  keys = await startIssuer();
  provider = createServer(async (request, response) => {
    const answer = request.url?.startsWith('/.well-known/') ? endpoints() : await grant(request);
    response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const address = provider.address();
  issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  provider.close();
  provider.closeAllConnections();
  await keys.stop();
});

const endpoints = () => ({
  issuer: keys.issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  id_token_signing_alg_values_supported: ['ES256'],
});

/** What the next ID token claims beside the nonce that was requested. */
let claims: Parameters<typeof keys.sign>[1] = {};

/** Grants as RFC 6749 and RFC 7636 say: for the code, the client, the redirect and the verifier of one sign-in. */
async function grant(request: IncomingMessage): Promise<object | null> {
  const form = new URLSearchParams(await text(request));
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const same = ['client_id', 'redirect_uri'].every((name) => form.get(name) === requested.get(name));
  const good = form.get('grant_type') === 'authorization_code' && form.get('code') === 'a-code';
  if (!same || !good || challenge !== requested.get('code_challenge')) return null;
  const id_token = await keys.sign('ada', { nonce: requested.get('nonce') ?? '', ...claims });
  return { access_token: 'opaque', token_type: 'Bearer', id_token };
}

/** Signs in with a browser that answers the issuer's page by `answer`; the query of the redirect. */
async function signIn(answer: (state: string) => Record<string, string>) {
  const browse = async (page: string) => {
    requested = new URL(page).searchParams;
    const back = new URL(requested.get('redirect_uri') ?? '');
    const forged = await fetch(`${back}?code=a-code&state=forged`);
    expect(forged.status).toBe(404);
    await fetch(`${back}?${new URLSearchParams(answer(requested.get('state') ?? ''))}`);
  };
  const token = await signInBy(
    { discoveryUrl: `${issuer}/.well-known/openid-configuration`, client: 'tributary', port: 0 },
    (page) => void browse(page),
  );
  return { token };
}

describe('tributary login', () => {
  it('answers a session token of anyone who signs in', async () => {
    const { token } = await signIn((state) => ({ code: 'a-code', state }));
    const verify = oidcSessions({ issuer: keys.issuer, audience: keys.audience, jwksUrl: keys.jwksUrl });
    expect(await verify(token, new Date())).toMatchObject({ userId: 'ada' });
    expect(requested.get('code_challenge_method')).toBe('S256');
  });

  it.each<[string, Parameters<typeof keys.sign>[1]]>([
    ['the nonce of another sign-in', { nonce: 'another' }],
    ['another audience', { audience: 'another' }],
    ['another issuer', { issuer: 'https://another.test' }],
    ['a time that is over', { expiresAt: new Date(0) }],
  ])('takes no ID token with %s', async (_, wrong) => {
    claims = wrong;
    try {
      await expect(signIn((state) => ({ code: 'a-code', state }))).rejects.toThrow(
        'The identity provider did not issue a',
      );
    } finally {
      claims = {};
    }
  });

  it('says so if the issuer refuses, at the page or at the exchange', async () => {
    await expect(signIn((state) => ({ error: 'access_denied', state }))).rejects.toThrow('rejected');
    await expect(signIn((state) => ({ code: 'another', state }))).rejects.toThrow(
      'The identity provider did not issue a',
    );
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['no service', [], 2, /No service is named/],
    ['an issuer alone', ['--issuer', 'http://127.0.0.1:1'], 2, /No service is named/],
    ['an issuer that is no address', ['--url', 'http://127.0.0.1:1', '--issuer', 'me', '--client', 'c'], 2, /--issuer/],
    ['a service that is not there', ['--url', 'http://127.0.0.1:1'], 5, /127\.0\.0\.1:1 cannot be reached/],
    [
      'an issuer that is not there',
      ['--url', 'http://a.test', '--issuer', 'http://127.0.0.1:1', '--client', 'c'],
      5,
      /127\.0\.0\.1:1 cannot be reached/,
    ],
    ['an unknown scope', ['--scope', 'everything'], 2, /read, write, admin/],
  ])('says what is wrong with %s', async (_, args, code, says) => {
    const { messages, ...run } = await commandLine(['login', ...args]);
    expect(run).toEqual({ code, output: '' });
    expect(messages).toMatch(says);
  });

  it('says that an address does not describe an identity provider', async () => {
    const args = ['login', '--url', 'http://a.test', '--issuer', keys.issuer, '--client', 'c'];
    expect(await commandLine(args)).toMatchObject({
      code: 2,
      messages: expect.stringContaining('does not describe an identity provider'),
    });
  });
});
