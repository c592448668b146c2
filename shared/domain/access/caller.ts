import type { TokenId, UserId, WorkspaceId } from '../../contract/ids.ts';
import type { Role, TokenScope } from '../../contract/vocabulary.ts';

/** What a workspace says of a user: a role where it has the user as a member, and whether it honours access tokens. */
export type Membership = { readonly role: Role | null; readonly patsEnabled: boolean };

/** A signed-in user: spans the user's memberships and carries every scope. */
export type SessionCaller = { readonly kind: 'session'; readonly userId: UserId; readonly email: string | null };

/** A personal access token: bound to one workspace, with exactly its scopes and its maker's role. */
export type PatCaller = {
  readonly kind: 'pat';
  readonly userId: UserId;
  readonly tokenId: TokenId;
  readonly workspaceId: WorkspaceId;
  readonly scopes: readonly TokenScope[];
  readonly membership: Membership;
};

export type Caller = SessionCaller | PatCaller;
