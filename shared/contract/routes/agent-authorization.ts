import { CreatedToken } from '../access.ts';
import { AgentAuthorizationRequest, AgentAuthorizationResponse, AgentTokenRequest } from '../agent-authorization.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

/** How an agent gets a token that nobody copies: RFC 8252 and RFC 7636. */
export const agentAuthorizationRoutes = {
  authorizeAgent: {
    method: 'POST',
    path: '/v1/agent/authorize',
    function: 'access',
    summary: 'Grants a device a code, which it exchanges once for a personal access token.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body', session: true },
    body: { kind: 'json', schema: AgentAuthorizationRequest, maxBytes: limits.json.bodyBytes },
    replies: {
      200: { description: 'The code, and the seconds for which it is good.', schema: AgentAuthorizationResponse },
    },
    problems: [],
  },
  exchangeAgentCode: {
    method: 'POST',
    path: '/v1/agent/token',
    function: 'access',
    summary: 'Exchanges a code for a personal access token; the first exchange, right or wrong, spends the code.',
    access: { kind: 'public' },
    body: { kind: 'json', schema: AgentTokenRequest, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The token; only this answer shows it.', schema: CreatedToken } },
    problems: ['invalid_grant', 'pats_disabled'],
  },
} as const satisfies Record<string, Route>;
