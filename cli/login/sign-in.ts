import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as v from 'valibot';
import { Unreachable } from '../../shared/client/api-failure.ts';
import { loopback } from '../../shared/contract/stack-outputs.ts';
import { CommandError, exitCodes, UsageError } from '../command-error.ts';

const url = v.pipe(v.string(), v.url());
const Discovered = v.object({ authorization_endpoint: url, token_endpoint: url });
const Granted = v.object({ id_token: v.string() });
const patienceMs = 300_000;

export type SignIn = { readonly discoveryUrl: string; readonly client: string; readonly port: number };

/**
 * Signs a person in by the authorization code flow with PKCE, and answers the session token. Throws CommandError.
 * @param show is given the address that the person has to open
 */
export async function signIn(asked: SignIn, show: (address: string) => void): Promise<string> {
  const endpoints = await discovered(asked.discoveryUrl);
  const server = createServer().listen(asked.port, loopback.host);
  try {
    await once(server, 'listening');
  } catch {
    throw new UsageError(`Port ${asked.port} of this machine is taken.`, [
      'Another one: --port N, where the issuer allows it.',
    ]);
  }
  try {
    return await signedIn(asked.client, endpoints, server, show);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type Endpoints = v.InferOutput<typeof Discovered>;

async function discovered(discoveryUrl: string): Promise<Endpoints> {
  const response = await fetched(discoveryUrl, {});
  const found = v.safeParse(Discovered, await response.json().catch(() => null));
  if (found.success) return found.output;
  throw new UsageError(`${discoveryUrl} describes no issuer.`, ['An issuer is named by its own address: --issuer URL']);
}

async function fetched(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw new Unreachable(new URL(address).origin, error);
  }
}

async function signedIn(
  client: string,
  endpoints: Endpoints,
  server: Server,
  show: (address: string) => void,
): Promise<string> {
  const [verifier, state] = [secret(), secret()];
  const common = { client_id: client, redirect_uri: redirectOf(server) };
  const asked = new URL(endpoints.authorization_endpoint);
  const parameters = {
    ...common,
    response_type: 'code',
    scope: 'openid email',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value);
  const coming = codeFrom(server, state);
  show(asked.href);
  const code = await coming;
  const body = { ...common, grant_type: 'authorization_code', code, code_verifier: verifier };
  const granted = await fetched(endpoints.token_endpoint, { method: 'POST', body: new URLSearchParams(body) });
  if (!granted.ok) throw refused('The issuer does not grant a token for this sign-in.');
  return v.parse(Granted, await granted.json()).id_token;
}

const secret = (): string => randomBytes(32).toString('base64url');

const refused = (message: string): CommandError =>
  new CommandError(exitCodes.notAllowed, message, ['Try again: tributary login']);

function redirectOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : loopback.port;
  return `http://localhost:${port}${loopback.path}`;
}

/** The code that the browser brings back; a page that does not know the state brings none. */
const codeFrom = (server: Server, state: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const late = () => reject(refused('Nobody has signed in for five minutes.'));
    setTimeout(late, patienceMs).unref();
    server.on('request', ({ url: target = '/' }, response) => {
      const { pathname, searchParams } = new URL(target, 'http://localhost');
      if (pathname !== loopback.path || searchParams.get('state') !== state) return void response.writeHead(404).end();
      const code = searchParams.get('code');
      response.end(code === null ? 'The sign-in was refused.' : 'Signed in: this page may be closed.');
      if (code === null) reject(refused('The issuer refused the sign-in.'));
      else resolve(code);
    });
  });
