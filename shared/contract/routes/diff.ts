import { DiffProject, DiffQuery, LineageDiff } from '../diff.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const differing = {
  path: '/v1/lineage/diff',
  function: 'diff',
  replies: { 200: { description: 'The changes, with what they break.', schema: LineageDiff } },
} as const satisfies Partial<Route>;

/** What changed, and what a branch would change: by time, and before it is merged. */
export const diffRoutes = {
  diffTimes: {
    ...differing,
    method: 'GET',
    summary: 'Compares two moments of the graph: relations, edges and columns that came, went or changed.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    query: DiffQuery,
    problems: ['not_found', 'validation_error', 'rate_limited'],
  },
  diffProject: {
    ...differing,
    method: 'POST',
    summary:
      'Compares a branch’s dbt manifest or SQLMesh project with its live scope, and says what merging it would break.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'body' },
    // It is answered at once, so that it has no upload: what is too large for a request has to be compressed.
    body: {
      kind: 'json',
      schema: DiffProject,
      maxBytes: limits.inlineBytes,
      maxInflatedBytes: limits.declared.bodyBytes,
      gzip: true,
    },
    problems: ['not_found', 'validation_error', 'lineage_snapshot_invalid', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
