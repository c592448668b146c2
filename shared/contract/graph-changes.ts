import * as v from 'valibot';
import { count, queryInteger, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy, viewerAccess } from './route.ts';
import { deliveryKinds } from './vocabulary.ts';

/** A change of the graph by a complete document, at the time when the document took effect. */
export const GraphChange = v.object({
  at: timestamp,
  delivery_id: v.string(),
  kind: v.picklist(deliveryKinds),
  /** Relations that changed, including new and removed ones. */
  relations: count,
  /** Columns that they had and have no more. */
  columns_removed: count,
});
export type GraphChange = v.InferOutput<typeof GraphChange>;

const { days, listed } = limits.history;

const GraphChanges = v.object({
  /** Oldest first; the newest if there are more. */
  items: v.array(GraphChange),
  /** All changes since this time are listed. */
  since: timestamp,
});

export const historyRoutes = servedBy('queries', {
  listGraphChanges: {
    method: 'GET',
    path: '/v1/lineage/changes',
    summary: `Lists when complete documents changed the graph of a connector, at most ${listed} times.`,
    access: viewerAccess,
    query: v.object({
      workspace_id: text(200),
      connector_id: text(200),
      days: v.optional(queryInteger(days), String(days.default)),
    }),
    replies: { 200: { description: 'The changes.', schema: GraphChanges } },
    problems: ['not_found'],
  },
} as const satisfies FunctionRoutes);
