import type { WorkspaceId } from '../../contract/ids.ts';
import { revokeCollectionProject } from './collection-projects.ts';
import { removeMember } from './members.ts';
import { type OperatorPorts, removeRecord } from './operator.ts';
import { revokeToken } from './tokens.ts';

/**
 * Closes a workspace: its collection projects, tokens and memberships end, and then it is gone. What it collected,
 * its connectors and its links stay, and belong to whoever makes a workspace of that name again.
 */
export async function removeWorkspace(ports: OperatorPorts, id: WorkspaceId): Promise<boolean> {
  const { workspaces, collectionProjects, tokens, members } = ports.registry;
  for (const project of await collectionProjects.list(id)) await revokeCollectionProject(ports, project);
  for (const token of await tokens.list(id)) await revokeToken(ports, id, token.id);
  for (const member of await members.list(id)) await removeMember(ports, id, member.user_id);
  const auditAction = { workspace_id: id, action: 'workspace.remove', subject: {} };
  // Last: until then, the command can be given again.
  return removeRecord(ports, await workspaces.find({ id }), (record) => [workspaces.remove(record)], auditAction);
}
