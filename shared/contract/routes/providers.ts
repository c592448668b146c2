import { limits } from '../limits.ts';
import {
  ProviderInstance,
  ProviderPage,
  ProviderParams,
  ProviderPatch,
  ProviderQuery,
  ProvidersQuery,
} from '../providers.ts';
import type { Route } from '../route.ts';

/** Evidence feeds and their health: C-PROVIDER-3, C-PROVIDER-5. */
export const providerRoutes = {
  listProviders: {
    method: 'GET',
    path: '/v1/lineage/providers',
    function: 'queries',
    summary: 'Lists the evidence feeds of a workspace.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    query: ProvidersQuery,
    replies: { 200: { description: 'A page of provider instances.', schema: ProviderPage } },
    problems: ['validation_error', 'not_found'],
  },
  getProvider: {
    method: 'GET',
    path: '/v1/lineage/providers/{provider_instance_id}',
    function: 'queries',
    summary: 'Tells how an evidence feed does.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    params: ProviderParams,
    query: ProviderQuery,
    replies: { 200: { description: 'The provider instance.', schema: ProviderInstance } },
    problems: ['validation_error', 'not_found'],
  },
  patchProvider: {
    method: 'PATCH',
    path: '/v1/lineage/providers/{provider_instance_id}',
    function: 'queries',
    summary: 'Pauses, disables or resumes an evidence feed.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    params: ProviderParams,
    body: { kind: 'json', schema: ProviderPatch, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The provider instance.', schema: ProviderInstance } },
    problems: ['validation_error', 'not_found'],
  },
} as const satisfies Record<string, Route>;
