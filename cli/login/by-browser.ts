import { decodeJwt } from 'jose';
import { apiOf } from '../../shared/client/api.ts';
import { type Items, requestItems } from '../../shared/client/pages.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { chosen } from '../service/names.ts';
import { printable } from '../terminal/terminal.ts';
import { agentToken } from './agent-token.ts';
import type { SignedIn, TokenRequest } from './where.ts';

/** What a session that the browser brought is good for: a token of one workspace where it may make one, else itself. */
export async function tokenBySession(url: string, session: string, requested: TokenRequest): Promise<SignedIn> {
  const api = apiOf(url, session);
  const items = await requestItems(api, routes.listWorkspaces);
  const workspace = workspaceOf(items, requested);
  const { sub: user = '', exp } = decodeJwt(session);
  const expires_at = exp === undefined ? undefined : new Date(exp * 1_000).toISOString();
  const itself = { user, token: session, expires_at, workspace: workspace?.id };
  const until = `The session is saved instead. It expires ${expires_at ?? 'when the identity provider decides'}.`;
  if (workspace === undefined) {
    const names = printable(items.map(({ name }) => name).join(', '));
    const why =
      items.length === 0 ? 'You are not a member of any workspace yet.' : `Choose one with --workspace: ${names}.`;
    return { ...itself, warnings: [`A long-lived token belongs to one workspace. ${why} ${until}`] };
  }
  const token = await agentToken(api, workspace.id, requested.scopes);
  if (token.newToken === null)
    return { ...itself, warnings: [`No long-lived token was created: ${printable(token.why)} ${until}`] };
  const { newToken } = token;
  return { user, token: newToken.token, expires_at: newToken.expires_at, workspace: workspace.id, warnings: [] };
}

type Workspaces = Items<typeof routes.listWorkspaces>;

/** The requested one, the one used before, or the only one. Throws CommandError. */
function workspaceOf(
  items: Workspaces,
  { requestedWorkspace, remembered }: TokenRequest,
): Workspaces[number] | undefined {
  if (requestedWorkspace !== undefined) return chosen(items, requestedWorkspace, 'workspace');
  return items.find(({ id }) => id === remembered) ?? (items.length === 1 ? items[0] : undefined);
}
