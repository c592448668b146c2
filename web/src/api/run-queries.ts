import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, contentOf } from './client.ts';
import { type Policy, pageSize } from './queries.ts';

export const tokensQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['tokens', workspace_id],
    queryFn: ({ signal }) =>
      contentOf(api.GET('/v1/auth/tokens', { params: { query: { workspace_id, limit: pageSize } }, signal })),
  });

export type Token = Awaited<ReturnType<NonNullable<ReturnType<typeof tokensQuery>['queryFn']>>>['items'][number];

export const attentionQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['attention', workspace_id],
    retry: false,
    queryFn: ({ signal }) =>
      contentOf(api.GET('/v1/access/attention', { params: { query: { workspace_id } }, signal })),
  });

export type Attention = Awaited<ReturnType<NonNullable<ReturnType<typeof attentionQuery>['queryFn']>>>['items'][number];

export const checksQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['checks', workspace_id],
    retry: false,
    queryFn: ({ signal }) => contentOf(api.GET('/v1/agent/checks', { params: { query: { workspace_id } }, signal })),
  });

export type Check = Awaited<ReturnType<NonNullable<ReturnType<typeof checksQuery>['queryFn']>>>['agent_checks'][number];

export const checkResultsQuery = (workspace_id: string, check_id: string, limit = 10) =>
  queryOptions({
    queryKey: ['checks', workspace_id, check_id, limit],
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/agent/checks/{check_id}/results', {
          params: { path: { check_id }, query: { workspace_id, limit } },
          signal,
        }),
      ),
  });

export const collectionProjectsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['collection', workspace_id],
    queryFn: ({ signal }) =>
      contentOf(api.GET('/v1/collection-projects', { params: { query: { workspace_id, limit: pageSize } }, signal })),
  });
export type CollectionProject = Awaited<
  ReturnType<NonNullable<ReturnType<typeof collectionProjectsQuery>['queryFn']>>
>['items'][number];

export const eventCountsQuery = (workspace_id: string, collection_project_id: string, days: number) =>
  queryOptions({
    queryKey: ['collection', workspace_id, collection_project_id, 'counts', days],
    refetchInterval: 15_000,
    queryFn: ({ signal }) =>
      contentOf(
        api.GET('/v1/collection-projects/{collection_project_id}/counts', {
          params: { path: { collection_project_id }, query: { workspace_id, days } },
          signal,
        }),
      ),
  });

export type PolicyDraft = Pick<Policy, 'filters' | 'fusion_weights'>;

/** What a draft would change, compared with the revision that is in force; asked for once there is a draft. */
export const previewQuery = (workspace_id: string, connector_id: string, revision: number, draft: PolicyDraft | null) =>
  infiniteQueryOptions({
    queryKey: ['policy', workspace_id, connector_id, 'preview', revision, draft],
    enabled: draft !== null,
    retry: false,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) => {
      if (draft === null) throw new Error('There is no policy to look at.');
      const body = { workspace_id, ...draft, ...(cursor && { cursor }) };
      const params = { path: { connector_id } };
      return contentOf(api.POST('/v1/connectors/{connector_id}/lineage-policy/preview', { params, body, signal }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
