import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import { type Role, roles, type TokenScope } from '../../../contract/vocabulary.ts';
import type { Caller, Membership } from './authenticate.ts';

/** What a caller must pass to enter a workspace, in the order in which it is asked. */
export const admissionSteps = ['token', 'workspace_pat_policy', 'membership', 'scope', 'role'] as const;
export type AdmissionStep = (typeof admissionSteps)[number];

/** Who asks for what; what the workspace says of them, as of now. */
export type AdmissionRequest = {
  readonly needed: { readonly scope: TokenScope; readonly role: Role; readonly session?: true };
  readonly caller: Caller;
  /** Null where what was asked for cannot be a workspace's id. */
  readonly workspace: WorkspaceId | null;
  readonly membership: Membership;
};

type Check = (request: AdmissionRequest) => ProblemCode | null;

/** The one truth about who may enter: requests are refused by it, and diagnoses explained. */
export const admission: Readonly<Record<AdmissionStep, Check>> = {
  token: ({ caller, workspace }) =>
    caller.kind === 'pat' && caller.workspaceId !== workspace ? 'workspace_token_mismatch' : null,
  workspace_pat_policy: ({ caller, membership, needed }) => {
    if (caller.kind === 'session') return null;
    if (!membership.patsEnabled) return 'pats_disabled';
    return needed.session ? 'session_required' : null;
  },
  // Nothing tells a workspace that does not exist from one that the caller is no member of.
  membership: ({ membership }) => (membership.role === null ? 'insufficient_workspace_role' : null),
  scope: ({ caller, needed }) =>
    caller.kind === 'pat' && !caller.scopes.includes(needed.scope) ? 'insufficient_scope' : null,
  role: ({ membership: { role }, needed }) =>
    role !== null && roles.indexOf(role) >= roles.indexOf(needed.role) ? null : 'insufficient_workspace_role',
};

/** The first of the steps that refuses, and its code; null where all are passed. */
export function refusalOf(
  request: AdmissionRequest,
  steps: readonly AdmissionStep[] = admissionSteps,
): { readonly step: AdmissionStep; readonly code: ProblemCode } | null {
  for (const step of steps) {
    const code = admission[step](request);
    if (code !== null) return { step, code };
  }
  return null;
}
