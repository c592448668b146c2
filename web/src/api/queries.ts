import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Content, contentOf, getQuery, type ParametersOf } from './client.ts';

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
  getQuery('relations', '/v1/lineage/relations', {
    query: { workspace_id, limit, ...(q && { q }), ...(connector_id && { connector_id }) },
  });

/** The graph in figures. It is counted anew for every answer, so it is not asked for often. */
export const overviewQuery = (workspace_id: string, connector_id?: string) => ({
  ...getQuery('overview', '/v1/lineage/overview', {
    query: { workspace_id, ...(connector_id && { connector_id }) },
  }),
  staleTime: 60_000,
});
export type Overview = Content<'/v1/lineage/overview'>;

/** The relations with a column whose name starts with the last word. */
export const columnsQuery = (workspace_id: string, q: string, limit: number) =>
  getQuery('relations', '/v1/lineage/relations', {
    query: { workspace_id, q, limit, in: 'columns' },
  });

export const relationQuery = (workspace_id: string, connector_id: string, relation_ref: string, as_of?: string) =>
  getQuery('relation', '/v1/lineage/relation', {
    query: { workspace_id, connector_id, relation_ref, ...(as_of && { as_of }) },
  });
export type Relation = Content<'/v1/lineage/relation'>;

/** The relation that a name means on any connector of the workspace. */
export const meantRelationQuery = (workspace_id: string, relation_ref: string) => ({
  ...getQuery('relation', '/v1/lineage/relation', {
    query: { workspace_id, relation_ref },
  }),
  retry: false,
});

export type ImpactQuestion = ParametersOf<'/v1/lineage/impact'>['query'];

export const impactQuery = (query: ImpactQuestion) => getQuery('impact', '/v1/lineage/impact', { query });
export type Impact = Content<'/v1/lineage/impact'>;

type Edge = { readonly upstream: string; readonly downstream: string };

export const explainQuery = (
  workspace_id: string,
  connector_id: string,
  { upstream, downstream }: Edge,
  as_of?: string,
) =>
  getQuery('explain', '/v1/lineage/edges/explain', {
    query: { workspace_id, connector_id, upstream, downstream, ...(as_of && { as_of }) },
  });
export type Explanation = Content<'/v1/lineage/edges/explain'>;

export const diffQuery = (workspace_id: string, connector_id: string, from: string, to?: string) =>
  getQuery('diff', '/v1/lineage/diff', {
    query: { workspace_id, connector_id, from, limit: 2_000, ...(to && { to }) },
  });
export type Diff = Content<'/v1/lineage/diff'>;

/** When complete documents changed the graph of a connector. */
export const historyQuery = (workspace_id: string, connector_id: string) => ({
  ...getQuery('history', '/v1/lineage/changes', {
    query: { workspace_id, connector_id, days: 90 },
  }),
  staleTime: 60_000,
});
export type GraphChanges = Content<'/v1/lineage/changes'>;

/** The comparison of a branch that was answered before. */
export const comparisonQuery = (workspace_id: string, comparison_id: string) =>
  getQuery('comparison', '/v1/lineage/diff/{comparison_id}', {
    path: { comparison_id },
    query: { workspace_id },
  });

export const providersQuery = (workspace_id: string) =>
  getQuery('providers', '/v1/lineage/providers', { query: { workspace_id, limit: pageSize } });
/** On the topic of the providers: a registration changes both. */
export const providerKeysQuery = (workspace_id: string) =>
  getQuery('providers', '/v1/lineage/provider-keys', {
    query: { workspace_id, limit: pageSize },
  });
export type Provider = Content<'/v1/lineage/providers'>['items'][number];
export type RegisteredKey = Content<'/v1/lineage/provider-keys'>['items'][number];

type DeliveryFilter = { readonly state?: DeliveryState; readonly connector_id?: string };

export const deliveriesQuery = (workspace_id: string, filter: DeliveryFilter, limit = 50) =>
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
        const answer: Content<'/v1/lineage/deliveries'> = await contentOf(
          api.GET('/v1/lineage/deliveries', { params: { query }, signal }),
        );
        items.push(...answer.items.filter(({ received_at }) => received_at >= from));
        cursor = answer.next_cursor;
        if (cursor === null || items.length < (page + 1) * pageSize) return { items, since: null };
      }
      return { items, since: items.at(-1)?.received_at ?? null };
    },
  });

export const deliveryQuery = (workspace_id: string, delivery_id: string) =>
  getQuery('delivery', '/v1/lineage/deliveries/{delivery_id}', {
    path: { delivery_id },
    query: { workspace_id },
  });
export type Delivery = Content<'/v1/lineage/deliveries/{delivery_id}'>;
export type DeliveryState = Delivery['state'];

/** On the topic of the providers, which count their open gaps. */
export const gapsQuery = (workspace_id: string, provider_instance_id: string) =>
  getQuery('providers', '/v1/lineage/providers/{provider_instance_id}/gaps', {
    path: { provider_instance_id },
    query: { workspace_id, limit: pageSize },
  });

export type Gap = Content<'/v1/lineage/providers/{provider_instance_id}/gaps'>['items'][number];

export const policyQuery = (workspace_id: string, connector_id: string) =>
  getQuery('policy', '/v1/connectors/{connector_id}/lineage-policy', {
    path: { connector_id },
    query: { workspace_id },
  });
export type Policy = Content<'/v1/connectors/{connector_id}/lineage-policy'>;

export const revisionsQuery = (workspace_id: string, connector_id: string) =>
  getQuery('policy', '/v1/connectors/{connector_id}/lineage-policy/revisions', {
    path: { connector_id },
    query: { workspace_id, limit: 50 },
  });
