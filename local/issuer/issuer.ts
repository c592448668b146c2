import { createHmac, hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { signedInPage } from '../../shared/contract/pages.ts';
import { loopback } from '../../shared/contract/stack-outputs.ts';
import { closeServer, listenOnLoopback } from '../listen.ts';
import { endedSession, isLoopback, isOfThisMachine, isSecret, sessionCookie, sessionUser } from './guard.ts';
import { issuerName, issuerPaths, issuerUrls, type OfferedUser, type Person } from './name.ts';
import { chooserPage, refusalPage } from './pages.ts';

export type DevelopmentIssuer = {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly discoveryUrl: string;
  readonly isForDevelopment: true;
  /** Opens a page with a session at this issuer. A caller who knows it can sign in as any user, so only the credentials file has it. */
  readonly signInUrl: (page: string) => string;
  readonly tokenFor: (user: string, email?: string) => Promise<string>;
  readonly offer: (users: readonly OfferedUser[]) => void;
  readonly stop: () => Promise<void>;
};

const algorithm = 'ES256';

export async function startIssuer(folder: string | null, port = 0, host?: string): Promise<DevelopmentIssuer> {
  const { privateJwk, publicJwk } = await keysOf(folder);
  const key = await importJWK(privateJwk, algorithm);
  // The same at every start with a folder: a browser keeps its session.
  const secret = createHmac('sha256', privateJwk.d ?? '')
    .update('sign-in key')
    .digest('base64url');
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
  const state: State = {
    baseUrl,
    secret,
    jwks: { keys: [publicJwk] },
    sign: (user, nonce) => sign(user, '1 hour', nonce),
    users: [],
    codes: new Map(),
    refreshing: new Map(),
  };
  server.on('request', (request, response) => {
    answer(state, request, response).catch(() => response.writeHead(500).end());
  });
  return {
    baseUrl,
    ...issuerName,
    ...issuerUrls(baseUrl),
    isForDevelopment: true,
    signInUrl: (page) => `${baseUrl}/?${new URLSearchParams({ key: secret, to: page })}`,
    tokenFor: (user, email) => sign({ user, email }, '365 days'),
    offer: (users) => {
      state.users = users;
    },
    stop: () => stop(server),
  };
}

async function stop(server: Server): Promise<void> {
  await closeServer(server);
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

type Grant = { readonly user: Person; readonly nonce: string | undefined };
type Code = Grant & { readonly challenge: string; readonly redirect: string; readonly expires: number };
/** The authorization code flow with PKCE (RFC 6749, RFC 7636) for users who are offered, by the key of this machine's user. */
type State = {
  readonly baseUrl: string;
  readonly secret: string;
  readonly jwks: object;
  readonly sign: (user: Person, nonce?: string) => Promise<string>;
  users: readonly OfferedUser[];
  readonly codes: Map<string, Code>;
  readonly refreshing: Map<string, Grant>;
};

const codeLastsMs = 60_000;

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '/', state.baseUrl);
  if (url === null) return void response.writeHead(404).end();
  if (!isOfThisMachine(request.headers))
    return html(response, 403, refusalPage('Only pages of this machine may ask here, by its address 127.0.0.1.'));
  // The explorer of this machine asks from another port.
  if (request.headers.origin) response.setHeader('access-control-allow-origin', request.headers.origin);
  response.setHeader('vary', 'origin');
  if (url.pathname === issuerPaths.discovery) return json(response, 200, discovery(state.baseUrl));
  if (url.pathname === issuerPaths.jwks) return json(response, 200, state.jwks);
  if (url.pathname === '/') return enter(state, response, url.searchParams);
  if (url.pathname === '/authorize') return authorize(state, request, response, url.searchParams);
  if (url.pathname === '/token') return token(state, request, response);
  if (url.pathname === '/revoke') return revoke(state, request, response);
  if (url.pathname === '/logout') return logOut(state, request, response, url.searchParams);
  response.writeHead(404).end();
}

const discovery = (baseUrl: string): object => ({
  issuer: issuerName.issuer,
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

function enter({ secret }: State, response: ServerResponse, params: URLSearchParams): void {
  const to = params.get('to') ?? '';
  const headers = { location: to, 'set-cookie': sessionCookie('', secret), 'referrer-policy': 'no-referrer' };
  if (isSecret(params.get('key') ?? '', secret) && isLoopback(to)) response.writeHead(303, headers).end();
  else html(response, 403, refusalPage('This is not the address of the credentials file.'));
}

async function authorize(state: State, request: IncomingMessage, response: ServerResponse, params: URLSearchParams) {
  const redirect = params.get('redirect_uri') ?? '';
  if (params.get('client_id') !== issuerName.audience || !isClientPage(redirect))
    return html(response, 400, refusalPage('This client or its address is not known here.'));
  if (params.get('response_type') !== 'code' || params.get('code_challenge_method') !== 'S256')
    return html(response, 400, refusalPage('Only the code flow with S256 is offered here.'));
  const silent = params.get('prompt') === 'none';
  const { secret } = state;
  const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
  const last = sessionUser(request.headers, secret);
  const isKnown = last !== null || isSecret(form.get('key') ?? '', secret);
  const user = isKnown ? state.users.find((one) => one.user === (silent ? last : form.get('user'))) : undefined;
  const back = new URL(redirect);
  if (params.has('state')) back.searchParams.set('state', params.get('state') ?? '');
  if (user === undefined && !silent)
    return html(response, 200, chooserPage(state.users, isKnown, form.has('key') && !isKnown));
  if (user === undefined) back.searchParams.set('error', 'login_required');
  else back.searchParams.set('code', newCode(state, user, redirect, params));
  const remembered = user && { 'set-cookie': sessionCookie(user.user, secret) };
  response.writeHead(303, { location: back.href, ...remembered }).end();
}

/** The explorer or the command line on this machine: nobody else is given a code. */
const isClientPage = (redirect: string): boolean =>
  isLoopback(redirect) && [signedInPage, loopback.path].includes(URL.parse(redirect)?.pathname ?? '');

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
  const idToken = await state.sign(grant.user, grant.nonce);
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
  const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url');
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

/** The browser stays one that has shown the key. */
function logOut({ secret }: State, request: IncomingMessage, response: ServerResponse, params: URLSearchParams): void {
  const back = URL.parse(params.get('post_logout_redirect_uri') ?? params.get('logout_uri') ?? '');
  const known = back !== null && isLoopback(back.href) ? back.href : null;
  const isSession = sessionUser(request.headers, secret) !== null;
  const headers = { 'set-cookie': isSession ? sessionCookie('', secret) : endedSession };
  if (known) response.writeHead(303, { ...headers, location: known }).end();
  else response.writeHead(200, headers).end('Signed out.');
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function html(response: ServerResponse, status: number, body: string): void {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  response.end(body);
}
