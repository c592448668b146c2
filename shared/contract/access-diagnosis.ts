import * as v from 'valibot';
import { anyId } from './fields.ts';
import { UserId } from './ids.ts';
import { tokenScopes } from './vocabulary.ts';

const object = v.record(v.string(), v.unknown());

const accessStepStatuses = ['ok', 'broken', 'unknown', 'skipped'] as const;

/** One link between a user and an action on a connector. */
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

export const AccessDiagnosisRequest = v.strictObject({
  workspace_id: anyId,
  connector_id: anyId,
  /** Each action is the scope of its name. */
  action: v.picklist(tokenScopes),
  /** Another user's access; for administrators. */
  user_id: v.optional(UserId),
});
export type AccessDiagnosisRequest = v.InferOutput<typeof AccessDiagnosisRequest>;
