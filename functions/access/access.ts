import type { accessDiagnosisRoutes } from '../../shared/contract/access-diagnosis.ts';
import type { accessRequestRoutes } from '../../shared/contract/access-requests.ts';
import type { agentAuthorizationRoutes } from '../../shared/contract/agent-authorization.ts';
import { idOf, ProviderInstanceId } from '../../shared/contract/ids.ts';
import type { providerKeyRoutes } from '../../shared/contract/providers.ts';
import type { scopeRoutes } from '../../shared/contract/scopes.ts';
import type { ProviderStore } from '../../shared/domain/lineage/providers/provider.ts';
import { type ForgetScopePorts, forgetScope } from '../../shared/domain/operations/scopes/forget-scope.ts';
import { listScopes } from '../../shared/domain/operations/scopes/list-scopes.ts';
import type { Caller } from '../../shared/domain/workspaces/access/authenticate.ts';
import {
  admissionRequest,
  authorize,
  type MembershipReader,
  roleForScope,
  roleOf,
} from '../../shared/domain/workspaces/access/authorize.ts';
import { authorizeAgent } from '../../shared/domain/workspaces/access/authorize-agent.ts';
import type { ConnectorFinder } from '../../shared/domain/workspaces/access/connectors.ts';
import { diagnoseAccess } from '../../shared/domain/workspaces/access/diagnosis/diagnose-access.ts';
import type { DiagnosisPorts } from '../../shared/domain/workspaces/access/diagnosis/ports.ts';
import { exchangeAgentCode } from '../../shared/domain/workspaces/access/exchange-code.ts';
import type { RegistryWriter } from '../../shared/domain/workspaces/access/operator.ts';
import {
  listProviderKeys,
  registerProviderKey,
  removeProviderKey,
} from '../../shared/domain/workspaces/access/provider-keys.ts';
import { listAttention } from '../../shared/domain/workspaces/requests/attention.ts';
import { approveRequest, denyRequest, listRequests } from '../../shared/domain/workspaces/requests/decide-request.ts';
import { requestAccess } from '../../shared/domain/workspaces/requests/request-access.ts';
import { requestClient } from '../../shared/domain/workspaces/requests/request-client.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { requireOwnResource } from './oauth.ts';
import { described } from './tokens.ts';

export const diagnosis = (
  ports: DiagnosisPorts & { readonly membership: MembershipReader },
): Implementations<typeof accessDiagnosisRoutes> => ({
  diagnoseAccess: async ({ body, caller, workspace }) => {
    const other = body.user_id === undefined || body.user_id === caller.userId ? null : body.user_id;
    if (other !== null) await authorize(ports.membership, { scope: 'admin', role: 'admin' }, caller, workspace);
    const subject: Caller = other === null ? caller : { kind: 'session', userId: other, email: null };
    const needed = { scope: body.action, role: roleForScope[body.action] };
    const admission = await admissionRequest(ports.membership, needed, subject, workspace);
    const question = { workspace, connectorId: body.connector_id, admission, presentsToken: other === null };
    return diagnoseAccess(ports, question);
  },
});

export const accessRequests = (
  ports: RegistryWriter & Parameters<typeof listAttention>[0] & { readonly membership: MembershipReader },
): Implementations<typeof accessRequestRoutes> => ({
  createAccessRequest: async ({ body, caller: { userId }, workspace }) =>
    requestAccess({ ...ports, actor: userId }, { workspace, userId }, body),
  listAccessRequests: async ({ query: { state = null, limit, cursor }, caller, workspace }) => {
    const isAdmin = (await roleOf(ports.membership, caller, workspace)) === 'admin';
    const request = { workspace, of: isAdmin ? null : caller.userId, state, limit, cursor };
    return listRequests(ports.registry, request);
  },
  approveAccessRequest: async ({ params, body, caller: { userId }, workspace }) => {
    const decision = { workspace, id: params.access_request_id, by: userId };
    return approveRequest({ ...ports, actor: userId }, decision, body.role);
  },
  denyAccessRequest: async ({ params, body, caller: { userId }, workspace }) => {
    const decision = { workspace, id: params.access_request_id, by: userId };
    return denyRequest({ ...ports, actor: userId }, decision, body.reason);
  },
  listAttention: async ({ query: { limit, cursor }, caller, workspace }) => {
    const role = await roleOf(ports.membership, caller, workspace);
    const page = { limit, cursor };
    return listAttention(ports, { workspace, role }, page);
  },
});

/** Serves the types of feeds: C-FEED-1 to C-FEED-4. */
export const providerKeys = (
  ports: RegistryWriter & { readonly providers: Pick<ProviderStore, 'create'>; readonly connector: ConnectorFinder },
): Implementations<typeof providerKeyRoutes> => ({
  listProviderKeys: async ({ workspace, query: { connector_id, ...page } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    return listProviderKeys(ports.registry, workspace, { ...page, connectorId });
  },
  registerProviderKey: async ({ body, caller: { userId }, workspace }) =>
    registerProviderKey({ ...ports, actor: userId }, workspace, body),
  removeProviderKey: async ({ params, caller: { userId }, workspace }) => {
    const id = idOf(ProviderInstanceId, params.provider_instance_id.toLowerCase());
    await removeProviderKey({ ...ports, actor: userId }, workspace, id);
  },
});

export const scopeImplementations = (
  ports: Parameters<typeof listScopes>[0] & {
    readonly forgetting: Omit<ForgetScopePorts, 'actor'>;
    readonly connector: ConnectorFinder;
  },
): Implementations<typeof scopeRoutes> => ({
  listScopes: async ({ workspace, query: { connector_id, q = '', limit, cursor = null } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    return listScopes(ports, workspace, { connectorId, q, limit, cursor });
  },
  forgetScope: async ({ workspace, caller: { userId }, body: { scope_key: scopeKey, dry_run: dryRun } }) => {
    const request = { workspace, scopeKey, dryRun };
    return forgetScope({ ...ports.forgetting, actor: userId }, request);
  },
});

export const agentAuthorization = (
  ports: RegistryWriter & { readonly membership: MembershipReader },
): Implementations<typeof agentAuthorizationRoutes> => ({
  authorizeAgent: async ({ base, body, caller: { userId }, workspace }) => {
    requireOwnResource(base, body.client_id, body.resource);
    return authorizeAgent({ ...ports, actor: userId }, { workspace, userId }, body);
  },
  requestAgent: async ({ base, body, caller, workspace }) => {
    requireOwnResource(base, body.client_id, body.resource);
    const role = await roleOf(ports.membership, caller, workspace);
    const member = { workspace, userId: caller.userId, role };
    const { created, ...answer } = await requestClient({ ...ports, actor: caller.userId }, member, body);
    return { status: created ? 201 : 200, body: answer };
  },
  exchangeAgentCode: async ({ body }) => {
    const { record, token } = await exchangeAgentCode(ports, body);
    return { ...described(record), token };
  },
});
