import * as v from 'valibot';
import type { CreateAccessRequest } from '../../../contract/access-requests.ts';
import { AccessRequestId, type ConnectorId, type UserId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { findConnector } from '../access/connectors.ts';
import { createOrFind, idFromName, type Operator } from '../access/operator.ts';
import type { AccessRequest } from '../access/records.ts';

/** A pending request for the same is returned as it is. Throws `not_found` if there is no such connector. */
export async function requestAccess(
  ports: Operator,
  caller: { readonly workspace: WorkspaceId; readonly userId: UserId },
  input: CreateAccessRequest,
): Promise<AccessRequest> {
  const connector = await findConnector(ports.registry, caller.workspace, input.connector_id);
  if (connector === null) throw new Problem('not_found');
  const { accessRequests } = ports.registry;
  const earlier = (await accessRequests.list(caller.workspace)).filter(
    (one) => one.user_id === caller.userId && one.connector_id === connector.id && one.role === input.role,
  );
  const pending = earlier.find(({ state }) => state === 'pending');
  if (pending) return pending;
  const record = newRequest(ports, caller, { ...input, connector_id: connector.id }, earlier.length);
  const { workspace_id, id, role, connector_id } = record;
  const auditAction = { workspace_id, action: 'access.request', subject: { id, role, connector_id } };
  // Another request for the same may be first.
  return (await createOrFind(ports, accessRequests, { workspace_id, id }, () => ({ record, auditAction }))).record;
}

const newRequest = (
  { clock }: Operator,
  { workspace, userId }: { readonly workspace: WorkspaceId; readonly userId: UserId },
  { connector_id, role, reason }: Omit<CreateAccessRequest, 'connector_id'> & { readonly connector_id: ConnectorId },
  earlier: number,
): AccessRequest => ({
  workspace_id: workspace,
  id: v.parse(AccessRequestId, idFromName('req', workspace, userId, connector_id, role, String(earlier))),
  user_id: userId,
  connector_id,
  client: null,
  role,
  reason,
  state: 'pending',
  created_at: clock.now().toISOString(),
  decided_at: null,
  decided_by: null,
  granted_role: null,
  decision_reason: null,
});
