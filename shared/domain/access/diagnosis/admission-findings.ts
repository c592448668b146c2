import type { ProblemCode } from '../../../contract/problems.ts';
import { type AdmissionRequest, type AdmissionStep, admission } from '../admission.ts';
import type { AccessQuestion } from './access-question.ts';
import type { Finding } from './finding.ts';

/** What admission itself says of one of its steps. */
export function admissionFinding(step: AdmissionStep, { admission: request, presentsToken }: AccessQuestion): Finding {
  const evidence = evidenceOf[step](request);
  if (!presentsToken && dependsOnToken(step, request)) return { status: 'unknown', detail: notSeen, evidence };
  const code = admission[step](request);
  if (code === null) return { status: 'ok', detail: passed[step], evidence };
  return {
    status: 'broken',
    detail: 'Requests are refused here.',
    evidence,
    code,
    remedy: remedyOf(step, code, request),
  };
}

const notSeen = 'It depends on what the user presents, which is not known here.';

/** A session carries every scope and needs no token policy; of a token neither is known before it is seen. */
const dependsOnToken = (step: AdmissionStep, { membership }: AdmissionRequest): boolean =>
  step === 'token' || step === 'scope' || (step === 'workspace_pat_policy' && !membership.patsEnabled);

const passed: Readonly<Record<AdmissionStep, string>> = {
  token: 'The token is valid for the workspace.',
  workspace_pat_policy: 'The workspace takes this kind of token.',
  membership: 'The user is a member of the workspace.',
  scope: 'The token carries the scope.',
  role: 'The role suffices.',
};

const evidenceOf: Readonly<Record<AdmissionStep, (request: AdmissionRequest) => Readonly<Record<string, unknown>>>> = {
  token: ({ caller }) => ({ kind: caller.kind, ...(caller.kind === 'pat' && { token_id: caller.tokenId }) }),
  workspace_pat_policy: ({ membership }) => ({ pats_enabled: membership.patsEnabled }),
  membership: ({ caller, membership }) => ({ user_id: caller.userId, role: membership.role }),
  scope: ({ caller, needed }) => ({
    needed: needed.scope,
    ...(caller.kind === 'pat' && { scopes: caller.scopes }),
  }),
  role: ({ membership, needed }) => ({ needed: needed.role, role: membership.role }),
};

function remedyOf(step: AdmissionStep, code: ProblemCode, { needed }: AdmissionRequest): string {
  switch (code) {
    case 'workspace_token_mismatch':
      return 'Use a token of this workspace, or a session.';
    case 'pats_disabled':
      return 'Use a session, or have the operator enable access tokens for the workspace.';
    case 'session_required':
      return 'Use a session in the place of an access token.';
    case 'insufficient_scope':
      return `Use a token with the scope ${needed.scope}.`;
    default:
      return step === 'membership'
        ? 'Have an operator add the user to the workspace.'
        : `Ask an administrator of the workspace for the role ${needed.role} with an access request.`;
  }
}
