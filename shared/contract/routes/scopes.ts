import { limits } from '../limits.ts';
import type { Route } from '../route.ts';
import { ForgetScope, ForgottenScope, ScopePage, ScopesQuery } from '../scopes.ts';

const administering = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;

/** What evidence comes from, and how it is forgotten: C-FORGET-1 to C-FORGET-6. */
export const scopeRoutes = {
  listScopes: {
    method: 'GET',
    path: '/v1/lineage/scopes',
    function: 'access',
    summary: 'Lists the scopes of evidence of a workspace or a connector, and what counts of each.',
    access: administering,
    query: ScopesQuery,
    replies: { 200: { description: 'A page of scopes.', schema: ScopePage } },
    problems: ['not_found', 'validation_error', 'rate_limited'],
  },
  forgetScope: {
    method: 'POST',
    path: '/v1/lineage/scopes/forget',
    function: 'access',
    summary: 'Forgets what a scope has stated until now, or says what that would retract.',
    access: { ...administering, workspace: 'body' },
    body: { kind: 'json', schema: ForgetScope, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The scope as it was.', schema: ForgottenScope } },
    problems: ['not_found', 'validation_error', 'conflict', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
