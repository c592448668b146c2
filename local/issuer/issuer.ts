import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { signedInPage } from '../../shared/contract/pages.ts';
import { loopback } from '../../shared/contract/stack-outputs.ts';
import { listenOnLoopback } from '../listen.ts';
import { issuerName, issuerPaths, issuerUrls, type OfferedUser, type Person } from './name.ts';

export type DevelopmentIssuer = {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly discoveryUrl: string;
  readonly isForDevelopment: true;
  readonly tokenFor: (user: string, email?: string) => Promise<string>;
  readonly offer: (users: readonly OfferedUser[]) => void;
  readonly stop: () => Promise<void>;
};

const algorithm = 'ES256';

export async function startIssuer(folder: string | null, port = 0, host?: string): Promise<DevelopmentIssuer> {
  const { privateJwk, publicJwk } = await keysOf(folder);
  const key = await importJWK(privateJwk, algorithm);
  const sign = ({ user, email }: Person, expiry: string, nonce?: string): Promise<string> => {
    const token = new SignJWT({ ...(email && { email }), ...(nonce && { nonce }) })
      .setProtectedHeader({ alg: algorithm, kid: publicJwk.kid ?? '' })
      .setSubject(user)
      .setIssuer(issuerName.issuer)
      .setAudience(issuerName.audience)
      .setExpirationTime(expiry);
    // A token of the credentials file does not say when it was issued: it stays valid if the clock is set back.
    return (nonce ? token.setIssuedAt() : token).sign(key);
  };
  const server = createServer();
  const baseUrl = await listenOnLoopback(server, port, host);
  const signIn = signInPages({
    ...issuerName,
    baseUrl,
    jwks: { keys: [publicJwk] },
    sign: (user, nonce) => sign(user, '1 hour', nonce),
  });
  server.on('request', signIn.listener);
  return {
    baseUrl,
    ...issuerName,
    ...issuerUrls(baseUrl),
    isForDevelopment: true,
    tokenFor: (user, email) => sign({ user, email }, '365 days'),
    offer: signIn.offer,
    stop: () => stop(server),
  };
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close').catch(() => undefined);
}

async function keysOf(folder: string | null): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  const file = folder && path.join(folder, 'issuer.json');
  const retained = file && (await readFile(file, 'utf8').catch(() => null));
  const privateJwk: JWK = retained ? JSON.parse(retained) : await newKey();
  if (file && !retained) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(privateJwk), { mode: 0o600 });
  }
  const { d: _, ...publicJwk } = privateJwk;
  return { privateJwk, publicJwk };
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() };
}

type SignInOptions = {
  readonly issuer: string;
  readonly audience: string;
  readonly baseUrl: string;
  readonly jwks: object;
  readonly sign: (user: Person, nonce?: string) => Promise<string>;
};

type Grant = { readonly user: Person; readonly nonce: string | undefined };
type Code = Grant & { readonly challenge: string; readonly redirect: string; readonly expires: number };
type State = {
  readonly options: SignInOptions;
  users: readonly OfferedUser[];
  readonly codes: Map<string, Code>;
  readonly refreshing: Map<string, Grant>;
};

const codeLastsMs = 60_000;
const cookie = 'tributary-development-user';

/** The authorization code flow with PKCE (RFC 6749, RFC 7636) for users who are offered, without any password. */
function signInPages(options: SignInOptions): {
  readonly listener: RequestListener;
  readonly offer: (users: readonly OfferedUser[]) => void;
} {
  const state: State = { options, users: [], codes: new Map(), refreshing: new Map() };
  return {
    offer: (users) => {
      state.users = users;
    },
    listener: (request, response) => {
      answer(state, request, response).catch(() => response.writeHead(500).end());
    },
  };
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.options.baseUrl);
  if (url.pathname === issuerPaths.discovery) return json(response, 200, discovery(state.options));
  if (url.pathname === issuerPaths.jwks) return json(response, 200, state.options.jwks);
  if (url.pathname === '/authorize') return authorize(state, request, response, url.searchParams);
  if (url.pathname === '/token') return token(state, request, response);
  if (url.pathname === '/revoke') return revoke(state, request, response);
  if (url.pathname === '/logout') return logOut(response, url.searchParams);
  response.writeHead(404).end();
}

const discovery = ({ issuer, baseUrl }: SignInOptions): object => ({
  issuer,
  authorization_endpoint: `${baseUrl}/authorize`,
  token_endpoint: `${baseUrl}/token`,
  revocation_endpoint: `${baseUrl}/revoke`,
  end_session_endpoint: `${baseUrl}/logout`,
  jwks_uri: issuerUrls(baseUrl).jwksUrl,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
});

async function authorize(state: State, request: IncomingMessage, response: ServerResponse, params: URLSearchParams) {
  const redirect = params.get('redirect_uri') ?? '';
  if (params.get('client_id') !== state.options.audience || !isOfThisMachine(redirect))
    return html(response, 400, refusalPage('This client or its address is not known here.'));
  if (params.get('response_type') !== 'code' || params.get('code_challenge_method') !== 'S256')
    return html(response, 400, refusalPage('Only the code flow with S256 is offered here.'));
  const silent = params.get('prompt') === 'none';
  const chosen = request.method === 'POST' ? new URLSearchParams(await text(request)).get('user') : null;
  const user = state.users.find((one) => one.user === (silent ? userOf(request) : chosen));
  const back = new URL(redirect);
  if (params.has('state')) back.searchParams.set('state', params.get('state') ?? '');
  if (user === undefined && !silent) return html(response, 200, chooserPage(state.users));
  if (user === undefined) back.searchParams.set('error', 'login_required');
  else back.searchParams.set('code', newCode(state, user, redirect, params));
  const remembered = user && `${cookie}=${encodeURIComponent(user.user)}; HttpOnly; SameSite=Lax; Path=/`;
  response.writeHead(303, { location: back.href, ...(remembered && { 'set-cookie': remembered }) }).end();
}

/** The explorer or the command line on this machine: nobody else is given a code. */
function isOfThisMachine(redirect: string): boolean {
  const url = URL.parse(redirect);
  if (url === null || !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return false;
  return url.pathname === signedInPage || url.pathname === loopback.path;
}

const userOf = ({ headers }: IncomingMessage): string | null =>
  decodeURIComponent(cookieIn(headers.cookie ?? '') ?? '') || null;

const cookieIn = (header: string): string | undefined =>
  header
    .split(';')
    .map((one) => one.trim().split('='))
    .find(([name]) => name === cookie)?.[1];

function newCode({ codes }: State, user: Person, redirect: string, params: URLSearchParams): string {
  const code = randomUUID();
  const challenge = params.get('code_challenge') ?? '';
  const nonce = params.get('nonce') ?? undefined;
  codes.set(code, { user, nonce, challenge, redirect, expires: Date.now() + codeLastsMs });
  return code;
}

async function token(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const grant = form.get('grant_type') === 'refresh_token' ? refreshed(state, form) : exchanged(state, form);
  if (grant === null) return json(response, 400, { error: 'invalid_grant' });
  const idToken = await state.options.sign(grant.user, grant.nonce);
  const refresh = randomUUID();
  state.refreshing.set(refresh, { user: grant.user, nonce: undefined });
  json(response, 200, {
    access_token: idToken,
    id_token: idToken,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: 3_600,
  });
}

/** A code is spent by its first use, right or wrong. */
function exchanged({ codes }: State, form: URLSearchParams): Grant | null {
  const code = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const good = code && code.redirect === form.get('redirect_uri') && code.expires > Date.now();
  return good && code.challenge === challenge ? code : null;
}

function refreshed({ refreshing }: State, form: URLSearchParams): Grant | null {
  const grant = refreshing.get(form.get('refresh_token') ?? '');
  refreshing.delete(form.get('refresh_token') ?? '');
  return grant ?? null;
}

async function revoke({ refreshing }: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  refreshing.delete(new URLSearchParams(await text(request)).get('token') ?? '');
  json(response, 200, {});
}

function logOut(response: ServerResponse, params: URLSearchParams): void {
  const back = URL.parse(params.get('post_logout_redirect_uri') ?? params.get('logout_uri') ?? '');
  const known = back !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(back.hostname) ? back.href : null;
  const headers = { 'set-cookie': `${cookie}=; Max-Age=0; Path=/` };
  if (known) response.writeHead(303, { ...headers, location: known }).end();
  else response.writeHead(200, headers).end('Signed out.');
}

function json(response: ServerResponse, status: number, body: object): void {
  // The explorer of this machine asks from another port.
  response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  response.end(JSON.stringify(body));
}

function html(response: ServerResponse, status: number, body: string): void {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  response.end(body);
}

const chooserPage = (users: readonly OfferedUser[]): string =>
  page(`
    <h1>Sign in to Tributary</h1>
    <p>This is the development issuer of this machine. Choose whom to be; there are no passwords.</p>
    ${users.length === 0 ? '<p>Nobody is seeded: start with <code>--seed sample</code>.</p>' : ''}
    <form method="post">
      ${users.map(({ user, label }) => `<button name="user" value="${safe(user)}">Sign in as ${safe(label)}</button>`).join('\n      ')}
    </form>`);

const refusalPage = (reason: string): string => page(`<h1>Sign-in refused</h1><p>${safe(reason)}</p>`);

const safe = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

const page = (main: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in to Tributary</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0;
    background: light-dark(#f5f6f8, #14171c); color: light-dark(#1c2330, #e6e9ee); }
  main { box-sizing: border-box; width: min(25rem, calc(100vw - 2rem)); padding: 1.5rem; border-radius: .75rem;
    background: light-dark(#fff, #1c2027); border: 1px solid light-dark(#dde1e8, #313742); }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
  form { display: grid; gap: .5rem; }
  button { font: inherit; padding: .55rem .8rem; border-radius: .5rem; cursor: pointer; text-align: left;
    border: 1px solid light-dark(#c4cad6, #434b59); background: light-dark(#fff, #242932); color: inherit; }
  button:hover { border-color: light-dark(#2454c8, #82a6ff); }
</style>
<main>${main}
</main>
`;
