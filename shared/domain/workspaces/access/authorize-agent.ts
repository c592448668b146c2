import { timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { TokenDevice } from '../../../contract/access.ts';
import type { AgentAuthorizationRequest, AgentTokenRequest } from '../../../contract/agent-authorization.ts';
import { refusedActions } from '../../../contract/audit.ts';
import { beginningOf } from '../../../contract/fields.ts';
import type { UserId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { scopesOf } from '../../../contract/oauth-clients.ts';
import { Problem } from '../../../contract/problems.ts';
import { sha256 } from '../../base/digest.ts';
import { auditOf, type Operator, type RegistryWriter } from './operator.ts';
import type { AccessToken, AuthorizationCode } from './records.ts';
import { hashOf, newSecret } from './secret.ts';
import { createToken, revokeToken } from './tokens.ts';

const { codeSeconds, tokenDays } = limits.agentAuthorization;

/** Grants a device a code for the caller's own access. 403 `pats_disabled` where the workspace has no tokens. */
export async function authorizeAgent(
  ports: Operator,
  caller: { readonly workspace: WorkspaceId; readonly userId: UserId },
  request: AgentAuthorizationRequest,
): Promise<{ readonly code: string; readonly expires_in: number }> {
  const { registry, clock, randomBytes } = ports;
  const workspace = await registry.workspaces.find({ id: caller.workspace });
  if (!workspace?.record.pats_enabled) throw new Problem('pats_disabled');
  const code = newSecret(randomBytes, 'authorization_code');
  const record: AuthorizationCode = {
    hash: hashOf(code),
    workspace_id: caller.workspace,
    user_id: caller.userId,
    scopes: [...scopesOf(request.scope)],
    code_challenge: request.code_challenge,
    redirect_uri: request.redirect_uri,
    device: v.parse(TokenDevice, request),
    expires_at: new Date(clock.now().getTime() + codeSeconds * 1000).toISOString(),
  };
  const { workspace_id, device, scopes } = record;
  const auditAction = { workspace_id, action: 'agent.authorize', subject: { ...device, scopes } };
  if (!(await registry.commit([registry.authorizationCodes.create(record), auditOf(ports, auditAction)])))
    throw new Problem('conflict');
  return { code, expires_in: codeSeconds };
}

type Exchange = Omit<AgentTokenRequest, 'device_id'> &
  /** A device knows its own id, a client of OAuth its client id. */
  ({ readonly device_id: string } | { readonly client_id: string });

/** For a client with the code's verifier, redirect and device, else `invalid_grant`. A failure spends the code. */
export async function exchangeAgentCode(
  ports: RegistryWriter,
  request: Exchange,
): Promise<{ readonly record: AccessToken; readonly token: string }> {
  // Taken before it is looked at: a second try with another verifier finds nothing.
  const granted = await ports.registry.authorizationCodes.take(hashOf(request.code));
  if (granted === null || !isHolder(granted, request, ports.clock.now())) {
    await (granted ? noteRefused(ports, granted, granted.device) : revokeGiven(ports, hashOf(request.code)));
    throw new Problem('invalid_grant');
  }
  const { workspace_id, user_id, scopes, device } = granted;
  const created = await createToken(
    { ...ports, actor: user_id },
    {
      workspace_id,
      user_id,
      scopes: [...scopes],
      device,
      name: tokenName(device),
      client_kind: device.client_name === 'cli' ? 'cli' : 'agent',
      expires_in_days: tokenDays,
    },
  );
  const expires_at = new Date(ports.clock.now().getTime() + spentDays * dayMs).toISOString();
  const spent = { hash: granted.hash, workspace_id, token_id: created.record.id, expires_at };
  await ports.registry.commit([ports.registry.spentCodes.create(spent)]);
  return created;
}

const [spentDays, dayMs] = [1, 86_400_000];

/** RFC 6749, 4.1.2: a code that is used twice was stolen, before or after its owner used it. */
async function revokeGiven(ports: RegistryWriter, hash: string): Promise<void> {
  const given = await ports.registry.spentCodes.find({ hash });
  if (given === null) return;
  const { workspace_id, token_id } = given.record;
  await noteRefused(ports, given.record, { token_id });
  await revokeToken({ ...ports, actor: 'reuse of an authorization code' }, workspace_id, token_id);
}

/** A code that was issued, presented wrongly or again: C-AUDIT-3. Nobody knows the caller. */
async function noteRefused(
  ports: RegistryWriter,
  { workspace_id }: Pick<AuthorizationCode, 'workspace_id'>,
  subject: object,
): Promise<void> {
  const entry = { workspace_id, action: refusedActions.exchange, subject: { ...subject } };
  await ports.registry.commit([auditOf({ ...ports, actor: 'unauthenticated client' }, entry)]);
}

function isHolder(granted: AuthorizationCode, request: Exchange, now: Date): boolean {
  const { device } = granted;
  const isCaller =
    'device_id' in request ? request.device_id === device.device_id : request.client_id === device.client_id;
  return (
    now.getTime() < Date.parse(granted.expires_at) &&
    request.redirect_uri === granted.redirect_uri &&
    isCaller &&
    (request.resource === null || request.resource === device.resource) &&
    verifies(request.code_verifier, granted.code_challenge)
  );
}

/** RFC 7636, 4.6: the challenge is the base64url of the verifier's SHA-256. */
function verifies(verifier: string, challenge: string): boolean {
  const built = Buffer.from(sha256(verifier).toString('base64url'));
  const provided = Buffer.from(challenge);
  return built.length === provided.length && timingSafeEqual(built, provided);
}

const tokenName = ({ client_name, device_name }: TokenDevice): string =>
  beginningOf(`${client_name} on ${device_name}`, limits.token.name);
