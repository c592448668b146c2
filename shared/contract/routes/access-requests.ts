import { WorkspaceQuery } from '../access.ts';
import {
  AccessRequestPage,
  AccessRequestParams,
  AccessRequestsQuery,
  AccessRequestView,
  ApproveAccessRequest,
  AttentionPage,
  AttentionQuery,
  CreateAccessRequest,
  DenyAccessRequest,
} from '../access-requests.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const reading = { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' } as const;
const deciding = {
  method: 'POST',
  function: 'access',
  access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' },
  params: AccessRequestParams,
  query: WorkspaceQuery,
  replies: { 200: { description: 'The request, decided.', schema: AccessRequestView } },
  problems: ['not_found', 'conflict'],
} as const satisfies Partial<Route>;

/** Requests for a role, and whatever else waits for somebody. */
export const accessRequestRoutes = {
  createAccessRequest: {
    method: 'POST',
    path: '/v1/access/requests',
    function: 'access',
    summary: 'Asks for a role in the workspace; what is asked for twice is one request.',
    access: { ...reading, workspace: 'body' },
    body: { kind: 'json', schema: CreateAccessRequest, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'The request.', schema: AccessRequestView } },
    problems: ['not_found', 'conflict'],
  },
  listAccessRequests: {
    method: 'GET',
    path: '/v1/access/requests',
    function: 'access',
    summary: 'Lists the caller’s own requests, and everybody’s for administrators, newest first.',
    access: reading,
    query: AccessRequestsQuery,
    replies: { 200: { description: 'A page of requests.', schema: AccessRequestPage } },
    problems: [],
  },
  approveAccessRequest: {
    ...deciding,
    path: '/v1/access/requests/{access_request_id}/approve',
    summary: 'Grants what a request asks for, or less.',
    body: { kind: 'json', schema: ApproveAccessRequest, maxBytes: limits.json.bodyBytes, optional: true },
  },
  denyAccessRequest: {
    ...deciding,
    path: '/v1/access/requests/{access_request_id}/deny',
    summary: 'Denies what a request asks for.',
    body: { kind: 'json', schema: DenyAccessRequest, maxBytes: limits.json.bodyBytes, optional: true },
  },
  listAttention: {
    method: 'GET',
    path: '/v1/access/attention',
    function: 'access',
    summary: 'Lists what waits for the caller: access requests, failed checks, held deliveries; newest first.',
    access: reading,
    query: AttentionQuery,
    replies: { 200: { description: 'A page of what waits.', schema: AttentionPage } },
    problems: [],
  },
} as const satisfies Record<string, Route>;
