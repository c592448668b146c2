import * as v from 'valibot';
import { CreatedToken } from './access.ts';
import { accessRequestStates } from './access-requests.ts';
import { anyId, count, jsonObject, orNull, text, textBetween, textUpTo } from './fields.ts';
import { limits } from './limits.ts';
import { mcpRoutes, resourceMetadata } from './mcp.ts';
import { displayedCode, isRedirectOf, isScope, mayHaveScopes, RegisteredClient } from './oauth-clients.ts';
import { type FunctionRoutes, servedBy } from './route.ts';
import { tokenScopes } from './vocabulary.ts';

const bounds = limits.agentAuthorization;

/** C-AGENT-1: what a device asks for, by the challenge of RFC 7636. */
const AuthorizationFields = v.strictObject({
  workspace_id: anyId,
  code_challenge: v.pipe(
    textBetween(bounds.challenge),
    v.regex(/^[A-Za-z0-9._~-]*$/, 'must hold letters, digits, -, ., _ and ~ alone'),
  ),
  code_challenge_method: v.optional(v.literal('S256'), 'S256'),
  redirect_uri: text(bounds.redirectUri),
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
export const AgentAuthorizationRequest = v.pipe(
  AuthorizationFields,
  v.forward(
    v.partialCheck(
      [['redirect_uri'], ['client_id']],
      ({ redirect_uri, client_id }) => redirect_uri === displayedCode || isRedirectOf(client_id, redirect_uri),
      `must be an address that the client registered, or for another client an http address of 127.0.0.1, [::1] or localhost without a fragment, or ${displayedCode}`,
    ),
    ['redirect_uri'],
  ),
  v.forward(
    v.partialCheck(
      [['scope'], ['client_id']],
      ({ scope, client_id }) => mayHaveScopes(client_id, scope),
      'must be within the scopes that the client registered',
    ),
    ['scope'],
  ),
);
export type AgentAuthorizationRequest = v.InferOutput<typeof AgentAuthorizationRequest>;

const AgentAuthorizationResponse = v.object({
  code: v.string(),
  /** Seconds. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

/** How far a member's request for a client has come; with a code once it is approved. */
const RequestedAuthorization = v.object({
  id: v.string(),
  state: v.picklist(accessRequestStates),
  granted: v.nullable(AgentAuthorizationResponse),
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

/** RFC 6749, 4.1.3, with RFC 7636 and RFC 8707. */
export const OAuthTokenRequest = v.object({
  grant_type: v.literal('authorization_code'),
  code: text(200),
  code_verifier: text(bounds.challenge.max),
  redirect_uri: text(bounds.redirectUri),
  client_id: text(bounds.clientId.max),
  resource: orNull(textUpTo(bounds.resource)),
});

/** RFC 6749, 6. */
export const OAuthRenewalRequest = v.object({
  grant_type: v.literal('refresh_token'),
  refresh_token: text(200),
  client_id: text(bounds.clientId.max),
  resource: orNull(textUpTo(bounds.resource)),
});

const OAuthToken = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: count,
  scope: v.string(),
  refresh_token: v.string(),
});

/** RFC 7591, 2: what a client says about itself. The rest of it does not matter here. */
const ClientMetadata = v.looseObject({
  client_name: v.optional(v.string()),
  redirect_uris: v.array(v.string()),
  scope: v.optional(v.string()),
});

const Registration = v.object({
  client_id: v.string(),
  ...RegisteredClient.entries,
  grant_types: v.array(v.string()),
  response_types: v.array(v.string()),
  token_endpoint_auth_method: v.literal('none'),
});

/** RFC 6749, 5.2. */
const OAuthError = v.object({ error: v.string(), error_description: v.string() });
const refusal = { description: 'Refused, as RFC 6749 describes it.', schema: OAuthError };

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
  requestAgent: {
    method: 'POST',
    path: '/v1/agent/authorize/requests',
    summary:
      'Requests a code as a member who is no administrator. Repeat the request: after the approval it is answered with a code, once.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'body', session: true },
    body: { kind: 'json', schema: AgentAuthorizationRequest, maxBytes: limits.json.bodyBytes },
    replies: {
      200: { description: 'The request, as far as it has come.', schema: RequestedAuthorization },
      201: { description: 'The new request.', schema: RequestedAuthorization },
    },
    problems: ['conflict'],
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

/** The same flow for clients of the Model Context Protocol, which find it by themselves: C-AGENT-13 to C-AGENT-15. */
export const oauthRoutes = servedBy('access', {
  getResourceMetadata: {
    method: 'GET',
    path: mcpRoutes.postMcp.resourceMetadata,
    aliases: [resourceMetadata],
    summary: 'Describes the MCP server as a protected resource (RFC 9728).',
    access: { kind: 'public' },
    replies: { 200: { description: 'The metadata.', schema: jsonObject } },
  },
  getAuthorizationServerMetadata: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Describes the endpoints that give a client a token (RFC 8414).',
    access: { kind: 'public' },
    replies: { 200: { description: 'The metadata.', schema: jsonObject } },
  },
  registerClient: {
    method: 'POST',
    path: '/oauth/register',
    summary: 'Registers a public client (RFC 7591). The client id holds the registration: nothing is stored.',
    access: { kind: 'public' },
    body: { kind: 'json', schema: ClientMetadata, maxBytes: bounds.registrationBytes },
    replies: { 201: { description: 'The registered client.', schema: Registration }, 400: refusal },
  },
  exchangeOAuthCode: {
    method: 'POST',
    path: '/oauth/token',
    summary:
      'Exchanges a code or a refresh token for an access token (RFC 6749). The first attempt invalidates it, even if it fails.',
    access: { kind: 'public' },
    body: {
      kind: 'bytes',
      otherForms: { 'application/x-www-form-urlencoded': v.union([OAuthTokenRequest, OAuthRenewalRequest]) },
      maxBytes: bounds.registrationBytes,
    },
    replies: { 200: { description: 'The token. Only this response contains it.', schema: OAuthToken }, 400: refusal },
  },
} as const satisfies FunctionRoutes);
