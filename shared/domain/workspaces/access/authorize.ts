import type { UserId } from '../../../contract/ids.ts';
import { idOrNull, WorkspaceId } from '../../../contract/ids.ts';
import { Problem, type ProblemCode } from '../../../contract/problems.ts';
import type { Access } from '../../../contract/route.ts';
import type { Role, TokenScope } from '../../../contract/vocabulary.ts';
import { type AdmissionRequest, type AdmissionStep, type Caller, type Membership, refusalOf } from './authenticate.ts';

export type MemberAccess = Extract<Access, { kind: 'member' }>;

/** The least role that may use what a scope permits. */
export const roleForScope: Readonly<Record<TokenScope, Role>> = { read: 'viewer', write: 'editor', admin: 'admin' };

/** A user's current standing in a workspace. Revoked roles have no effect. */
export type MembershipReader = (workspace: WorkspaceId, user: UserId) => Promise<Membership>;

/**
 * Lets the caller into the workspace, or throws the 403 of the first step of admission that refuses.
 *
 * @param onRefused called before it throws, if the caller is a member of a workspace
 */
export async function authorize(
  readMembership: MembershipReader,
  needed: AdmissionRequest['needed'],
  caller: Caller,
  scope: string,
  onRefused: (workspace: WorkspaceId, code: ProblemCode) => Promise<void> = async () => {},
): Promise<WorkspaceId> {
  const request = await admissionRequest(readMembership, needed, caller, scope);
  const refusal = refusalOf(request);
  if (refusal !== null) {
    const own = caller.kind === 'pat' ? caller.workspaceId : request.workspace;
    if (own !== null && request.membership.role !== null) await onRefused(own, refusal.code);
    throw new Problem(refusal.code);
  }
  if (request.workspace === null) throw new Problem('insufficient_workspace_role');
  return request.workspace;
}

export async function roleOf(readMembership: MembershipReader, caller: Caller, workspace: WorkspaceId): Promise<Role> {
  const { role } = caller.kind === 'pat' ? caller.membership : await readMembership(workspace, caller.userId);
  return role ?? 'viewer';
}

/** All that admission looks at; a token brings its own membership along. */
export async function admissionRequest(
  readMembership: MembershipReader,
  needed: AdmissionRequest['needed'],
  caller: Caller,
  scope: string,
): Promise<AdmissionRequest> {
  const workspace = idOrNull(WorkspaceId, scope);
  const membership =
    caller.kind === 'pat' ? caller.membership : workspace && (await readMembership(workspace, caller.userId));
  return { needed, caller, workspace, membership: membership ?? nobody };
}

const nobody: Membership = { role: null, patsEnabled: false };

/** Of a route that names no workspace, what a token has to pass. */
const withoutWorkspace: readonly AdmissionStep[] = ['workspace_pat_policy', 'scope'];

/** A route that names no workspace: 403 where the token is not honoured or lacks the scope. */
export function authorizeSignedIn(scope: TokenScope, caller: Caller): void {
  const membership = caller.kind === 'pat' ? caller.membership : nobody;
  const request: AdmissionRequest = { needed: { scope, role: 'viewer' }, caller, workspace: null, membership };
  const refusal = refusalOf(request, withoutWorkspace);
  if (refusal !== null) throw new Problem(refusal.code);
}
