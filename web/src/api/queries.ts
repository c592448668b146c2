import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, contentOf } from './client.ts';

/** The most that a list answers at once. */
export const pageSize = 200;

/** The workspaces of the signed-in user, each with the connectors that may be read. */
export const worldQuery = queryOptions({
  queryKey: ['world'],
  staleTime: 5 * 60_000,
  queryFn: async ({ signal }) => {
    const { items } = await contentOf(api.GET('/v1/workspaces', { params: { query: {} }, signal }));
    return Promise.all(
      items.map(async (workspace) => {
        const query = { workspace_id: workspace.id, limit: pageSize };
        const page = await contentOf(api.GET('/v1/connectors', { params: { query }, signal }));
        return { ...workspace, connectors: page.items };
      }),
    );
  },
});

export type Workspace = Awaited<ReturnType<NonNullable<typeof worldQuery.queryFn>>>[number];

export const relationsQuery = (workspace_id: string, q: string, connector_id?: string, limit = 12) =>
  queryOptions({
    queryKey: ['relations', workspace_id, q, connector_id, limit],
    queryFn: ({ signal }) => {
      const query = { workspace_id, limit, ...(q && { q }), ...(connector_id && { connector_id }) };
      return contentOf(api.GET('/v1/lineage/relations', { params: { query }, signal }));
    },
  });

/** The graph in figures. It is counted anew for every answer, so it is not asked for often. */
export const overviewQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['overview', workspace_id],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      contentOf(api.GET('/v1/lineage/overview', { params: { query: { workspace_id } }, signal })),
  });
export type Overview = Awaited<ReturnType<NonNullable<ReturnType<typeof overviewQuery>['queryFn']>>>;

/** The relations with a column whose name starts with the last word. */
export const columnsQuery = (workspace_id: string, q: string, limit: number) =>
  queryOptions({
    queryKey: ['relations', 'columns', workspace_id, q, limit],
    queryFn: ({ signal }) => {
      const query = { workspace_id, q, limit, in: 'columns' as const };
      return contentOf(api.GET('/v1/lineage/relations', { params: { query }, signal }));
    },
  });

export const relationQuery = (workspace_id: string, connector_id: string, relation_ref: string) =>
  queryOptions({
    queryKey: ['relation', workspace_id, connector_id, relation_ref],
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/lineage/relation', { params: { query: { workspace_id, connector_id, relation_ref } }, signal }),
      ),
  });

/** The relation that a name means on any connector of the workspace. */
export const meantRelationQuery = (workspace_id: string, relation_ref: string) =>
  queryOptions({
    queryKey: ['meant relation', workspace_id, relation_ref],
    queryFn: ({ signal }) =>
      contentOf(api.GET('/v1/lineage/relation', { params: { query: { workspace_id, relation_ref } }, signal })),
    retry: false,
  });

export type ImpactQuestion = {
  readonly workspace_id: string;
  readonly connector_id: string;
  readonly relation_ref: string;
  readonly column_ref?: string[];
  readonly direction?: 'upstream' | 'downstream' | 'both';
  readonly max_depth?: number;
  readonly max_nodes?: number;
  readonly as_of?: string;
  readonly include_stale?: boolean;
};

export const impactQuery = (query: ImpactQuestion) =>
  queryOptions({
    queryKey: ['impact', query],
    queryFn: ({ signal }) => contentOf(api.GET('/v1/lineage/impact', { params: { query }, signal })),
  });
export type Impact = Awaited<ReturnType<NonNullable<ReturnType<typeof impactQuery>['queryFn']>>>;

type Edge = { readonly upstream: string; readonly downstream: string };

export const explainQuery = (
  workspace_id: string,
  connector_id: string,
  { upstream, downstream }: Edge,
  as_of?: string,
) =>
  queryOptions({
    queryKey: ['explain', workspace_id, connector_id, upstream, downstream, as_of],
    queryFn: ({ signal }) => {
      const query = { workspace_id, connector_id, upstream, downstream, ...(as_of && { as_of }) };
      return contentOf(api.GET('/v1/lineage/edges/explain', { params: { query }, signal }));
    },
  });
export type Explanation = Awaited<ReturnType<NonNullable<ReturnType<typeof explainQuery>['queryFn']>>>;

export const diffQuery = (workspace_id: string, connector_id: string, from: string, to?: string) =>
  queryOptions({
    queryKey: ['diff', workspace_id, connector_id, from, to],
    queryFn: ({ signal }) => {
      const query = { workspace_id, connector_id, from, limit: 2_000, ...(to && { to }) };
      return contentOf(api.GET('/v1/lineage/diff', { params: { query }, signal }));
    },
  });
export type Diff = Awaited<ReturnType<NonNullable<ReturnType<typeof diffQuery>['queryFn']>>>;

export const providersQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['providers', workspace_id],
    queryFn: ({ signal }) =>
      contentOf(api.GET('/v1/lineage/providers', { params: { query: { workspace_id, limit: pageSize } }, signal })),
  });
export type Provider = Awaited<ReturnType<NonNullable<ReturnType<typeof providersQuery>['queryFn']>>>['items'][number];

type DeliveryFilter = { readonly state?: DeliveryState; readonly connector_id?: string };

export const deliveriesQuery = (workspace_id: string, filter: DeliveryFilter = {}, limit = 50) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', workspace_id, filter, limit],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) => {
      const query = { workspace_id, limit, ...filter, ...(cursor && { cursor }) };
      return contentOf(api.GET('/v1/lineage/deliveries', { params: { query }, signal }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

/** The most pages of deliveries that are read to tell how the last days were. */
const maxRecentPages = 5;

/** The deliveries of the last days, newest first; `since` where there are more than were read. */
export const recentDeliveriesQuery = (workspace_id: string, days: number) =>
  queryOptions({
    queryKey: ['deliveries', workspace_id, 'recent', days],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - days * 86_400_000).toISOString();
      const items: Delivery[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < maxRecentPages; page++) {
        const query = { workspace_id, limit: pageSize, ...(cursor && { cursor }) };
        const answer: DeliveryPage = await contentOf(api.GET('/v1/lineage/deliveries', { params: { query }, signal }));
        items.push(...answer.items.filter(({ received_at }) => received_at >= from));
        cursor = answer.next_cursor;
        if (cursor === null || items.length < (page + 1) * pageSize) return { items, since: null };
      }
      return { items, since: items.at(-1)?.received_at ?? null };
    },
  });

export const deliveryQuery = (workspace_id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['delivery', workspace_id, delivery_id],
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/lineage/deliveries/{delivery_id}', {
          params: { path: { delivery_id }, query: { workspace_id } },
          signal,
        }),
      ),
  });
export type Delivery = Awaited<ReturnType<NonNullable<ReturnType<typeof deliveryQuery>['queryFn']>>>;
export type DeliveryState = Delivery['state'];
type DeliveryPage = { readonly items: readonly Delivery[]; readonly next_cursor: string | null };

export const gapsQuery = (workspace_id: string, provider_instance_id: string) =>
  queryOptions({
    queryKey: ['gaps', workspace_id, provider_instance_id],
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/lineage/providers/{provider_instance_id}/gaps', {
          params: { path: { provider_instance_id }, query: { workspace_id, limit: pageSize } },
          signal,
        }),
      ),
  });

export type Gap = Awaited<ReturnType<NonNullable<ReturnType<typeof gapsQuery>['queryFn']>>>['items'][number];

export const policyQuery = (workspace_id: string, connector_id: string) =>
  queryOptions({
    queryKey: ['policy', workspace_id, connector_id],
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/connectors/{connector_id}/lineage-policy', {
          params: { path: { connector_id }, query: { workspace_id } },
          signal,
        }),
      ),
  });
export type Policy = Awaited<ReturnType<NonNullable<ReturnType<typeof policyQuery>['queryFn']>>>;

export const revisionsQuery = (workspace_id: string, connector_id: string) =>
  queryOptions({
    queryKey: ['policy', workspace_id, connector_id, 'revisions'],
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/connectors/{connector_id}/lineage-policy/revisions', {
          params: { path: { connector_id }, query: { workspace_id, limit: 50 } },
          signal,
        }),
      ),
  });
