import { EdgeExplanation, ExplainQuery } from '../explain.ts';
import { ImpactAnswer, ImpactQuery } from '../impact.ts';
import type { Route } from '../route.ts';

const asking = {
  method: 'GET',
  function: 'queries',
  access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
  problems: ['not_found', 'validation_error', 'rate_limited'],
} as const satisfies Partial<Route>;

/** Questions about the graph as it stands: C-IMPACT-1, C-EXPLAIN-1. */
export const impactRoutes = {
  getImpact: {
    ...asking,
    path: '/v1/lineage/impact',
    summary: 'Answers what feeds a relation or its columns, and what a change of it may break.',
    query: ImpactQuery,
    replies: { 200: { description: 'The answer, with what it leaves out.', schema: ImpactAnswer } },
  },
  explainEdge: {
    ...asking,
    path: '/v1/lineage/edges/explain',
    summary:
      'Tells how an edge is known: every piece of evidence, where it was said, what it weighs and why it counts or does not.',
    query: ExplainQuery,
    problems: [...asking.problems, 'ambiguous_relation'],
    replies: { 200: { description: 'The evidence of the edge.', schema: EdgeExplanation } },
  },
} as const satisfies Record<string, Route>;
