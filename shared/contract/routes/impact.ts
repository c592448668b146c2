import { ImpactAnswer, ImpactQuery } from '../impact.ts';
import type { Route } from '../route.ts';

/** Impact: specification 4.4, decisions 7. */
export const impactRoutes = {
  getImpact: {
    method: 'GET',
    path: '/v1/lineage/impact',
    function: 'serve',
    summary: 'Answers what feeds a relation or its columns, and what a change of it may break.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    query: ImpactQuery,
    replies: { 200: { description: 'The answer, with what it leaves out.', schema: ImpactAnswer } },
    problems: ['not_found', 'validation_error', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
