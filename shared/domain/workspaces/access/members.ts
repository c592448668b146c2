import * as v from 'valibot';
import { UserId, type WorkspaceId } from '../../../contract/ids.ts';
import { type Role, roles } from '../../../contract/vocabulary.ts';
import {
  type CreatedOrFound,
  createOrFind,
  type Operator,
  removeRecord,
  requireValid,
  requireWorkspace,
  updateRecord,
} from './operator.ts';
import type { Member } from './records.ts';

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
  const find = () => members.find({ workspace_id, user_id });
  const auditAction = { workspace_id, action: 'member.add', subject: { user_id, role } };
  const created = await createOrFind(ports, {
    find,
    make: () => {
      const record = { workspace_id, user_id, email, role, created_at: ports.clock.now().toISOString() };
      return { record, writes: [members.create(record)], auditAction };
    },
  });
  if (created.created || created.record.role === role) return created;
  const next = (found: NonNullable<Awaited<ReturnType<typeof find>>>) => {
    const record = { ...found.record, role };
    return {
      record,
      writes: [members.replace(found, record)],
      auditAction: { ...auditAction, action: 'member.set_role' },
    };
  };
  return { record: await updateRecord(ports, { find, next }), created: false };
}

/** Ends a membership; also the user's access tokens of the workspace lose their role at once. */
export async function removeMember(ports: Operator, workspace_id: WorkspaceId, user: string): Promise<boolean> {
  const user_id = requireValid(UserId, user);
  const { members } = ports.registry;
  const auditAction = { workspace_id, action: 'member.remove', subject: { user_id } };
  return removeRecord(
    ports,
    await members.find({ workspace_id, user_id }),
    (record) => [members.remove(record)],
    auditAction,
  );
}
