import * as v from 'valibot';
import { WorkspaceId } from '../../../contract/ids.ts';
import { revokeCollectionProject } from './collection-projects.ts';
import { Name } from './inputs.ts';
import { removeMember } from './members.ts';
import {
  type CreatedOrFound,
  createOrFind,
  idFromName,
  type Operator,
  removeRecord,
  requireValid,
  updateRecord,
} from './operator.ts';
import type { Workspace } from './records.ts';
import { revokeToken } from './tokens.ts';

export function createWorkspace(ports: Operator, input: { readonly name: string }): Promise<CreatedOrFound<Workspace>> {
  const name = requireValid(Name, input.name);
  const id = v.parse(WorkspaceId, idFromName('ws', name));
  const { workspaces } = ports.registry;
  return createOrFind(ports, {
    find: () => workspaces.find({ id }),
    make: () => {
      const record = { id, name, pats_enabled: true, created_at: ports.clock.now().toISOString() };
      const auditAction = { workspace_id: id, action: 'workspace.create', subject: { name } };
      return { record, writes: [workspaces.create(record)], auditAction };
    },
  });
}

/** Lets a workspace honour personal access tokens or not; those made before are blocked, and revived, at once. */
export function setPatsEnabled(ports: Operator, id: WorkspaceId, pats_enabled: boolean): Promise<Workspace> {
  const { workspaces } = ports.registry;
  return updateRecord(ports, {
    find: () => workspaces.find({ id }),
    next: (found) => {
      if (found.record.pats_enabled === pats_enabled) return null;
      const record = { ...found.record, pats_enabled };
      const auditAction = { workspace_id: id, action: 'workspace.set_pats', subject: { pats_enabled } };
      return { record, writes: [workspaces.replace(found, record)], auditAction };
    },
  });
}

/** Ends its projects, tokens and members. Collected data, connectors and links stay for a later one of that name. */
export async function removeWorkspace(ports: Operator, id: WorkspaceId): Promise<boolean> {
  const { workspaces, collectionProjects, tokens, members } = ports.registry;
  for (const project of await collectionProjects.list(id)) await revokeCollectionProject(ports, project);
  for (const token of await tokens.list(id)) await revokeToken(ports, id, token.id);
  for (const member of await members.list(id)) await removeMember(ports, id, member.user_id);
  const auditAction = { workspace_id: id, action: 'workspace.remove', subject: {} };
  // Last: until then, the command can be given again.
  return removeRecord(ports, await workspaces.find({ id }), (record) => [workspaces.remove(record)], auditAction);
}
