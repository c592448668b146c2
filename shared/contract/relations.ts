import * as v from 'valibot';
import { Claim } from './claim.ts';
import { Cost, count, paging, text, textUpTo, timestamp } from './fields.ts';
import { layers } from './layers.ts';
import { type FunctionRoutes, type Route, servedBy, viewerAccess } from './route.ts';
import { judgement, VerdictCounts, verdictFilter } from './verdicts.ts';
import { resolutionMethods } from './vocabulary.ts';

/** What a reference was found to mean: C-IDENTITY-11. */
export const LineageResolution = v.object({
  method: v.picklist(resolutionMethods),
  /** Why it was not exact; null if it was. */
  fallback_reason: v.nullable(v.string()),
  /** Of an unresolved reference: up to ten of the nearest names (C-IDENTITY-12). */
  candidates: v.optional(v.array(v.string())),
});
export type LineageResolution = v.InferOutput<typeof LineageResolution>;

const time = v.nullable(timestamp);

/** C-RELATION-1, C-RELATION-7: without `q`, all relations. C-RELATION-4: `in=columns` takes a `q` that names a column. */
const RelationsQuery = v.object({
  workspace_id: text(200),
  connector_id: v.optional(text(200)),
  q: v.optional(textUpTo(500)),
  in: v.optional(v.picklist(['relations', 'columns']), 'relations'),
  ...paging,
});

const named = {
  relation_ref: v.string(),
  /** Null where no connector owns it. */
  connector_id: v.nullable(v.string()),
  kind: v.picklist(['relation', 'dataset', 'inlined', 'datahub', 'exposure']),
  /** C-RELATION-5. */
  layer: v.picklist(layers),
};

/** Relations on each side, policies not applied; at least this many where a relation has thousands. */
const neighbours = { upstream_count: count, downstream_count: count };

const RelationItem = v.object({
  ...named,
  /** How many columns its lists and what feeds it name, or else its readers: at least this many. */
  columns_known: count,
  last_observed_at: time,
  ...neighbours,
  /** Those that were found, in the order of names; only of a search in columns. */
  columns: v.optional(v.array(v.string())),
});
export type RelationItem = v.InferOutput<typeof RelationItem>;

/** A page may hold fewer than `limit` while there is a next one. */
export const RelationPage = v.object({
  workspace_id: v.string(),
  items: v.array(RelationItem),
  /** Of a search that found nothing: up to ten of the nearest names, of columns in a search in columns. */
  candidates: v.optional(v.array(v.string())),
  /** True if the workspace has more names than a search looks through for those that resemble the query: C-RELATION-7. */
  truncated: v.optional(v.boolean()),
  next_cursor: v.nullable(v.string()),
});
export type RelationPage = v.InferOutput<typeof RelationPage>;

/** Without `connector_id`: C-IDENTITY-16. */
const RelationQuery = v.object({
  workspace_id: text(200),
  connector_id: v.optional(text(200)),
  relation_ref: text(2_000),
  as_of: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  ...verdictFilter,
});

/** C-RELATION-3. */
export const RelationDetail = v.object({
  workspace_id: v.string(),
  ...named,
  lineage_resolution: LineageResolution,
  aliases: v.array(v.string()),
  /** In the order of names. The type is null if no source tells it. */
  columns: v.array(
    v.object({
      name: v.string(),
      type: v.nullable(v.string()),
      described_by: v.array(v.string()),
      /** True if the next run of the relation itself needs it, as that of an incremental model does: C-RELATION-3. */
      read_by_itself: v.optional(v.boolean()),
    }),
  ),
  /** Whether they are all that the relation has, as far as its newest complete list tells. */
  columns_complete: v.boolean(),
  /** The providers whose evidence names the relation. */
  providers: v.array(v.object({ provider_instance_id: v.string(), provider_type: v.string() })),
  first_observed_at: time,
  last_observed_at: time,
  ...neighbours,
  /** C-RELATION-6. */
  edges: v.array(v.object({ upstream: v.string(), downstream: v.string(), ...judgement })),
  /** Whether they are all, before `verdict` limits them. */
  edges_complete: v.boolean(),
  /** Of all edges that were read, those that `verdict` leaves out included. */
  summary: v.object({ verdicts: VerdictCounts }),
  /** Whether there is more evidence than was read: then columns, providers and times may be incomplete. */
  truncated: v.boolean(),
  /** What breaks with it, of its direct readers: C-CLAIM-8. */
  claim: Claim,
  cost: Cost,
});
export type RelationDetail = v.InferOutput<typeof RelationDetail>;

const reading = {
  method: 'GET',
  access: viewerAccess,
  problems: ['not_found'],
} as const satisfies Partial<Route>;

const orders = {
  relation_ref: 'analytics.public.orders',
  connector_id: 'con_4tz81b',
  kind: 'relation',
  layer: 'marts',
};
const neighbourExample = { upstream_count: 2, downstream_count: 7 };

/** Relations by their names: C-RELATION. */
export const relationRoutes = servedBy('queries', {
  listRelations: {
    ...reading,
    path: '/v1/lineage/relations',
    summary:
      'Finds relations by words of their names or their columns’ names: prefixes first, then other parts, else names with one typo.',
    query: RelationsQuery,
    replies: {
      200: {
        description: 'A page of relations.',
        schema: RelationPage,
        example: {
          workspace_id: 'ws_7k2m9q',
          items: [{ ...orders, columns_known: 12, last_observed_at: '2026-11-21T12:00:00.000Z', ...neighbourExample }],
          next_cursor: null,
        },
      },
    },
  },
  getRelation: {
    ...reading,
    path: '/v1/lineage/relation',
    summary: 'Returns one relation: its names, its columns, and the providers that report them.',
    query: RelationQuery,
    problems: [...reading.problems, 'ambiguous_relation'],
    replies: {
      200: {
        description: 'The relation.',
        schema: RelationDetail,
        example: {
          workspace_id: 'ws_7k2m9q',
          ...orders,
          lineage_resolution: { method: 'exact', fallback_reason: null },
          aliases: [],
          columns: [{ name: 'amount', type: 'NUMERIC', described_by: ['dbt_manifest', 'openlineage'] }],
          columns_complete: true,
          providers: [{ provider_instance_id: '4b0f3f0e-6f4f-4a53-9d0c-0c4b6f1b7a11', provider_type: 'dbt_manifest' }],
          first_observed_at: '2026-10-02T08:00:00.000Z',
          last_observed_at: '2026-11-21T12:00:00.000Z',
          ...neighbourExample,
          edges: [
            {
              upstream: 'analytics.raw.orders',
              downstream: 'analytics.public.orders',
              verdict: 'confirmed',
              verdict_reason: null,
            },
          ],
          edges_complete: true,
          summary: { verdicts: { confirmed: 1, declared_only: 0, observed_only: 0, contradicted: 0 } },
          truncated: false,
          claim: {
            kind: 'breaks',
            counts: { breaks: 7, may_break: 0, at_least: true },
            evidence_until: '2026-11-21T12:00:00.000Z',
            limits: [
              {
                code: 'direct_readers_only',
                text: 'Only what reads it directly was looked at.',
                subjects: [],
                how_to_lift: 'Ask with impact for all that depends on it.',
                blocks: true,
              },
            ],
          },
          cost: { read_units: 6, requests: 7 },
        },
      },
    },
  },
} as const satisfies FunctionRoutes);
