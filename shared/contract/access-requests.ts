import * as v from 'valibot';
import { anyId, pageCursor, pageLimit, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { roles, severities } from './vocabulary.ts';

export const accessRequestStates = ['pending', 'approved', 'denied'] as const;

const reason = text(limits.accessRequest.reason);

export const CreateAccessRequest = v.strictObject({
  workspace_id: anyId,
  connector_id: anyId,
  role: v.picklist(roles),
  reason,
});
export type CreateAccessRequest = v.InferOutput<typeof CreateAccessRequest>;

/** What a member asks for, and what became of it. */
export const AccessRequestView = v.object({
  id: v.string(),
  workspace_id: v.string(),
  connector_id: v.string(),
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

export const AccessRequestsQuery = v.object({
  workspace_id: anyId,
  state: v.optional(v.picklist(accessRequestStates)),
  limit: pageLimit,
  cursor: pageCursor,
});
export const AccessRequestPage = v.object({
  workspace_id: v.string(),
  items: v.array(AccessRequestView),
  next_cursor: v.nullable(v.string()),
});
export type AccessRequestPage = v.InferOutput<typeof AccessRequestPage>;

export const AccessRequestParams = v.object({ access_request_id: anyId });
/** What was asked for or less; what was asked for where it is left out. */
export const ApproveAccessRequest = v.strictObject({ role: v.optional(v.nullable(v.picklist(roles)), null) });
export const DenyAccessRequest = v.strictObject({ reason: v.optional(v.nullable(reason), null) });

const attentionKinds = ['access_request', 'agent_check', 'delivery'] as const;

/** Something that waits for one who may act on it. */
export const AttentionItem = v.object({
  id: v.string(),
  /** Of what happened: another time the same thing waits, it is another event. */
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

export const AttentionQuery = v.object({ workspace_id: anyId, limit: pageLimit, cursor: pageCursor });
export const AttentionPage = v.object({
  workspace_id: v.string(),
  items: v.array(AttentionItem),
  next_cursor: v.nullable(v.string()),
});
export type AttentionPage = v.InferOutput<typeof AttentionPage>;
