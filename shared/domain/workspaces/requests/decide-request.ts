import type { AccessRequestPage, accessRequestStates } from '../../../contract/access-requests.ts';
import { AccessRequestId, idOf, type UserId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { type Role, roles } from '../../../contract/vocabulary.ts';
import { newestFirst } from '../../base/paging/cursor.ts';
import { type Operator, updateRecord } from '../access/operator.ts';
import type { AccessRequest, Registry } from '../access/records.ts';

type Decided = { readonly workspace: WorkspaceId; readonly id: string; readonly by: UserId };

/** Gives the requested or a lower role in the deciding write, or permits a client; never lowers one. Nobody decides their own request. */
export async function approveRequest(
  ports: Operator,
  { workspace, id, by }: Decided,
  role: Role | null,
): Promise<AccessRequest> {
  const { accessRequests, members } = ports.registry;
  return updateRecord(ports, accessRequests, placeOf(workspace, id), async (request) => {
    const member = await members.find({ workspace_id: workspace, user_id: request.user_id });
    requirePending(request);
    requireOther(request, by);
    const granted = role ?? request.role;
    requireAtMost(granted, request.role);
    if (member === null) throw new Problem('conflict', { message: 'The requester is no longer a member.' });
    const record = { ...decided(ports, request, by, 'approved'), granted_role: granted };
    // A client gets no more than its member has.
    const isRaised = request.client === null && rank(granted) > rank(member.record.role);
    const also = isRaised ? [members.replace(member, { ...member.record, role: granted })] : [];
    return { record, also, auditAction: auditActionOf('access.approve', record, { role: granted }) };
  });
}

/** Turns a request down. Throws `not_found`, and `conflict` where it is decided already. */
export async function denyRequest(
  ports: Operator,
  { workspace, id, by }: Decided,
  reason: string | null,
): Promise<AccessRequest> {
  return updateRecord(ports, ports.registry.accessRequests, placeOf(workspace, id), (request) => {
    requirePending(request);
    const record = { ...decided(ports, request, by, 'denied'), decision_reason: reason };
    return { record, auditAction: auditActionOf('access.deny', record, { role: record.role }) };
  });
}

const placeOf = (workspace_id: WorkspaceId, id: string) => ({ workspace_id, id: idOf(AccessRequestId, id) });

function requirePending({ state }: AccessRequest): void {
  if (state !== 'pending') throw new Problem('conflict', { message: 'The request has already been decided.' });
}

function requireOther({ user_id }: AccessRequest, by: UserId): void {
  if (user_id !== by) return;
  const message = 'Nobody approves their own request. Ask another administrator of the workspace.';
  throw new Problem('insufficient_workspace_role', { message });
}

const rank = (role: Role): number => roles.indexOf(role);

function requireAtMost(granted: Role, requestedRole: Role): void {
  if (rank(granted) <= rank(requestedRole)) return;
  throw new Problem('validation_error', {
    errors: [{ path: '/role', message: 'must be what the request asks for, or less' }],
  });
}

const decided = (
  { clock }: Operator,
  request: AccessRequest,
  by: UserId,
  state: 'approved' | 'denied',
): AccessRequest => ({ ...request, state, decided_at: clock.now().toISOString(), decided_by: by });

const auditActionOf = (action: string, { workspace_id, id, user_id }: AccessRequest, more: object) => ({
  workspace_id,
  action,
  subject: { id, user_id, ...more },
});

type ListRequest = {
  readonly workspace: WorkspaceId;
  /** Whose requests; everybody's where it is null. */
  readonly of: UserId | null;
  readonly state: (typeof accessRequestStates)[number] | null;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

export async function listRequests(
  { accessRequests }: Pick<Registry, 'accessRequests'>,
  { workspace, of, state, ...page }: ListRequest,
): Promise<AccessRequestPage> {
  const all = await accessRequests.list(workspace);
  const target = all.filter((one) => (of === null || one.user_id === of) && (state === null || one.state === state));
  const list = ['access-requests', workspace, of, state] as const;
  return { workspace_id: workspace, ...newestFirst(target, (one) => [one.created_at, one.id], { ...page, list }) };
}
