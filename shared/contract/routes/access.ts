import { CreatedToken, CreateToken, TokenPage, TokenParams, TokensQuery, WorkspaceQuery } from '../access.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

/** Personal access tokens: C-TOKEN-1 to C-TOKEN-3. */
export const accessRoutes = {
  createToken: {
    method: 'POST',
    path: '/v1/auth/tokens',
    function: 'access',
    summary: 'Creates a personal access token; only this answer shows it.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body', session: true },
    body: { kind: 'json', schema: CreateToken, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'Created.', schema: CreatedToken } },
    problems: [],
  },
  listTokens: {
    method: 'GET',
    path: '/v1/auth/tokens',
    function: 'access',
    summary: 'Lists the personal access tokens of a workspace.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' },
    query: TokensQuery,
    replies: { 200: { description: 'A page of tokens, without their secrets.', schema: TokenPage } },
    problems: [],
  },
  revokeToken: {
    method: 'DELETE',
    path: '/v1/auth/tokens/{token_id}',
    function: 'access',
    summary: 'Revokes a personal access token, at once.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' },
    params: TokenParams,
    query: WorkspaceQuery,
    replies: { 204: { description: 'Revoked.' } },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Route>;
