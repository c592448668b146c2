import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { parseArgs } from 'node:util';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { loopback } from '../shared/contract/stack-outputs.ts';
import { UsageError } from './admin/command.ts';
import { signInOf } from './connect.ts';

const usage = `tributary login --tenant NAME                       of a stack, with AWS credentials
tributary login --issuer URL --client ID            of any OIDC issuer that redirects this client to loopback
Opens no browser: it says which address to open, and prints the session token. [--port ${loopback.port}]`;

const options = {
  tenant: { type: 'string' },
  issuer: { type: 'string' },
  client: { type: 'string' },
  port: { type: 'string', default: String(loopback.port) },
  help: { type: 'boolean', short: 'h' },
} as const;

const url = v.pipe(v.string(), v.url());
const Discovered = v.object({ authorization_endpoint: url, token_endpoint: url });
const Granted = v.object({ id_token: v.string() });
const patienceMs = 300_000;

/**
 * Signs a person in by the authorization code flow with PKCE, and answers the session token. Throws UsageError.
 * @param tell is told which address to open, and then who has signed in
 */
export async function login(args: readonly string[], tell: (line: string) => void): Promise<string> {
  const { values } = parsed(args);
  const { tenant, issuer, client, port, help } = values;
  if (help) return usage;
  if ((tenant === undefined) === (issuer === undefined || client === undefined)) throw new UsageError(usage);
  const signIn = tenant === undefined ? { issuer: issuer ?? '', client: client ?? '' } : await signInOf(tenant);
  const server = createServer().listen(Number(port), loopback.host);
  await once(server, 'listening');
  try {
    const token = await signedIn(signIn, server, tell);
    tell(`Signed in as ${decodeJwt(token).sub}.`);
    return token;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type SignIn = { readonly issuer: string; readonly client: string };

async function signedIn({ issuer, client }: SignIn, server: Server, tell: (line: string) => void): Promise<string> {
  const discovered = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const endpoints = v.parse(Discovered, await discovered.json());
  const [verifier, state] = [secret(), secret()];
  const common = { client_id: client, redirect_uri: redirectOf(server) };
  const asked = new URLSearchParams({
    ...common,
    response_type: 'code',
    scope: 'openid email',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const code = codeFrom(server, state);
  tell(`Open ${endpoints.authorization_endpoint}?${asked}`);
  const granted = await fetch(endpoints.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      ...common,
      grant_type: 'authorization_code',
      code: await code,
      code_verifier: verifier,
    }),
  });
  if (!granted.ok) throw new UsageError('The issuer does not grant a token for this sign-in.');
  return v.parse(Granted, await granted.json()).id_token;
}

const secret = (): string => randomBytes(32).toString('base64url');

function redirectOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : loopback.port;
  return `http://localhost:${port}${loopback.path}`;
}

/** The code that the browser brings back; a page that does not know the state brings none. */
const codeFrom = (server: Server, state: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new UsageError('Nobody has signed in for five minutes.'));
    setTimeout(late, patienceMs).unref();
    server.on('request', ({ url: target = '/' }, response) => {
      const { pathname, searchParams } = new URL(target, 'http://localhost');
      if (pathname !== loopback.path || searchParams.get('state') !== state) return void response.writeHead(404).end();
      const code = searchParams.get('code');
      response.end(code === null ? 'The sign-in was refused.' : 'Signed in: this page may be closed.');
      if (code === null) reject(new UsageError('The issuer refused the sign-in.'));
      else resolve(code);
    });
  });

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the options cannot be read');
  }
}
