import * as v from 'valibot';
import type { CreateToken, TokenDevice } from '../../../contract/access.ts';
import { TokenId, type UserId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { tokenScopes } from '../../../contract/vocabulary.ts';
import { type PageRequest, pageById } from '../../base/paging/cursor.ts';
import { type Operator, requireCommit, updateRecord } from './operator.ts';
import type { AccessToken } from './records.ts';
import { hashOf, newSecret } from './secret.ts';

const day = 86_400_000;

type NewToken = Omit<CreateToken, 'workspace_id'> & {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly device?: TokenDevice;
};

/** Makes a personal access token; `token` is shown here and never again. 403 `pats_disabled` where the workspace has none. */
export async function createToken(ports: Operator, input: NewToken) {
  const { registry, clock, randomBytes } = ports;
  const workspace = await registry.workspaces.find({ id: input.workspace_id });
  if (!workspace?.record.pats_enabled) throw new Problem('pats_disabled');
  const token = newSecret(randomBytes, 'token');
  const record = tokenRecord(input, hashOf(token), randomBytes, clock.now());
  const { workspace_id, user_id, id, name, hash, expires_at } = record;
  const place = { workspace_id, user_id, project_id: null, id };
  const secret = registry.secrets.create({ ...place, hash, kind: 'token', expires_at });
  const auditAction = { workspace_id, action: 'token.create', subject: { id, name, scopes: record.scopes } };
  await requireCommit(ports, [registry.tokens.create(record), secret], auditAction);
  return { record, token };
}

function tokenRecord(input: NewToken, hash: string, randomBytes: Operator['randomBytes'], now: Date): AccessToken {
  const { workspace_id, user_id, name, client_kind, expires_in_days, device = null } = input;
  return {
    workspace_id,
    id: v.parse(TokenId, `tok_${Buffer.from(randomBytes(15)).toString('base64url')}`),
    user_id,
    name,
    scopes: tokenScopes.filter((scope) => input.scopes.includes(scope)),
    client_kind,
    device,
    hash,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + expires_in_days * day).toISOString(),
    last_used_at: null,
    revoked_at: null,
  };
}

/** Ends a token at once; one that is ended stays so. 404 where the workspace has no such token. */
export function revokeToken(ports: Operator, workspace_id: WorkspaceId, id: TokenId): Promise<AccessToken> {
  return updateRecord(ports, ports.registry.tokens, { workspace_id, id }, (token) => {
    if (token.revoked_at !== null) return null;
    const record = { ...token, revoked_at: ports.clock.now().toISOString() };
    return { record, auditAction: { workspace_id, action: 'token.revoke', subject: { id, name: record.name } } };
  });
}

export async function listTokens(
  { registry }: Pick<Operator, 'registry'>,
  workspace: WorkspaceId,
  request: PageRequest,
) {
  const all = await registry.tokens.list(workspace);
  const { page: items, next_cursor: next } = pageById(['tokens', workspace], all, request);
  return { items, next };
}
