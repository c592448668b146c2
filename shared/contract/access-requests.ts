import * as v from 'valibot';
import { anyId, pageOf, paging, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import {
  adminAccess,
  type FunctionRoutes,
  PageQuery,
  type Route,
  servedBy,
  viewerAccess,
  WorkspaceQuery,
} from './route.ts';
import { roles, severities, tokenScopes } from './vocabulary.ts';

export const accessRequestStates = ['pending', 'approved', 'denied'] as const;

const reason = text(limits.accessRequest.reason);

export const CreateAccessRequest = v.strictObject({
  workspace_id: anyId,
  connector_id: anyId,
  role: v.picklist(roles),
  reason,
});
export type CreateAccessRequest = v.InferOutput<typeof CreateAccessRequest>;

/** A program that a member wants a token for: C-AGENT-16. */
const RequestedClient = v.object({
  client_id: v.nullable(v.string()),
  client_name: v.string(),
  device_id: v.string(),
  redirect_uri: v.string(),
  scopes: v.array(v.picklist(tokenScopes)),
  /** Tells one sign-in of the program from another. */
  sign_in: v.string(),
  /** When the program's sign-in went on with the approval, which counts once. */
  used_at: v.nullable(timestamp),
});

export const AccessRequestView = v.object({
  id: v.string(),
  workspace_id: v.string(),
  /** Null for a request for a client. */
  connector_id: v.nullable(v.string()),
  /** Null for a request for a role. */
  client: v.nullable(RequestedClient),
  user_id: v.string(),
  role: v.picklist(roles),
  reason: v.string(),
  state: v.picklist(accessRequestStates),
  created_at: timestamp,
  decided_at: v.nullable(timestamp),
  decided_by: v.nullable(v.string()),
  /** The role that was given; null unless approved. */
  granted_role: v.nullable(v.picklist(roles)),
  decision_reason: v.nullable(v.string()),
});
export type AccessRequestView = v.InferOutput<typeof AccessRequestView>;

const AccessRequestsQuery = v.object({
  workspace_id: anyId,
  state: v.optional(v.picklist(accessRequestStates)),
  ...paging,
});
export const AccessRequestPage = pageOf(AccessRequestView);
export type AccessRequestPage = v.InferOutput<typeof AccessRequestPage>;

/** The granted role: the requested one (default) or a lower one. */
const ApproveAccessRequest = v.strictObject({ role: v.optional(v.nullable(v.picklist(roles)), null) });
const DenyAccessRequest = v.strictObject({ reason: v.optional(v.nullable(reason), null) });

const attentionKinds = ['access_request', 'agent_check', 'delivery'] as const;

export const AttentionItem = v.object({
  id: v.string(),
  /** The id of the occurrence. A later occurrence of the same thing gets a new id. */
  event_id: v.string(),
  kind: v.picklist(attentionKinds),
  title: v.string(),
  /** In the explorer. */
  href: v.string(),
  description: v.nullable(v.string()),
  requester: v.nullable(v.string()),
  timestamp: v.nullable(timestamp),
  severity: v.picklist(severities),
});
export type AttentionItem = v.InferOutput<typeof AttentionItem>;

export const AttentionPage = pageOf(AttentionItem);
export type AttentionPage = v.InferOutput<typeof AttentionPage>;

const deciding = {
  method: 'POST',
  access: adminAccess,
  query: WorkspaceQuery,
  replies: { 200: { description: 'The request, decided.', schema: AccessRequestView } },
  problems: ['conflict'],
} as const satisfies Partial<Route>;

export const accessRequestRoutes = servedBy('access', {
  createAccessRequest: {
    method: 'POST',
    path: '/v1/access/requests',
    summary: 'Requests a role in the workspace. While a request for the same is pending, the answer is that one.',
    access: { ...viewerAccess, workspace: 'body' },
    body: { kind: 'json', schema: CreateAccessRequest, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'The request, also if it was pending already.', schema: AccessRequestView } },
    problems: ['not_found', 'conflict'],
  },
  listAccessRequests: {
    method: 'GET',
    path: '/v1/access/requests',
    summary: 'Lists the caller’s own requests, and everybody’s for administrators, newest first.',
    access: viewerAccess,
    query: AccessRequestsQuery,
    replies: { 200: { description: 'A page of requests.', schema: AccessRequestPage } },
  },
  approveAccessRequest: {
    ...deciding,
    access: { ...deciding.access, session: true },
    path: '/v1/access/requests/{access_request_id}/approve',
    summary: 'Approves a request with the requested role or a lower one.',
    body: { kind: 'json', schema: ApproveAccessRequest, maxBytes: limits.json.bodyBytes, optional: true },
  },
  denyAccessRequest: {
    ...deciding,
    path: '/v1/access/requests/{access_request_id}/deny',
    summary: 'Denies a request.',
    body: { kind: 'json', schema: DenyAccessRequest, maxBytes: limits.json.bodyBytes, optional: true },
  },
  listAttention: {
    method: 'GET',
    path: '/v1/access/attention',
    summary: 'Lists access requests, failed checks and held deliveries that need the caller’s attention, newest first.',
    access: viewerAccess,
    query: PageQuery,
    replies: { 200: { description: 'A page of what waits.', schema: AttentionPage } },
  },
} as const satisfies FunctionRoutes);
