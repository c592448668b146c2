import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import { Unreachable } from '../../shared/client/api.ts';
import { loopback } from '../../shared/contract/stack-outputs.ts';
import { CommandError, exitCodes, UsageError } from '../outcome.ts';

const url = v.pipe(v.string(), v.url());
const Issuer = v.object({
  issuer: v.string(),
  authorization_endpoint: url,
  token_endpoint: url,
  id_token_signing_alg_values_supported: v.exactOptional(v.array(v.string())),
  authorization_response_iss_parameter_supported: v.exactOptional(v.boolean()),
});
type Issuer = v.InferOutput<typeof Issuer>;
const timeoutMs = 300_000;

type SignIn = { readonly discoveryUrl: string; readonly client: string; readonly port: number };

/** Signs a person in by the authorization code flow with PKCE, and returns the session token. Throws CommandError. */
export async function signIn(options: SignIn, show: (address: string) => void): Promise<string> {
  const issuer = await discovered(options.discoveryUrl);
  const server = createServer().listen(options.port, loopback.host);
  try {
    await once(server, 'listening');
  } catch {
    throw new UsageError(`Port ${options.port} of this machine is in use.`, [
      'Choose another port that the identity provider allows: --port N',
    ]);
  }
  try {
    return await signedIn(issuer, { client_id: options.client }, server, show);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function discovered(discoveryUrl: string): Promise<Issuer> {
  const response = await reached(discoveryUrl, fetch(discoveryUrl));
  const found = v.safeParse(Issuer, await response.json().catch(() => null));
  if (found.success) return found.output;
  throw new UsageError(`${discoveryUrl} does not describe an identity provider.`, ['Pass its address: --issuer URL']);
}

async function reached(address: string, response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    throw new Unreachable(new URL(address).origin, error);
  }
}

async function signedIn(
  issuer: Issuer,
  client: oauth.Client,
  server: Server,
  show: (address: string) => void,
): Promise<string> {
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const redirectUri = redirectOf(server);
  const address = new URL(issuer.authorization_endpoint);
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const answered = answerOf(server, state);
  show(address.href);
  const code = codeOf(issuer, client, await answered, state);
  const request = oauth.authorizationCodeGrantRequest(issuer, client, oauth.None(), code, redirectUri, verifier, {
    // An issuer without TLS is the user's choice, as for the service itself.
    [oauth.allowInsecureRequests]: issuer.token_endpoint.startsWith('http:'),
  });
  const response = await reached(issuer.token_endpoint, request);
  return idTokenOf(issuer, client, response, nonce);
}

function codeOf(issuer: Issuer, client: oauth.Client, answer: URLSearchParams, state: string): URLSearchParams {
  try {
    return oauth.validateAuthResponse(issuer, client, answer, state);
  } catch {
    throw refused('The identity provider rejected the sign-in.');
  }
}

/** The ID token, once its issuer, audience, nonce and times are checked. */
async function idTokenOf(issuer: Issuer, client: oauth.Client, response: Response, nonce: string): Promise<string> {
  try {
    const checks = { expectedNonce: nonce, requireIdToken: true };
    const granted = await oauth.processAuthorizationCodeResponse(issuer, client, response, checks);
    return granted.id_token ?? '';
  } catch {
    throw refused('The identity provider did not issue a token for this sign-in.');
  }
}

const refused = (message: string): CommandError =>
  new CommandError(exitCodes.notAllowed, message, ['Try again: tributary login']);

function redirectOf(server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : loopback.port;
  return `http://localhost:${port}${loopback.path}`;
}

/** What the browser brings back; a page that does not know the state brings nothing. */
const answerOf = (server: Server, state: string): Promise<URLSearchParams> =>
  new Promise((resolve, reject) => {
    const late = () => reject(refused('The sign-in timed out after five minutes.'));
    setTimeout(late, timeoutMs).unref();
    server.on('request', ({ url: target = '/' }, response) => {
      const { pathname, searchParams } = new URL(target, 'http://localhost');
      if (pathname !== loopback.path || searchParams.get('state') !== state) return void response.writeHead(404).end();
      const isSignedIn = searchParams.has('code');
      response.end(isSignedIn ? 'Signed in. You can close this page.' : 'The sign-in was rejected.');
      resolve(searchParams);
    });
  });
