import { Gap, GapPage, GapParams, GapPatch, GapsQuery } from '../gaps.ts';
import { limits } from '../limits.ts';
import { ProviderParams } from '../providers.ts';
import type { Route } from '../route.ts';

const path = '/v1/lineage/providers/{provider_instance_id}/gaps';

/** Where evidence feeds fall short: C-GAP-5, C-GAP-6. */
export const gapRoutes = {
  listGaps: {
    method: 'GET',
    path,
    function: 'queries',
    summary: 'Lists the coverage gaps of an evidence feed, newest first.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    params: ProviderParams,
    query: GapsQuery,
    replies: { 200: { description: 'A page of gaps.', schema: GapPage } },
    problems: ['validation_error', 'not_found'],
  },
  patchGap: {
    method: 'PATCH',
    path: `${path}/{gap_id}`,
    function: 'queries',
    summary: 'Ignores a gap that is not over, or opens it again.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    params: GapParams,
    body: { kind: 'json', schema: GapPatch, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The gap.', schema: Gap } },
    problems: ['validation_error', 'not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;
