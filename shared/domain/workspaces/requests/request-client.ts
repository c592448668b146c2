import * as v from 'valibot';
import type { AgentAuthorizationRequest } from '../../../contract/agent-authorization.ts';
import { AccessRequestId, type UserId, type WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { registeredClient, scopesOf } from '../../../contract/oauth-clients.ts';
import { Problem } from '../../../contract/problems.ts';
import { type Role, roles, type TokenScope } from '../../../contract/vocabulary.ts';
import { jsonDigest } from '../../base/digest.ts';
import { roleForScope } from '../access/authorize.ts';
import { authorizeAgent } from '../access/authorize-agent.ts';
import { auditOf, idFromName, type Operator } from '../access/operator.ts';
import type { AccessRequest, StoredRecord } from '../access/records.ts';

type Requester = { readonly workspace: WorkspaceId; readonly userId: UserId; readonly role: Role };

type Answer = {
  readonly id: AccessRequestId;
  readonly state: AccessRequest['state'];
  readonly granted: { readonly code: string; readonly expires_in: number } | null;
  readonly created: boolean;
};

const approvalMs = limits.agentAuthorization.approvalDays * 86_400_000;

const rank = (role: Role): number => roles.indexOf(role);
const within = (role: Role) => (scope: TokenScope) => rank(roleForScope[scope]) <= rank(role);

/**
 * Requests a code for a program of a member who is no administrator (C-AGENT-16). Until the decision the same request
 * is one record, and an approval grants one code to the sign-in that asks next. Throws `insufficient_workspace_role`.
 */
export async function requestClient(
  ports: Operator,
  requester: Requester,
  request: AgentAuthorizationRequest,
): Promise<Answer> {
  const { workspace, userId, role } = requester;
  const scopes = scopesOf(request.scope);
  if (!scopes.every(within(role)))
    throw new Problem('insufficient_workspace_role', { message: 'Your role does not permit one of the scopes.' });
  const { client_id, device_id, redirect_uri } = request;
  const names = [client_id ?? '', client_id === null ? device_id : '', redirectOf(redirect_uri), scopes.join(' ')];
  const { accessRequests } = ports.registry;
  for (let earlier = 0; ; earlier++) {
    const id = v.parse(AccessRequestId, idFromName('req', workspace, userId, 'client', ...names, String(earlier)));
    const found = await accessRequests.find({ workspace_id: workspace, id });
    if (found === null) return create(ports, requester, request, { id, scopes });
    const { state, client } = found.record;
    if (state === 'pending') return { id, state, granted: null, created: false };
    if (client === null || isOver(found.record, ports.clock.now())) continue;
    if (state === 'approved') return takeApproval(ports, requester, request, { ...found, client });
    // Another sign-in after a denial is another request.
    if (client.sign_in === signInOf(request)) return { id, state, granted: null, created: false };
  }
}

const signInOf = ({ code_challenge }: AgentAuthorizationRequest): string =>
  jsonDigest(code_challenge).toString('base64url');

/** A client of this machine listens at another port each time. */
function redirectOf(uri: string): string {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' ? url.hostname : uri;
}

/** A decision that counts no more: an approval that was used, or any that is old. */
const isOver = ({ client, decided_at }: AccessRequest, now: Date): boolean =>
  (client?.used_at ?? null) !== null || now.getTime() - Date.parse(decided_at ?? '') >= approvalMs;

async function create(
  ports: Operator,
  { workspace, userId }: Requester,
  request: AgentAuthorizationRequest,
  { id, scopes }: { readonly id: AccessRequestId; readonly scopes: readonly TokenScope[] },
): Promise<Answer> {
  const { client_id, device_id, redirect_uri } = request;
  const client_name = registeredClient(client_id)?.client_name ?? request.client_name;
  const role = roles.findLast((one) => scopes.some((scope) => roleForScope[scope] === one)) ?? 'viewer';
  const record: AccessRequest = {
    workspace_id: workspace,
    id,
    user_id: userId,
    connector_id: null,
    client: {
      client_id,
      client_name,
      device_id,
      redirect_uri,
      scopes: [...scopes],
      sign_in: signInOf(request),
      used_at: null,
    },
    role,
    reason: `Permissions: ${scopes.join(', ')}.`,
    state: 'pending',
    created_at: ports.clock.now().toISOString(),
    decided_at: null,
    decided_by: null,
    granted_role: null,
    decision_reason: null,
  };
  const subject = { id, role, client_name, redirect_uri };
  const audit = auditOf(ports, { workspace_id: workspace, action: 'access.request', subject });
  const created = await ports.registry.commit([ports.registry.accessRequests.create(record), audit]);
  return { id, state: 'pending', granted: null, created };
}

/** The code of an approval, once: with the scopes that the requester's role and the granted role both permit. */
async function takeApproval(
  ports: Operator,
  requester: Requester,
  request: AgentAuthorizationRequest,
  found: StoredRecord<AccessRequest> & { readonly client: NonNullable<AccessRequest['client']> },
): Promise<Answer> {
  const { client } = found;
  const { id, state, granted_role } = found.record;
  const scopes = client.scopes.filter(within(granted_role ?? 'viewer')).filter(within(requester.role));
  const used = { ...found.record, client: { ...client, used_at: ports.clock.now().toISOString() } };
  const spent = [ports.registry.accessRequests.replace(found, used)];
  return { id, state, granted: await authorizeAgent(ports, requester, request, scopes, spent), created: false };
}
