import * as v from 'valibot';
import type { CreateAccessRequest } from '../../../contract/access-requests.ts';
import { AccessRequestId, type UserId, type WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { findConnector } from '../access/connectors.ts';
import { auditOf, idFromName, type OperatorPorts } from '../access/operator.ts';
import type { AccessRequest } from '../access/records.ts';

/**
 * Asks for a role. What is requested while it is pending is that request; after a decision it is pending again.
 * Throws `not_found` where the workspace has no such connector.
 */
export async function requestAccess(
  ports: OperatorPorts,
  caller: { readonly workspace: WorkspaceId; readonly userId: UserId },
  input: CreateAccessRequest,
): Promise<AccessRequest> {
  const connector = await findConnector(ports.registry, caller.workspace, input.connector_id);
  if (connector === null) throw new Problem('not_found');
  const { accessRequests } = ports.registry;
  const record = newRequest(ports, caller, { ...input, connector_id: connector.id });
  const { workspace_id, id, role, connector_id } = record;
  const found = await accessRequests.find({ workspace_id, id });
  if (found?.record.state === 'pending') return found.record;
  const write = found ? accessRequests.replace(found, record) : accessRequests.create(record);
  const auditAction = { workspace_id, action: 'access.request', subject: { id, role, connector_id } };
  if (await ports.registry.commit([write, auditOf(ports, auditAction)])) return record;
  // Anyone who came first asked for the same.
  const first = await accessRequests.find({ workspace_id, id });
  if (first === null) throw new Problem('conflict');
  return first.record;
}

const newRequest = (
  { clock }: OperatorPorts,
  { workspace, userId }: { readonly workspace: WorkspaceId; readonly userId: UserId },
  { connector_id, role, reason }: Omit<CreateAccessRequest, 'connector_id'> & Pick<AccessRequest, 'connector_id'>,
): AccessRequest => ({
  workspace_id: workspace,
  id: v.parse(AccessRequestId, idFromName('req', workspace, userId, connector_id, role)),
  user_id: userId,
  connector_id,
  role,
  reason,
  state: 'pending',
  created_at: clock.now().toISOString(),
  decided_at: null,
  decided_by: null,
  granted_role: null,
  decision_reason: null,
});
