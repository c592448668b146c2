import type { accessRoutes } from '../../shared/contract/access.ts';
import { idOf, TokenId } from '../../shared/contract/ids.ts';
import type { RegistryWriter } from '../../shared/domain/workspaces/access/operator.ts';
import type { AccessToken } from '../../shared/domain/workspaces/access/records.ts';
import { createToken, listTokens, revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const tokenRoutes = (ports: RegistryWriter): Implementations<typeof accessRoutes> => ({
  createToken: async ({ body, caller: { userId }, workspace }) => {
    const created = await createToken(
      { ...ports, actor: userId },
      { ...body, workspace_id: workspace, user_id: userId },
    );
    return { ...described(created.record), token: created.token };
  },
  listTokens: async ({ query, workspace }) => {
    const { items, next } = await listTokens(ports, workspace, query);
    return { workspace_id: workspace, items: items.map(listed), next_cursor: next };
  },
  revokeToken: async ({ params, caller, workspace }) => {
    await revokeToken({ ...ports, actor: caller.userId }, workspace, idOf(TokenId, params.token_id));
  },
});

export const described = ({ id, name, workspace_id, scopes, client_kind, created_at, expires_at }: AccessToken) => ({
  id,
  name,
  workspace_id,
  scopes,
  client_kind,
  created_at,
  expires_at,
});

const listed = (token: AccessToken) => ({
  ...described(token),
  created_by: token.user_id,
  device: token.device,
  last_used_at: token.last_used_at,
  revoked_at: token.revoked_at,
});
