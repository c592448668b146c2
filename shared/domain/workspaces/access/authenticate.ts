import type { TokenId, UserId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem, type ProblemCode } from '../../../contract/problems.ts';
import { type Role, roles, type TokenScope } from '../../../contract/vocabulary.ts';
import type { AccessToken } from './records.ts';
import { bearerOf, hashOf, isSecret, secretPrefixes } from './secret.ts';

export type VerifiedSession = { readonly userId: UserId; readonly email: string | null };

export type AuthenticationPorts = {
  /** The session that a JWT represents at `now`, or null if it is not valid. */
  readonly session: (jwt: string, now: Date) => Promise<VerifiedSession | null>;
  /** The token with this hash and its maker's membership, both as of now; null if there is none. */
  readonly token: (hash: string) => Promise<{ readonly token: AccessToken; readonly membership: Membership } | null>;
  /** Notes the use of a token; it may be lost. */
  readonly used: (token: AccessToken, now: Date) => Promise<void>;
};

/** Who calls: a session JWT or a personal access token behind `Bearer`. Throws 401 `unauthorized` for all else. */
export async function authenticate(
  ports: AuthenticationPorts,
  authorization: string | undefined,
  now: Date,
): Promise<Caller> {
  const credential = bearerOf(authorization);
  if (credential === undefined) throw new Problem('unauthorized');
  const caller = credential.startsWith(secretPrefixes.token)
    ? await tokenCaller(ports, credential, now)
    : await sessionCaller(ports, credential, now);
  if (caller === null) throw new Problem('unauthorized');
  return caller;
}

async function sessionCaller(ports: AuthenticationPorts, jwt: string, now: Date): Promise<SessionCaller | null> {
  const session = await ports.session(jwt, now);
  return session && { kind: 'session', ...session };
}

async function tokenCaller(ports: AuthenticationPorts, secret: string, now: Date): Promise<PatCaller | null> {
  if (!isSecret('token', secret)) return null;
  const found = await ports.token(hashOf(secret));
  if (found === null || !isLive(found.token, now)) return null;
  const { token, membership } = found;
  if (isUseStale(token, now)) await ports.used(token, now);
  return {
    kind: 'pat',
    userId: token.user_id,
    tokenId: token.id,
    workspaceId: token.workspace_id,
    scopes: token.scopes,
    membership,
  };
}

const isLive = (token: AccessToken, now: Date): boolean =>
  token.revoked_at === null && now.getTime() < Date.parse(token.expires_at);

const hour = 3_600_000;

const isUseStale = ({ last_used_at }: AccessToken, now: Date): boolean =>
  last_used_at === null || now.getTime() - Date.parse(last_used_at) >= hour;

export type Membership = { readonly role: Role | null; readonly patsEnabled: boolean };

/** A signed-in user: spans the user's memberships and carries every scope. */
type SessionCaller = { readonly kind: 'session'; readonly userId: UserId; readonly email: string | null };

/** A personal access token: bound to one workspace, with exactly its scopes and its maker's role. */
type PatCaller = {
  readonly kind: 'pat';
  readonly userId: UserId;
  readonly tokenId: TokenId;
  readonly workspaceId: WorkspaceId;
  readonly scopes: readonly TokenScope[];
  readonly membership: Membership;
};

export type Caller = SessionCaller | PatCaller;

/** The checks for access to a workspace, in evaluation order. */
export const admissionSteps = ['token', 'workspace_pat_policy', 'membership', 'scope', 'role'] as const;
export type AdmissionStep = (typeof admissionSteps)[number];

export type AdmissionRequest = {
  readonly needed: { readonly scope: TokenScope; readonly role: Role; readonly session?: true };
  readonly caller: Caller;
  /** Null where what was requested cannot be a workspace's id. */
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
