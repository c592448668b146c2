import * as v from 'valibot';
import { anyId } from './fields.ts';
import { UserId } from './ids.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy } from './route.ts';
import { tokenScopes } from './vocabulary.ts';

const object = v.record(v.string(), v.unknown());

const accessStepStatuses = ['ok', 'broken', 'unknown', 'skipped'] as const;

export const AccessChainStep = v.object({
  step: v.string(),
  status: v.picklist(accessStepStatuses),
  title: v.string(),
  detail: v.optional(v.string(), ''),
  evidence: object,
});
export type AccessChainStep = v.InferOutput<typeof AccessChainStep>;

/** The first broken link; the message says what would remedy it. */
export const AccessRootCause = v.object({ step: v.string(), code: v.string(), message: v.optional(v.string(), '') });
export type AccessRootCause = v.InferOutput<typeof AccessRootCause>;

export const AccessDiagnosisBundle = v.object({
  chain: v.array(AccessChainStep),
  connector: object,
  effective_grants: v.array(object),
  evidence: object,
  matched_groups: v.array(object),
  root_cause: v.nullable(AccessRootCause),
  subject: object,
});
export type AccessDiagnosisBundle = v.InferOutput<typeof AccessDiagnosisBundle>;

const AccessDiagnosisRequest = v.strictObject({
  workspace_id: anyId,
  connector_id: anyId,
  /** Each action is the scope of its name. */
  action: v.picklist(tokenScopes),
  user_id: v.optional(UserId),
});

/** Why somebody may do something with a connector, or may not. */
export const accessDiagnosisRoutes = servedBy('access', {
  diagnoseAccess: {
    method: 'POST',
    path: '/v1/access/diagnosis',
    summary: 'Checks each condition between a user and an action on a connector, and returns the first that fails.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'body' },
    body: { kind: 'json', schema: AccessDiagnosisRequest, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The links in order, and what is wrong.', schema: AccessDiagnosisBundle } },
  },
} as const satisfies FunctionRoutes);
