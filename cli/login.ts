import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as v from 'valibot';
import { loopback } from '../shared/contract/stack-outputs.ts';
import { UsageError } from './command-error.ts';

const url = v.pipe(v.string(), v.url());
const Discovered = v.object({ authorization_endpoint: url, token_endpoint: url });
const Granted = v.object({ id_token: v.string() });
const patienceMs = 300_000;

type SignIn = { readonly issuer: string; readonly client: string; readonly port: number };

/**
 * Signs a person in by the authorization code flow with PKCE, and answers the session token. Throws UsageError.
 * @param tell is told which address to open
 */
export async function signIn(asked: SignIn, tell: (line: string) => void): Promise<string> {
  const server = createServer().listen(asked.port, loopback.host);
  try {
    await once(server, 'listening');
  } catch {
    throw new UsageError(`Port ${asked.port} of this machine is taken.`, [
      'Another one: --port N, where the issuer allows it.',
    ]);
  }
  try {
    return await signedIn(asked, server, tell);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

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
