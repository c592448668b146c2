import { createHash } from 'node:crypto';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { auditOf, type OperatorPorts } from '../../access/operator.ts';
import { type Erased, type ErasePorts, eraseUser } from './erase-user.ts';

/**
 * Removes the rows of a user, with an audit entry before and one after it. They name the user by a digest: nothing that
 * was erased stays in them.
 */
export async function eraseWithAudit(
  ports: OperatorPorts & { readonly erasing: ErasePorts },
  workspace_id: WorkspaceId,
  userId: string,
): Promise<Erased> {
  const user_sha256 = createHash('sha256').update(userId).digest('hex');
  const note = async (action: string, figures: object) => {
    const entry = auditOf(ports, { workspace_id, action, subject: { user_sha256, ...figures } });
    if (!(await ports.registry.commit([entry]))) throw new Problem('conflict');
  };
  await note('events.erase', {});
  const erased = await eraseUser(ports.erasing, userId);
  await note('events.erased', { ...erased });
  return erased;
}
