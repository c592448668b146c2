import { ApiFailure, apiOf, requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { withoutTrailing } from '../../shared/contract/fields.ts';
import type { SignInDirections } from '../../shared/contract/settings.ts';
import type { TokenScope } from '../../shared/contract/vocabulary.ts';
import { UsageError } from '../outcome.ts';
import { type GlobalOptions, settingsOf } from '../settings/settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Place = { readonly url: string; readonly discoveryUrl: string; readonly client: string };

export type NamedIssuer = { readonly issuer?: string; readonly client?: string; readonly tenant?: string };

export async function placeOf(named: NamedIssuer, globals: GlobalOptions, terminal: Terminal): Promise<Place> {
  if (named.tenant !== undefined) {
    const { signInOf } = await import('../connect.ts');
    const { issuer, client, url } = await signInOf(named.tenant);
    return {
      url: globals.url ?? url,
      client: named.client ?? client,
      discoveryUrl: discoveryOf(named.issuer ?? issuer),
    };
  }
  const { url } = settingsOf(globals, terminal);
  const { issuer, client } = named;
  if (issuer !== undefined && client !== undefined) return { url, client, discoveryUrl: discoveryOf(issuer) };
  const directions = await directionsOf(url);
  return {
    url,
    client: client ?? directions.client_id,
    discoveryUrl: issuer ? discoveryOf(issuer) : directions.discovery_url,
  };
}

function discoveryOf(issuer: string): string {
  if (!URL.canParse(issuer)) throw new UsageError('--issuer has to be an http or https URL.');
  return `${withoutTrailing('/', issuer)}/.well-known/openid-configuration`;
}

async function directionsOf(url: string): Promise<SignInDirections> {
  try {
    return await requestAnswer(apiOf(url, undefined), routes.getSignInDirections);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
    throw new UsageError(`${url} does not name an identity provider.`, ['Pass it: --issuer URL --client ID']);
  }
}

export type SignedIn = {
  readonly user: string;
  readonly token: string;
  readonly workspace: string | undefined;
  readonly expires_at: string | undefined;
  readonly warnings: readonly string[];
};

export type TokenRequest = {
  readonly scopes: readonly TokenScope[];
  readonly requestedWorkspace: string | undefined;
  /** That of the profile as it was; it may be of another service. */
  readonly remembered: string | undefined;
};
