import * as v from 'valibot';
import { TokenDevice } from '../../../contract/access.ts';
import type { AgentAuthorizationRequest } from '../../../contract/agent-authorization.ts';
import type { UserId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { scopesOf } from '../../../contract/oauth-clients.ts';
import { Problem } from '../../../contract/problems.ts';
import type { TokenScope } from '../../../contract/vocabulary.ts';
import { type Operator, requireCommit } from './operator.ts';
import type { AuthorizationCode, Write } from './records.ts';
import { hashOf, newSecret } from './secret.ts';

const { codeSeconds } = limits.agentAuthorization;

/**
 * Grants a device a code for the caller's own access. 403 `pats_disabled` where the workspace has no tokens.
 *
 * @param scopes those of the request, or fewer
 * @param spent what is written in the same commit
 */
export async function authorizeAgent(
  ports: Operator,
  caller: { readonly workspace: WorkspaceId; readonly userId: UserId },
  request: AgentAuthorizationRequest,
  scopes: readonly TokenScope[] = scopesOf(request.scope),
  spent: readonly Write[] = [],
): Promise<{ readonly code: string; readonly expires_in: number }> {
  const { registry, clock, randomBytes } = ports;
  const workspace = await registry.workspaces.find({ id: caller.workspace });
  if (!workspace?.record.pats_enabled) throw new Problem('pats_disabled');
  const code = newSecret(randomBytes, 'authorization_code');
  const record: AuthorizationCode = {
    hash: hashOf(code),
    workspace_id: caller.workspace,
    user_id: caller.userId,
    scopes: [...scopes],
    code_challenge: request.code_challenge,
    redirect_uri: request.redirect_uri,
    device: v.parse(TokenDevice, request),
    renews: null,
    until: null,
    expires_at: new Date(clock.now().getTime() + codeSeconds * 1000).toISOString(),
  };
  const { workspace_id, device } = record;
  const auditAction = { workspace_id, action: 'agent.authorize', subject: { ...device, scopes } };
  await requireCommit(ports, [registry.authorizationCodes.create(record), ...spent], auditAction);
  return { code, expires_in: codeSeconds };
}
