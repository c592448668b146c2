import type { accessDiagnosisRoutes } from '../../shared/contract/routes/access-diagnosis.ts';
import type { accessRequestRoutes } from '../../shared/contract/routes/access-requests.ts';
import type { Role, TokenScope } from '../../shared/contract/vocabulary.ts';
import { admissionRequest, authorize, type MembershipReader, roleOf } from '../../shared/domain/access/authorize.ts';
import type { Caller } from '../../shared/domain/access/caller.ts';
import { diagnoseAccess } from '../../shared/domain/access/diagnosis/diagnose-access.ts';
import type { DiagnosisPorts } from '../../shared/domain/access/diagnosis/ports.ts';
import type { OperatorPorts } from '../../shared/domain/access/operator.ts';
import { type AttentionPorts, listAttention } from '../../shared/domain/access-requests/attention.ts';
import { approveRequest, denyRequest } from '../../shared/domain/access-requests/decide-request.ts';
import { listRequests } from '../../shared/domain/access-requests/list-requests.ts';
import { requestAccess } from '../../shared/domain/access-requests/request-access.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type AccessPorts = Omit<OperatorPorts, 'actor'> &
  DiagnosisPorts &
  AttentionPorts & {
    readonly membership: MembershipReader;
  };

/** The role that an action needs, in addition to the scope of its name. */
const roleForScope: Readonly<Record<TokenScope, Role>> = { read: 'viewer', write: 'editor', admin: 'admin' };

/** Serves the diagnosis of access. */
export const diagnosis = (ports: AccessPorts): Implementations<typeof accessDiagnosisRoutes> => ({
  diagnoseAccess: async ({ body, caller, workspace }) => {
    const other = body.user_id === undefined || body.user_id === caller.userId ? null : body.user_id;
    if (other !== null) await authorize(ports.membership, { scope: 'admin', role: 'admin' }, caller, workspace);
    const subject: Caller = other === null ? caller : { kind: 'session', userId: other, email: null };
    const needed = { scope: body.action, role: roleForScope[body.action] };
    const admission = await admissionRequest(ports.membership, needed, subject, workspace);
    const question = { workspace, connectorId: body.connector_id, admission, presentsToken: other === null };
    return { status: 200, body: await diagnoseAccess(ports, question) };
  },
});

/** Serves requests for access, and what else waits for somebody. */
export const accessRequests = (ports: AccessPorts): Implementations<typeof accessRequestRoutes> => ({
  createAccessRequest: async ({ body, caller: { userId }, workspace }) => ({
    status: 201,
    body: await requestAccess({ ...ports, actor: userId }, { workspace, userId }, body),
  }),
  listAccessRequests: async ({ query: { state = null, limit, cursor }, caller, workspace }) => {
    const isAdmin = (await roleOf(ports.membership, caller, workspace)) === 'admin';
    const request = { workspace, of: isAdmin ? null : caller.userId, state, limit, cursor };
    return { status: 200, body: await listRequests(ports.registry, request) };
  },
  approveAccessRequest: async ({ params, body, caller: { userId }, workspace }) => {
    const decision = { workspace, id: params.access_request_id, by: userId };
    return { status: 200, body: await approveRequest({ ...ports, actor: userId }, decision, body.role) };
  },
  denyAccessRequest: async ({ params, body, caller: { userId }, workspace }) => {
    const decision = { workspace, id: params.access_request_id, by: userId };
    return { status: 200, body: await denyRequest({ ...ports, actor: userId }, decision, body.reason) };
  },
  listAttention: async ({ query: { limit, cursor }, caller, workspace }) => {
    const role = await roleOf(ports.membership, caller, workspace);
    const page = { limit, cursor };
    return { status: 200, body: await listAttention(ports, { workspace, role }, page) };
  },
});
