import * as v from 'valibot';
import { DiffProject, LineageDiff } from './diff.ts';
import { pageCursor, queryInteger, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, type Route, servedBy, viewerAccess, WorkspaceQuery } from './route.ts';

const { depth, nodes } = limits.impact;

const DiffQuery = v.object({
  workspace_id: text(200),
  connector_id: text(200),
  from: timestamp,
  /** Now, if it is left out. */
  to: v.optional(timestamp),
  max_depth: v.optional(queryInteger(depth), String(depth.default)),
  max_nodes: v.optional(queryInteger(nodes), String(nodes.default)),
  limit: v.optional(queryInteger(limits.diff.edges), String(limits.diff.edges.default)),
  cursor: pageCursor,
});

const differing = {
  path: '/v1/lineage/diff',
  replies: { 200: { description: 'The changes and what they break.', schema: LineageDiff } },
} as const satisfies Partial<Route>;

/** What changed, and what a branch would change: by time, and before it is merged. */
export const diffRoutes = servedBy('diff', {
  diffTimes: {
    ...differing,
    method: 'GET',
    summary: 'Compares the graph at two times: relations, edges and columns that were added, removed or changed.',
    access: viewerAccess,
    query: DiffQuery,
    problems: ['not_found'],
  },
  diffProject: {
    ...differing,
    method: 'POST',
    summary:
      'Compares a branch’s dbt manifest or SQLMesh project with its live scope, and returns what merging it would break.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'body' },
    // It is answered at once, so that it has no upload: what is too large for a request has to be compressed.
    body: {
      kind: 'json',
      schema: DiffProject,
      maxBytes: limits.inlineBytes,
      maxInflatedBytes: limits.declared.bodyBytes,
      gzip: true,
    },
    problems: ['not_found', 'lineage_snapshot_invalid'],
  },
  readComparison: {
    method: 'GET',
    path: '/v1/lineage/diff/{comparison_id}',
    summary: 'Returns the comparison of a branch again, as it was answered.',
    access: viewerAccess,
    query: WorkspaceQuery,
    replies: differing.replies,
  },
} as const satisfies FunctionRoutes);
