import * as oauth from 'oauth4webapi';
import { apiAddress, settings } from '../settings.ts';
import { endSession, type Session, session, sessionOf, setSession, signedInMark } from './session.ts';

/** What has to survive the way to the issuer and back. */
type Pending = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
};

const pendingKey = 'tributary.sign-in';
const redirectUri = `${apiAddress}/signed-in`;
const client: oauth.Client = { client_id: settings.client_id };
const publicClient = oauth.None();

/** Goes to the issuer, which sends back to `/signed-in`; `silent` asks for no dialogue there. */
export async function startSignIn(returnTo: string, { silent = false } = {}): Promise<void> {
  const server = issuer();
  const pending: Pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    returnTo,
  };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: settings.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(silent && { prompt: 'none' }),
  }).toString();
  location.assign(url);
}

/** Takes what the issuer sent back; answers where the person wanted to go, or why there is no session. */
export async function finishSignIn(): Promise<{ readonly returnTo: string; readonly refused: string | null }> {
  const retained = sessionStorage.getItem(pendingKey);
  sessionStorage.removeItem(pendingKey);
  if (retained === null) return { returnTo: '/', refused: 'no_sign_in_pending' };
  const pending: Pending = JSON.parse(retained);
  try {
    const server = issuer();
    const answered = oauth.validateAuthResponse(server, client, new URL(location.href), pending.state);
    const granted = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      publicClient,
      answered,
      redirectUri,
      pending.verifier,
      insecureOnLoopback(server),
    );
    const checked = await oauth.processAuthorizationCodeResponse(server, client, granted, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    });
    setSession(sessionOf(checked.id_token ?? '', checked.refresh_token ?? null));
    sessionStorage.setItem(signedInMark, 'yes');
    return { returnTo: pending.returnTo, refused: null };
  } catch (error) {
    sessionStorage.removeItem(signedInMark);
    const refused = error instanceof oauth.AuthorizationResponseError ? error.error : 'invalid_answer';
    return { returnTo: pending.returnTo, refused };
  }
}

let renewing: Promise<Session | null> | null = null;

/** A session with a fresh token, by the refresh token; null if that is not possible. */
export function renewSession(): Promise<Session | null> {
  renewing ??= renewed().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function renewed(): Promise<Session | null> {
  const refreshToken = session()?.refreshToken;
  if (!refreshToken || settings.issuer === null) return null;
  try {
    const server = issuer();
    const options = insecureOnLoopback(server);
    const granted = await oauth.refreshTokenGrantRequest(server, client, publicClient, refreshToken, options);
    const checked = await oauth.processRefreshTokenResponse(server, client, granted);
    if (checked.id_token === undefined) return null;
    // An issuer that rotates no refresh tokens sends none: the old one stays good.
    const next = sessionOf(checked.id_token, checked.refresh_token ?? refreshToken);
    setSession(next);
    return next;
  } catch {
    return null;
  }
}

/** Ends the session here, on the other pages of this browser, and at the issuer. */
export async function signOut(): Promise<void> {
  const refreshToken = session()?.refreshToken;
  endSession(true);
  if (settings.issuer === null) return;
  const server = issuer();
  if (refreshToken && server.revocation_endpoint)
    await oauth
      .revocationRequest(server, client, publicClient, refreshToken, insecureOnLoopback(server))
      .catch(() => undefined);
  if (server.end_session_endpoint === undefined) return location.assign(`${apiAddress}/sign-in?signed_out=yes`);
  const url = new URL(server.end_session_endpoint);
  const back = `${apiAddress}/`;
  // The second is how OpenID Connect names it, the third how Cognito does.
  url.search = new URLSearchParams({
    client_id: settings.client_id,
    post_logout_redirect_uri: back,
    logout_uri: back,
  }).toString();
  location.assign(url);
}

function issuer(): oauth.AuthorizationServer {
  if (settings.issuer === null) throw new Error('The issuer is not known.');
  return settings.issuer as oauth.AuthorizationServer;
}

/** Plain HTTP is for an issuer only on this machine. */
const insecureOnLoopback = ({ token_endpoint }: oauth.AuthorizationServer) => ({
  [oauth.allowInsecureRequests]: new URL(token_endpoint ?? '').hostname === '127.0.0.1',
});
