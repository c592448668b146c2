import * as v from 'valibot';
import { Cost, count, text } from './fields.ts';
import { layers } from './layers.ts';
import { type FunctionRoutes, servedBy, viewerAccess } from './route.ts';

const OverviewQuery = v.object({ workspace_id: text(200), connector_id: v.optional(text(200)) });

/** C-OVERVIEW. */
export const GraphOverview = v.object({
  workspace_id: v.string(),
  connector_id: v.nullable(v.string()),
  /** With an active edge. */
  relations: count,
  columns: count,
  edges: count,
  /** Edges with evidence that maps columns. */
  edges_with_columns: count,
  /** The schemas of the relations, by layer and then by size. */
  schemas: v.array(v.object({ schema: v.string(), layer: v.picklist(layers), relations: count })),
  /** How many edges lead from a schema to another, both as positions in `schemas`. */
  flows: v.array(v.object({ upstream: count, downstream: count, edges: count })),
  /** Whether the graph has more relations than were read: then the counts are of a part. */
  truncated: v.boolean(),
  cost: Cost,
});
export type GraphOverview = v.InferOutput<typeof GraphOverview>;

/** The whole graph in figures: C-OVERVIEW. */
export const overviewRoutes = servedBy('queries', {
  getOverview: {
    method: 'GET',
    access: viewerAccess,
    problems: ['not_found'],
    path: '/v1/lineage/overview',
    summary: 'Counts the graph: relations, columns, edges with columns, and the flows between schemas.',
    query: OverviewQuery,
    replies: {
      200: {
        description: 'The counts.',
        schema: GraphOverview,
        example: {
          ...{ workspace_id: 'ws_7k2m9q', connector_id: null, relations: 3, columns: 17 },
          ...{ edges: 2, edges_with_columns: 1 },
          schemas: [
            { schema: 'analytics.raw', layer: 'sources', relations: 1 },
            { schema: 'analytics.marts', layer: 'marts', relations: 2 },
          ],
          flows: [{ upstream: 0, downstream: 1, edges: 1 }],
          truncated: false,
          cost: { read_units: 11.5, requests: 70 },
        },
      },
    },
  },
} as const satisfies FunctionRoutes);
