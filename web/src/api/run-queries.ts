import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Content, contentOf, getQuery } from './client.ts';
import { type Policy, pageSize } from './queries.ts';

export const tokensQuery = (workspace_id: string) =>
  getQuery('tokens', '/v1/auth/tokens', { query: { workspace_id, limit: pageSize } });

export type Token = Content<'/v1/auth/tokens'>['items'][number];

export const attentionQuery = (workspace_id: string) => ({
  ...getQuery('attention', '/v1/access/attention', { query: { workspace_id } }),
  retry: false,
});

export type Attention = Content<'/v1/access/attention'>['items'][number];

export const checksQuery = (workspace_id: string) => ({
  ...getQuery('checks', '/v1/agent/checks', { query: { workspace_id } }),
  retry: false,
});

export type Check = Content<'/v1/agent/checks'>['agent_checks'][number];

export const checkResultsQuery = (workspace_id: string, check_id: string) =>
  getQuery('checks', '/v1/agent/checks/{check_id}/results', {
    path: { check_id },
    query: { workspace_id, limit: 10 },
  });

export const collectionProjectsQuery = (workspace_id: string) =>
  getQuery('collection', '/v1/collection-projects', { query: { workspace_id, limit: pageSize } });
export type CollectionProject = Content<'/v1/collection-projects'>['items'][number];

export const eventCountsQuery = (workspace_id: string, collection_project_id: string, days: number) => ({
  ...getQuery('collection', '/v1/collection-projects/{collection_project_id}/counts', {
    path: { collection_project_id },
    query: { workspace_id, days },
  }),
  refetchInterval: 15_000,
});

export type EventCounts = Content<'/v1/collection-projects/{collection_project_id}/counts'>;

export const eventShapesQuery = (workspace_id: string, collection_project_id: string) => ({
  ...getQuery('collection', '/v1/collection-projects/{collection_project_id}/shapes', {
    path: { collection_project_id },
    query: { workspace_id },
  }),
  refetchInterval: 15_000,
});
export type EventShapes = Content<'/v1/collection-projects/{collection_project_id}/shapes'>;
export type EventShape = EventShapes['items'][number];

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
