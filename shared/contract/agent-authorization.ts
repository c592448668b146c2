import * as v from 'valibot';
import { anyId, text } from './fields.ts';
import { limits } from './limits.ts';
import { displayedCode, isLoopbackRedirect } from './redirect-uri.ts';
import { type TokenScope, tokenScopes } from './vocabulary.ts';

const bounds = limits.agentAuthorization;

const between = ({ min, max }: { readonly min: number; readonly max: number }) =>
  v.pipe(v.string(), v.minLength(min), v.maxLength(max));
const atMost = (max: number) => v.pipe(v.string(), v.maxLength(max));
const orNull = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

const isRedirect = (uri: string): boolean => uri === displayedCode || isLoopbackRedirect(uri);

/** Words of the scope vocabulary between single spaces: RFC 6749, 3.3. */
const isScope = (text: string): boolean =>
  text === '' || text.split(' ').every((word) => (tokenScopes as readonly string[]).includes(word));

/** The scopes that a `scope` names; reading alone where it names none. */
export const scopesOf = (text: string | null): readonly TokenScope[] =>
  text ? tokenScopes.filter((scope) => text.split(' ').includes(scope)) : ['read'];

/** C-AGENT-1: what a device asks for, by the challenge of RFC 7636. */
export const AgentAuthorizationRequest = v.strictObject({
  workspace_id: anyId,
  code_challenge: v.pipe(
    between(bounds.challenge),
    v.regex(/^[A-Za-z0-9._~-]*$/, 'must hold letters, digits, -, ., _ and ~ alone'),
  ),
  code_challenge_method: v.optional(v.literal('S256'), 'S256'),
  redirect_uri: v.pipe(
    text(bounds.redirectUri),
    v.check(
      isRedirect,
      `must be an http address of 127.0.0.1, [::1] or localhost without a fragment, or ${displayedCode}`,
    ),
  ),
  device_id: between(bounds.deviceId),
  device_name: text(bounds.deviceName),
  client_id: orNull(between(bounds.clientId)),
  client_name: v.optional(text(bounds.clientWord), 'cli'),
  client_version: orNull(atMost(bounds.clientWord)),
  platform: orNull(atMost(bounds.clientWord)),
  /** RFC 8707: what the token is meant for; the exchange may repeat it. */
  resource: orNull(atMost(bounds.resource)),
  scope: orNull(
    v.pipe(atMost(bounds.scope), v.check(isScope, `must be words of ${tokenScopes.join(', ')} between spaces`)),
  ),
});
export type AgentAuthorizationRequest = v.InferOutput<typeof AgentAuthorizationRequest>;

export const AgentAuthorizationResponse = v.object({
  code: v.string(),
  /** Seconds. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

/** What does not fit the code is no malformed field: it spends the code. */
export const AgentTokenRequest = v.strictObject({
  code: text(200),
  code_verifier: text(bounds.challenge.max),
  redirect_uri: text(bounds.redirectUri),
  device_id: text(bounds.deviceId.max),
  resource: orNull(atMost(bounds.resource)),
});
export type AgentTokenRequest = v.InferOutput<typeof AgentTokenRequest>;
