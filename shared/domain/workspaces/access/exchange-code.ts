import { timingSafeEqual } from 'node:crypto';
import type { TokenDevice } from '../../../contract/access.ts';
import type { AgentTokenRequest } from '../../../contract/agent-authorization.ts';
import { refusedActions } from '../../../contract/audit.ts';
import { beginningOf } from '../../../contract/fields.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { sha256 } from '../../base/digest.ts';
import { auditOf, type RegistryWriter } from './operator.ts';
import type { AccessToken, AuthorizationCode } from './records.ts';
import { hashOf, newSecret } from './secret.ts';
import { createToken, revokeToken } from './tokens.ts';

const { tokenDays, renewalDays, signInDays } = limits.agentAuthorization;
const dayMs = 86_400_000;

type Issued = { readonly record: AccessToken; readonly token: string };
type Renewable = Issued & { readonly refreshToken: string };

type Exchange = Omit<AgentTokenRequest, 'device_id'> &
  /** A device knows its own id, a client of OAuth its client id. */
  ({ readonly device_id: string } | { readonly client_id: string });

/** For a client with the code's verifier, redirect and device, else `invalid_grant`. A failure spends the code. */
export const exchangeAgentCode = async (ports: RegistryWriter, request: Exchange): Promise<Issued> =>
  issueToken(ports, await takeGrant(ports, request.code, (granted) => isHolder(granted, request)));

/** The same, with a refresh token. */
export const exchangeRenewable = async (ports: RegistryWriter, request: Exchange): Promise<Renewable> =>
  issueRenewable(ports, await takeGrant(ports, request.code, (granted) => isHolder(granted, request)));

type Renewal = Pick<Exchange, 'resource'> & { readonly refresh_token: string; readonly client_id: string };

/** Gives a client a new token for an earlier one, which ends, unless somebody has revoked that: C-AGENT-17. */
export async function renewToken(ports: RegistryWriter, request: Renewal): Promise<Renewable> {
  const granted = await takeGrant(ports, request.refresh_token, (one) => mayRenew(one, request));
  const { workspace_id, user_id, renews: id } = granted;
  const before = id && (await ports.registry.tokens.find({ workspace_id, id }));
  if (!before || before.record.revoked_at !== null) throw new Problem('invalid_grant');
  const renewed = await issueRenewable(ports, granted);
  await revokeToken({ ...ports, actor: user_id }, workspace_id, before.record.id);
  return renewed;
}

/** Taken before it is looked at: a second try with another verifier finds nothing. */
async function takeGrant(
  ports: RegistryWriter,
  secret: string,
  isOfCaller: (granted: AuthorizationCode) => boolean,
): Promise<AuthorizationCode> {
  const granted = await ports.registry.authorizationCodes.take(hashOf(secret));
  const isLive = granted !== null && ports.clock.now().getTime() < Date.parse(granted.expires_at);
  if (isLive && isOfCaller(granted)) return granted;
  await (granted ? noteRefused(ports, granted, granted.device) : revokeGiven(ports, hashOf(secret)));
  throw new Problem('invalid_grant');
}

async function issueToken(ports: RegistryWriter, granted: AuthorizationCode, next: AuthorizationCode | null = null) {
  const { workspace_id, user_id, scopes, device } = granted;
  const created = await createToken(
    { ...ports, actor: user_id },
    {
      workspace_id,
      user_id,
      scopes: [...scopes],
      device,
      name: beginningOf(`${device.client_name} on ${device.device_name}`, limits.token.name),
      client_kind: device.client_name === 'cli' ? 'cli' : 'agent',
      expires_in_days: tokenDays,
    },
  );
  const { authorizationCodes, spentCodes, commit } = ports.registry;
  const token_id = created.record.id;
  const expires_at = next?.expires_at ?? new Date(ports.clock.now().getTime() + dayMs).toISOString();
  const spent = { hash: granted.hash, workspace_id, token_id, next: next?.hash ?? null, expires_at };
  await commit([spentCodes.create(spent), ...(next ? [authorizationCodes.create({ ...next, renews: token_id })] : [])]);
  return created;
}

async function issueRenewable(ports: RegistryWriter, granted: AuthorizationCode): Promise<Renewable> {
  const now = ports.clock.now().getTime();
  const refreshToken = newSecret(ports.randomBytes, 'refresh_token');
  const until = granted.until ?? new Date(now + signInDays * dayMs).toISOString();
  const last = Math.min(now + renewalDays * dayMs, Date.parse(until));
  const expires_at = new Date(last).toISOString();
  const next = { ...granted, hash: hashOf(refreshToken), code_challenge: null, until, expires_at };
  return { ...(await issueToken(ports, granted, next)), refreshToken };
}

/** RFC 6749, 4.1.2 and 10.4: a code or token that is used twice was stolen, before or after its owner used it. All tokens that it led to are revoked. */
async function revokeGiven(ports: RegistryWriter, first: string): Promise<void> {
  const { spentCodes, authorizationCodes, tokens } = ports.registry;
  for (let hash: string | null = first; hash !== null; ) {
    const given = await spentCodes.find({ hash });
    if (given === null) return;
    const { workspace_id, token_id: id, next }: typeof given.record = given.record;
    if (hash === first) await noteRefused(ports, given.record, { token_id: id });
    if (next !== null) await authorizationCodes.take(next);
    if (await tokens.find({ workspace_id, id }))
      await revokeToken({ ...ports, actor: 'reuse of an authorization code' }, workspace_id, id);
    hash = next;
  }
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

function isHolder({ device, redirect_uri, code_challenge }: AuthorizationCode, request: Exchange): boolean {
  const isCaller =
    'device_id' in request ? request.device_id === device.device_id : request.client_id === device.client_id;
  return (
    code_challenge !== null &&
    request.redirect_uri === redirect_uri &&
    isCaller &&
    isFor(device, request.resource) &&
    verifies(request.code_verifier, code_challenge)
  );
}

const mayRenew = ({ device, renews }: AuthorizationCode, { client_id, resource }: Renewal): boolean =>
  renews !== null && client_id === device.client_id && isFor(device, resource);

const isFor = (device: TokenDevice, resource: string | null): boolean =>
  resource === null || resource === device.resource;

/** RFC 7636, 4.6: the challenge is the base64url of the verifier's SHA-256. */
function verifies(verifier: string, challenge: string): boolean {
  const built = Buffer.from(sha256(verifier).toString('base64url'));
  const provided = Buffer.from(challenge);
  return built.length === provided.length && timingSafeEqual(built, provided);
}
