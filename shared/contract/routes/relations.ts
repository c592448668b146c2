import { RelationDetail, RelationPage, RelationQuery, RelationsQuery } from '../relations.ts';
import type { Route } from '../route.ts';

const reading = {
  method: 'GET',
  function: 'queries',
  access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
  problems: ['not_found', 'validation_error', 'rate_limited'],
} as const satisfies Partial<Route>;

const orders = { relation_ref: 'analytics.public.orders', connector_id: 'con_4tz81b', kind: 'relation' };
const neighbours = { upstream_count: 2, downstream_count: 7 };

/** Relations by their names: C-RELATION. */
export const relationRoutes = {
  listRelations: {
    ...reading,
    path: '/v1/lineage/relations',
    summary:
      'Finds relations by the beginnings of the parts of their names, or of their columns, the best match first.',
    query: RelationsQuery,
    replies: {
      200: {
        description: 'A page of relations.',
        schema: RelationPage,
        example: {
          workspace_id: 'ws_7k2m9q',
          items: [{ ...orders, columns_known: 12, last_observed_at: '2026-11-21T12:00:00.000Z', ...neighbours }],
          next_cursor: null,
        },
      },
    },
  },
  getRelation: {
    ...reading,
    path: '/v1/lineage/relation',
    summary: 'Tells what is known of one relation: its names, its columns, and who says so.',
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
          ...neighbours,
          truncated: false,
        },
      },
    },
  },
} as const satisfies Record<string, Route>;
