import { ExportPage, ExportQuery } from '../export.ts';
import type { Route } from '../route.ts';

/** Export: C-EXPORT-1. */
export const exportRoutes = {
  exportLineage: {
    method: 'GET',
    path: '/v1/lineage/export',
    function: 'export',
    summary: 'Exports the graph as OpenLineage events: a page of JSON, or all of it as a stream of NDJSON.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    query: ExportQuery,
    replies: {
      200: { description: 'A page, or the stream.', schema: ExportPage, alternative: 'application/x-ndjson' },
    },
    problems: ['not_found', 'validation_error', 'rate_limited'],
    stream: true,
  },
} as const satisfies Record<string, Route>;
