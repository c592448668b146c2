import { limits } from '../limits.ts';
import {
  LineagePolicy,
  LineagePolicyRevisions,
  PolicyParams,
  PolicyQuery,
  PolicyRevisionsQuery,
  PutPolicy,
} from '../policy.ts';
import type { Route } from '../route.ts';

const administering = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;
const path = '/v1/connectors/{connector_id}/lineage-policy';
const policy = { description: 'The policy that holds, and how far its recount has come.', schema: LineagePolicy };

/** What lineage a connector admits: C-POLICY-1 to C-POLICY-6. */
export const policyRoutes = {
  getPolicy: {
    method: 'GET',
    path,
    function: 'policy',
    summary: 'Returns the lineage policy of a connector.',
    access: administering,
    params: PolicyParams,
    query: PolicyQuery,
    replies: { 200: policy },
    problems: ['not_found', 'validation_error', 'rate_limited'],
  },
  putPolicy: {
    method: 'PUT',
    path,
    function: 'policy',
    summary: 'Makes a new revision of the lineage policy of a connector; it holds at once.',
    access: { ...administering, workspace: 'body' },
    params: PolicyParams,
    body: { kind: 'json', schema: PutPolicy, maxBytes: limits.json.bodyBytes },
    replies: { 200: policy },
    problems: ['not_found', 'validation_error', 'conflict', 'rate_limited'],
  },
  listPolicyRevisions: {
    method: 'GET',
    path: `${path}/revisions`,
    function: 'policy',
    summary: 'Lists the revisions of the lineage policy of a connector, newest first.',
    access: administering,
    params: PolicyParams,
    query: PolicyRevisionsQuery,
    replies: { 200: { description: 'A page of revisions.', schema: LineagePolicyRevisions } },
    problems: ['not_found', 'validation_error', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
