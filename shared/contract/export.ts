import * as v from 'valibot';
import { count, pageCursor, queryInteger, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy, viewerAccess } from './route.ts';

/** C-EXPORT-1. */
const ExportQuery = v.object({
  workspace_id: text(200),
  format: v.optional(v.picklist(['openlineage']), 'openlineage'),
  output: v.optional(v.picklist(['json', 'ndjson']), 'json'),
  connector_id: v.optional(text(200)),
  cursor: pageCursor,
  limit: v.optional(queryInteger(limits.export), String(limits.export.default)),
  /** `run` for consumers that take RunEvents only. */
  profile: v.optional(v.picklist(['job', 'run']), 'job'),
});

/** C-EXPORT-2, C-EXPORT-5. */
export const ExportPage = v.object({
  format: v.literal('openlineage'),
  as_of: timestamp,
  events: v.array(v.record(v.string(), v.unknown())),
  next_cursor: v.nullable(v.string()),
  truncated: v.boolean(),
  skipped_edges: count,
});
export type ExportPage = v.InferOutput<typeof ExportPage>;

/** Export: C-EXPORT-1. */
export const exportRoutes = servedBy('export', {
  exportLineage: {
    method: 'GET',
    path: '/v1/lineage/export',
    summary: 'Exports the graph as OpenLineage events: a page of JSON, or all of it as a stream of NDJSON.',
    access: viewerAccess,
    query: ExportQuery,
    replies: {
      200: { description: 'A page, or the stream.', schema: ExportPage, alternative: 'application/x-ndjson' },
    },
    problems: ['not_found'],
    stream: true,
  },
} as const satisfies FunctionRoutes);
