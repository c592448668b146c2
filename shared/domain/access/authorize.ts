import type { UserId } from '../../contract/ids.ts';
import { idOrNull, WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { Access } from '../../contract/route.ts';
import { type Role, roles, type Scope } from '../../contract/vocabulary.ts';
import type { Caller, PatCaller, SessionCaller, Standing } from './caller.ts';

export type MemberAccess = Extract<Access, { kind: 'member' }>;

/** What a workspace says of a user, as of now: a role that was taken away does not count any more. */
export type StandingOf = (workspace: WorkspaceId, user: UserId) => Promise<Standing>;

/**
 * Lets the caller into the workspace, or throws 403: the token's workspace, its policy, its kind, the scope, the role
 * (decisions 1, 10). Nothing tells a workspace that does not exist from one that the caller is no member of.
 */
export async function authorize(
  standingOf: StandingOf,
  access: MemberAccess,
  caller: Caller,
  asked: string,
): Promise<WorkspaceId> {
  return caller.kind === 'pat'
    ? authorizeToken(access, caller, asked)
    : authorizeSession(standingOf, access, caller, asked);
}

/** A route that names no workspace: 403 where the token is not honoured or lacks the scope. */
export function authorizeSignedIn(scope: Scope, caller: Caller): void {
  if (caller.kind === 'pat') requireHonoured(caller, scope);
}

function authorizeToken(access: MemberAccess, caller: PatCaller, asked: string): WorkspaceId {
  if (asked !== caller.workspaceId) throw new Problem('workspace_token_mismatch');
  if (!caller.standing.patsEnabled) throw new Problem('pats_disabled');
  if (access.session) throw new Problem('session_required');
  requireHonoured(caller, access.scope);
  requireRole(access.role, caller.standing.role);
  return caller.workspaceId;
}

async function authorizeSession(
  standingOf: StandingOf,
  access: MemberAccess,
  caller: SessionCaller,
  asked: string,
): Promise<WorkspaceId> {
  const workspace = idOrNull(WorkspaceId, asked);
  if (workspace === null) throw new Problem('insufficient_workspace_role');
  requireRole(access.role, (await standingOf(workspace, caller.userId)).role);
  return workspace;
}

function requireHonoured({ standing, scopes }: PatCaller, scope: Scope): void {
  if (!standing.patsEnabled) throw new Problem('pats_disabled');
  if (!scopes.includes(scope)) throw new Problem('insufficient_scope');
}

function requireRole(needed: Role, role: Role | null): void {
  if (role === null || roles.indexOf(role) < roles.indexOf(needed)) throw new Problem('insufficient_workspace_role');
}
