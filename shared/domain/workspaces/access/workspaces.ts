import * as v from 'valibot';
import { UserId, WorkspaceId } from '../../../contract/ids.ts';
import { type Role, roles } from '../../../contract/vocabulary.ts';
import { revokeCollectionProject } from './collection-projects.ts';
import { Name } from './inputs.ts';
import {
  type CreatedOrFound,
  createOrFind,
  idFromName,
  type Operator,
  removeRecord,
  requireValid,
  requireWorkspace,
  updateRecord,
} from './operator.ts';
import type { Member, Workspace } from './records.ts';
import { revokeToken } from './tokens.ts';

export function createWorkspace(ports: Operator, input: { readonly name: string }): Promise<CreatedOrFound<Workspace>> {
  const name = requireValid(Name, input.name);
  const id = v.parse(WorkspaceId, idFromName('ws', name));
  return createOrFind(ports, ports.registry.workspaces, { id }, () => ({
    record: { id, name, pats_enabled: true, created_at: ports.clock.now().toISOString() },
    auditAction: { workspace_id: id, action: 'workspace.create', subject: { name } },
  }));
}

/** Lets a workspace honour personal access tokens or not; those made before are blocked, and revived, at once. */
export function setPatsEnabled(ports: Operator, id: WorkspaceId, pats_enabled: boolean): Promise<Workspace> {
  return updateRecord(ports, ports.registry.workspaces, { id }, (workspace) => {
    if (workspace.pats_enabled === pats_enabled) return null;
    const auditAction = { workspace_id: id, action: 'workspace.set_pats', subject: { pats_enabled } };
    return { record: { ...workspace, pats_enabled }, auditAction };
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
  return removeRecord(ports, workspaces, { id }, auditAction);
}

const NewMember = v.strictObject({
  user_id: UserId,
  role: v.picklist(roles),
  email: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(320))), null),
});

/** Gives a user (the `sub` of the session tokens) a role in the workspace; one who is a member gets the new role. */
export async function addMember(
  ports: Operator,
  workspace_id: WorkspaceId,
  input: { readonly user_id: string; readonly role: Role; readonly email?: string | null },
): Promise<CreatedOrFound<Member>> {
  const { user_id, role, email } = requireValid(NewMember, input);
  await requireWorkspace(ports, workspace_id);
  const { members } = ports.registry;
  const place = { workspace_id, user_id };
  const auditAction = { workspace_id, action: 'member.add', subject: { user_id, role } };
  const created = await createOrFind(ports, members, place, () => ({
    record: { ...place, email, role, created_at: ports.clock.now().toISOString() },
    auditAction,
  }));
  if (created.created || created.record.role === role) return created;
  const record = await updateRecord(ports, members, place, (member) => ({
    record: { ...member, role },
    auditAction: { ...auditAction, action: 'member.set_role' },
  }));
  return { record, created: false };
}

/** Ends a membership; also the user's access tokens of the workspace lose their role at once. */
export async function removeMember(ports: Operator, workspace_id: WorkspaceId, user: string): Promise<boolean> {
  const user_id = requireValid(UserId, user);
  const auditAction = { workspace_id, action: 'member.remove', subject: { user_id } };
  return removeRecord(ports, ports.registry.members, { workspace_id, user_id }, auditAction);
}
