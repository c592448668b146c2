import * as v from 'valibot';
import { text, textUpTo } from './fields.ts';
import { limits } from './limits.ts';
import { type TokenScope, tokenScopes } from './vocabulary.ts';

const bounds = limits.agentAuthorization;

/** Shows the code to a person, who types it on a machine without a browser. */
export const displayedCode = 'urn:ietf:wg:oauth:2.0:oob';

/** RFC 8252, 7.3: an address of the loopback interface, at any port. */
const loopbackRedirect = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?][^#]*)?$/i;

const isLoopbackRedirect = (uri: string): boolean => loopbackRedirect.test(uri) && URL.canParse(uri);

/** An address as a browser writes it, so that what a person reads is where the browser goes. */
function isHttpsRedirect(uri: string): boolean {
  const { protocol, username, password, href } = URL.parse(uri) ?? {};
  return protocol === 'https:' && !username && !password && !uri.includes('#') && [uri, `${uri}/`].includes(href ?? '');
}

/** Words of the scope vocabulary between single spaces: RFC 6749, 3.3. */
export const isScope = (text: string): boolean =>
  text === '' || text.split(' ').every((word) => (tokenScopes as readonly string[]).includes(word));

export const scopesOf = (text: string | null): readonly TokenScope[] =>
  text ? tokenScopes.filter((scope) => text.split(' ').includes(scope)) : ['read'];

export const RegisteredClient = v.object({
  client_name: v.pipe(
    text(bounds.clientWord),
    v.check((name) => !/\p{C}/u.test(name)),
  ),
  redirect_uris: v.pipe(
    v.array(
      v.pipe(
        text(bounds.redirectUri),
        v.check((uri) => isLoopbackRedirect(uri) || isHttpsRedirect(uri)),
      ),
    ),
    v.minLength(1),
    v.maxLength(bounds.redirectUris),
  ),
  /** The most that it is ever given. */
  scope: v.pipe(textUpTo(bounds.scope), v.check(isScope)),
});
export type RegisteredClient = v.InferOutput<typeof RegisteredClient>;

const clientPrefix = 'client?';
const onlyRead = 'read';

/** The client id is the registration, so nothing is stored: anybody may register anything, and people decide (ADR 24). */
export function clientIdOf({ client_name, redirect_uris, scope }: RegisteredClient): string {
  const fields = new URLSearchParams({ name: client_name, ...(scope !== onlyRead && { scope }) });
  for (const uri of redirect_uris) fields.append('redirect_uri', uri);
  return clientPrefix + fields;
}

/** The registration that a client id holds; null of any other id. */
export function registeredClient(clientId: string | null | undefined): RegisteredClient | null {
  if (!clientId?.startsWith(clientPrefix)) return null;
  const fields = new URLSearchParams(clientId.slice(clientPrefix.length));
  const client = {
    client_name: fields.get('name'),
    redirect_uris: fields.getAll('redirect_uri'),
    scope: fields.get('scope') ?? onlyRead,
  };
  const parsed = v.safeParse(RegisteredClient, client);
  return parsed.success && clientIdOf(parsed.output) === clientId ? parsed.output : null;
}

/** Whether a client may be given scopes: one that registered itself has at most those that it registered. */
export function mayHaveScopes(clientId: string | null | undefined, scope: string | null): boolean {
  const registered = registeredClient(clientId);
  return registered === null || scopesOf(scope).every((one) => scopesOf(registered.scope).includes(one));
}

/** Whether a code may go to an address: exactly one that the client registered, a loopback one at any port (RFC 8252). */
export function isRedirectOf(clientId: string | null | undefined, uri: string): boolean {
  if (!clientId?.startsWith(clientPrefix)) return isLoopbackRedirect(uri);
  const registered = registeredClient(clientId)?.redirect_uris ?? [];
  const asked = withoutPort(uri);
  return registered.some((one) => one === uri || (asked !== null && withoutPort(one) === asked));
}

/** A loopback address without its port; null of any other. */
function withoutPort(uri: string): string | null {
  const [, host, , rest = ''] = loopbackRedirect.exec(uri) ?? [];
  return host === undefined || !URL.canParse(uri) ? null : host + rest;
}
