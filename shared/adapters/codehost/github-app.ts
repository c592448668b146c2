import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import {
  type AppCredentials,
  type AppsOfHost,
  HostFailure,
  type HostInstallation,
} from '../../domain/codehost/code-host.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { callData, findData, type RestClient, restClient } from './rest-client.ts';

/** The host takes tokens that hold for ten minutes at most, and its clock may be ahead of this one's. */
const ahead = { issuedSeconds: -60, expiresSeconds: 9 * 60 };

/**
 * What an app signs in with at its host: a JWT by RS256 that holds for nine minutes.
 * @throws HostFailure `private_key_unreadable`
 */
async function appToken({ appId, privateKey }: AppCredentials, now: Date): Promise<string> {
  const at = Math.floor(now.getTime() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(appId)
    .setIssuedAt(at + ahead.issuedSeconds)
    .setExpirationTime(at + ahead.expiresSeconds)
    .sign(rsaKey(privateKey));
}

/** PKCS#1, as the host gives it out, or PKCS#8. */
function rsaKey(pem: string): KeyObject {
  const key = readableKey(pem);
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2_048) throw new HostFailure('private_key_unreadable');
  return key;
}

function readableKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The reason of OpenSSL may quote what it read.
    throw new HostFailure('private_key_unreadable');
  }
}

const text = v.nullish(v.string(), null);
/** A number of the host, which may be longer than a double holds. */
export const HostId = v.pipe(v.union([v.number(), v.bigint()]), v.transform(String));

const App = v.object({ id: HostId, slug: v.string() });
const HostedInstallation = v.object({
  account: v.nullish(v.object({ login: text, slug: text, type: text, html_url: text })),
  html_url: text,
  permissions: v.record(v.string(), v.string()),
  repository_selection: text,
  target_id: v.nullish(HostId, null),
  target_type: text,
  suspended_at: text,
});
const Grant = v.object({ access_token: v.string() });
const Seen = v.object({ installations: v.array(v.object({ id: HostId })) });

const perPage = 100;
/** A person sees as many installations as there are organisations around; more pages are not looked at. */
const maxPages = 10;

/** The app's own side of GitHub's REST interface: `GET /app`, `GET /app/installations/{installation_id}`, and a person's view. */
export const gitHubApps = (fetch: GuardedFetch): AppsOfHost => ({
  app: async (credentials) => {
    return v.parse(App, await callData(await asApp(fetch, credentials), 'GET /app'));
  },
  installation: async (credentials, id) => {
    const installation_id = Number(id);
    if (!Number.isSafeInteger(installation_id)) return null;
    const rest = await asApp(fetch, credentials);
    const found = await findData(rest, 'GET /app/installations/{installation_id}', { installation_id });
    return found === null ? null : installationOf(found);
  },
  personSees: async ({ codehost_base_url, api_base_url, clientId, clientSecret }, code, installation) => {
    const token = await personToken(fetch, codehost_base_url, {
      client_id: clientId,
      client_secret: clientSecret,
      code,
    });
    const rest = restClient(fetch, api_base_url, `token ${token}`);
    for (let page = 1; page <= maxPages; page++) {
      const { installations } = v.parse(
        Seen,
        await callData(rest, 'GET /user/installations', { per_page: perPage, page }),
      );
      if (installations.some(({ id }) => id === installation)) return true;
      if (installations.length < perPage) return false;
    }
    return false;
  },
});

export async function asApp(fetch: GuardedFetch, credentials: AppCredentials): Promise<RestClient> {
  return restClient(fetch, credentials.apiBaseUrl, `Bearer ${await appToken(credentials, new Date())}`);
}

/** The explorer links to it, so an address of another scheme could run a script there. */
const isHttps = (url: string | null | undefined): boolean => URL.parse(url ?? '')?.protocol === 'https:';

function installationOf(data: unknown): HostInstallation {
  const { account, html_url, ...rest } = v.parse(HostedInstallation, data);
  return {
    ...rest,
    account_login: account?.login ?? account?.slug ?? null,
    account_type: account?.type ?? null,
    html_url: [html_url, account?.html_url].find(isHttps) ?? null,
    suspended_at: rest.suspended_at === null ? null : new Date(rest.suspended_at).toISOString(),
  };
}

/** The web flow's exchange: a refusal is an answer of 200 there. */
async function personToken(
  fetch: GuardedFetch,
  host: string,
  grant: Readonly<Record<string, string>>,
): Promise<string> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const body = JSON.stringify(grant);
  const answer = await fetch(`${host}/login/oauth/access_token`, { method: 'POST', headers, body });
  const read = v.safeParse(Grant, await answer.json().catch(() => null));
  if (!read.success) throw new HostFailure('not_allowed');
  return read.output.access_token;
}
