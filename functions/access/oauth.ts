import * as v from 'valibot';
import { OAuthRenewalRequest, OAuthTokenRequest, oauthRoutes } from '../../shared/contract/agent-authorization.ts';
import { beginningOf } from '../../shared/contract/fields.ts';
import { limits } from '../../shared/contract/limits.ts';
import { mcpRoutes } from '../../shared/contract/mcp.ts';
import { clientIdOf, isScope, registeredClient } from '../../shared/contract/oauth-clients.ts';
import { authorizePage } from '../../shared/contract/pages.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { tokenScopes } from '../../shared/contract/vocabulary.ts';
import { exchangeRenewable, renewToken } from '../../shared/domain/workspaces/access/exchange-code.ts';
import type { RegistryWriter } from '../../shared/domain/workspaces/access/operator.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

const { path, access } = mcpRoutes.postMcp;
const scopes = [access.scope];
const grantTypes = ['authorization_code', 'refresh_token'];

/** A client's token is for this service: another server that names our sign-in gets no token of ours (RFC 8707). */
export function requireOwnResource(base: string, clientId: string | null, resource: string | null): void {
  if (registeredClient(clientId) === null || resource === null || [base, `${base}${path}`].includes(resource)) return;
  throw new Problem('validation_error', {
    errors: [{ path: '/resource', message: 'must be the MCP server of this service' }],
  });
}

/** What leads a client of the Model Context Protocol from a 401 to a token: C-AGENT-13 to C-AGENT-15. */
export const oauthImplementations = (ports: RegistryWriter): Implementations<typeof oauthRoutes> => ({
  getResourceMetadata: async ({ base }) => ({
    resource: `${base}${path}`,
    resource_name: 'Tributary',
    authorization_servers: [base],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  }),
  getAuthorizationServerMetadata: async ({ base }) => ({
    issuer: base,
    authorization_endpoint: `${base}${authorizePage}`,
    token_endpoint: `${base}${oauthRoutes.exchangeOAuthCode.path}`,
    registration_endpoint: `${base}${oauthRoutes.registerClient.path}`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  }),
  registerClient: async ({ body: { client_name = '', redirect_uris, scope = 'read' } }) => {
    if (!isScope(scope)) return refused('invalid_client_metadata', `scope takes words of ${tokenScopes.join(', ')}.`);
    const name = beginningOf(client_name.replaceAll(/\p{C}/gu, '').trim(), limits.agentAuthorization.clientWord);
    const client = { client_name: name || 'MCP client', redirect_uris: [...redirect_uris], scope: scope || 'read' };
    const client_id = clientIdOf(client);
    if (client_id.length > limits.agentAuthorization.clientId.max || registeredClient(client_id) === null)
      return refused('invalid_redirect_uri', 'Register 1 to 10 short loopback or https addresses without a fragment.');
    const use = {
      grant_types: [...grantTypes],
      response_types: ['code'],
      token_endpoint_auth_method: 'none' as const,
    };
    return { status: 201, body: { client_id, ...client, ...use } };
  },
  exchangeOAuthCode: async ({ bytes, now }) => {
    const sent = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
    const fields = Object.fromEntries(sent);
    if (!grantTypes.includes(fields['grant_type'] ?? ''))
      return refused('unsupported_grant_type', `Supported are ${grantTypes.join(' and ')}.`);
    const { success, output } = v.safeParse(v.union([OAuthTokenRequest, OAuthRenewalRequest]), fields);
    // RFC 6749, 3.2: which of them counted would be a guess.
    if (Object.keys(fields).length < sent.size) return refused('invalid_request', 'A parameter is there twice.');
    if (!success) return refused('invalid_request', 'A field is missing or too long.');
    try {
      const {
        record,
        token,
        refreshToken: refresh_token,
      } = await ('code' in output ? exchangeRenewable(ports, output) : renewToken(ports, output));
      const expires_in = Math.floor((Date.parse(record.expires_at) - now.getTime()) / 1_000);
      return {
        status: 200,
        body: { access_token: token, token_type: 'Bearer', expires_in, scope: record.scopes.join(' '), refresh_token },
      };
    } catch (error) {
      if (error instanceof Problem) return refused('invalid_grant', error.message);
      throw error;
    }
  },
});

const refused = (error: string, error_description: string) =>
  ({ status: 400, body: { error, error_description } }) as const;
