import * as v from 'valibot';
import { CreatedToken } from './access.ts';
import { anyId, orNull, text, textBetween, textUpTo } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy } from './route.ts';
import { type TokenScope, tokenScopes } from './vocabulary.ts';

/** Shows the code to a person, who types it on a machine without a browser. */
export const displayedCode = 'urn:ietf:wg:oauth:2.0:oob';

/** RFC 8252, 7.3: an address of the loopback interface, at any port. */
const loopbackRedirect = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?][^#]*)?$/i;

export const isLoopbackRedirect = (uri: string): boolean => loopbackRedirect.test(uri) && URL.canParse(uri);

const bounds = limits.agentAuthorization;

const isRedirect = (uri: string): boolean => uri === displayedCode || isLoopbackRedirect(uri);

/** Words of the scope vocabulary between single spaces: RFC 6749, 3.3. */
const isScope = (text: string): boolean =>
  text === '' || text.split(' ').every((word) => (tokenScopes as readonly string[]).includes(word));

export const scopesOf = (text: string | null): readonly TokenScope[] =>
  text ? tokenScopes.filter((scope) => text.split(' ').includes(scope)) : ['read'];

/** C-AGENT-1: what a device asks for, by the challenge of RFC 7636. */
export const AgentAuthorizationRequest = v.strictObject({
  workspace_id: anyId,
  code_challenge: v.pipe(
    textBetween(bounds.challenge),
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
  device_id: textBetween(bounds.deviceId),
  device_name: text(bounds.deviceName),
  client_id: orNull(textBetween(bounds.clientId)),
  client_name: v.optional(text(bounds.clientWord), 'cli'),
  client_version: orNull(textUpTo(bounds.clientWord)),
  platform: orNull(textUpTo(bounds.clientWord)),
  /** RFC 8707: what the token is meant for; the exchange may repeat it. */
  resource: orNull(textUpTo(bounds.resource)),
  scope: orNull(
    v.pipe(textUpTo(bounds.scope), v.check(isScope, `must be words of ${tokenScopes.join(', ')} between spaces`)),
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
  resource: orNull(textUpTo(bounds.resource)),
});
export type AgentTokenRequest = v.InferOutput<typeof AgentTokenRequest>;

/** How an agent gets a token that nobody copies: RFC 8252 and RFC 7636. */
export const agentAuthorizationRoutes = servedBy('access', {
  authorizeAgent: {
    method: 'POST',
    path: '/v1/agent/authorize',
    summary: 'Issues a code that a device exchanges once for a personal access token.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body', session: true },
    body: { kind: 'json', schema: AgentAuthorizationRequest, maxBytes: limits.json.bodyBytes },
    replies: {
      200: { description: 'The code, and its lifetime in seconds.', schema: AgentAuthorizationResponse },
    },
  },
  exchangeAgentCode: {
    method: 'POST',
    path: '/v1/agent/token',
    summary: 'Exchanges a code for a personal access token. The first attempt invalidates the code, even if it fails.',
    access: { kind: 'public' },
    body: { kind: 'json', schema: AgentTokenRequest, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The token. Only this response contains it.', schema: CreatedToken } },
    problems: ['invalid_grant', 'pats_disabled'],
  },
} as const satisfies FunctionRoutes);
