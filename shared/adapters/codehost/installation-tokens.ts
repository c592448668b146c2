import * as v from 'valibot';
import type { RepositoryPlace } from '../../domain/codehost/pull-requests/ports.ts';
import { lruCache } from '../../domain/lru-cache.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { asApp } from './apps-of-host.ts';
import { asked, type RestClient, restClient } from './rest-client.ts';

const Token = v.object({ token: v.string(), expires_at: v.string() });

/** A token is not used in the minutes before its end. */
const reserveMs = 5 * 60_000;

/** Asks a host as an installation of an app, of its one repository; tokens are remembered in this process alone. */
export function installationClients(fetch: GuardedFetch): (place: RepositoryPlace) => Promise<RestClient> {
  const tokens = lruCache<string, string>(500);
  return async (place) => {
    const { credentials, installation, repository } = place;
    const key = JSON.stringify([credentials.apiBaseUrl, credentials.appId, installation, repository]);
    const known = tokens.get(key) ?? (await newToken(fetch, place));
    const { token, expires_at } = typeof known === 'string' ? { token: known, expires_at: null } : known;
    if (expires_at !== null)
      tokens.set(key, token, { ttl: Math.max(1, Date.parse(expires_at) - Date.now() - reserveMs) });
    return restClient(fetch, credentials.apiBaseUrl, `token ${token}`);
  };
}

async function newToken(fetch: GuardedFetch, { credentials, installation, repository }: RepositoryPlace) {
  const rest = await asApp(fetch, credentials);
  const [, name = ''] = repository.split('/');
  const answer = await asked(() =>
    rest('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: Number(installation),
      repositories: [name],
    }),
  );
  return v.parse(Token, answer.data);
}
