import type { AccessRequestPage, accessRequestStates } from '../../contract/access-requests.ts';
import type { UserId, WorkspaceId } from '../../contract/ids.ts';
import type { Registry } from '../access/registry.ts';
import { newestFirst } from '../paging/newest-first.ts';

type ListRequest = {
  readonly workspace: WorkspaceId;
  /** Whose requests; everybody's where it is null. */
  readonly of: UserId | null;
  readonly state: (typeof accessRequestStates)[number] | null;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** A page of access requests, newest first. */
export async function listRequests(
  { accessRequests }: Pick<Registry, 'accessRequests'>,
  { workspace, of, state, ...page }: ListRequest,
): Promise<AccessRequestPage> {
  const all = await accessRequests.list(workspace);
  const wanted = all.filter((one) => (of === null || one.user_id === of) && (state === null || one.state === state));
  const list = ['access-requests', workspace, of, state] as const;
  return { workspace_id: workspace, ...newestFirst(wanted, (one) => [one.created_at, one.id], { ...page, list }) };
}
