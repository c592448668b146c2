import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import { ConnectorItem, type ConnectorPage, type WorkspacePage } from '../../../contract/workspaces.ts';
import { inParallel } from '../../base/concurrency.ts';
import { type BoundList, cutPage, type PageRequest, pageById, readCursor } from '../../base/paging/cursor.ts';
import type { Caller } from './authenticate.ts';
import type { Registry, Workspace } from './records.ts';

const readsInFlight = 16;

export async function listWorkspaces(
  registry: Pick<Registry, 'workspaces' | 'members'>,
  caller: Caller,
  page: PageRequest,
): Promise<WorkspacePage> {
  const listing: BoundList = ['workspaces', caller.userId];
  const after = readCursor(listing, v.string(), page.cursor);
  const candidates = (await workspacesOf(registry, caller)).filter((id) => after === null || id > after).sort();
  const found: { readonly workspace: Workspace; readonly role: Role }[] = [];
  // The list of a user's memberships is moments late: each is read again, and one that ended is left out.
  for (let at = 0; at < candidates.length && found.length <= page.limit; at += page.limit + 1) {
    const ids = candidates.slice(at, at + page.limit + 1);
    const read = await inParallel(readsInFlight, ids, (id) => membershipOf(registry, caller, id));
    found.push(...read.filter((one) => one !== null));
  }
  const { page: shown, next_cursor } = cutPage(listing, found, page.limit, ({ workspace }) => workspace.id);
  return { items: shown.map(({ workspace: { id, name }, role }) => ({ id: String(id), name, role })), next_cursor };
}

const workspacesOf = async ({ members }: Pick<Registry, 'members'>, caller: Caller): Promise<readonly WorkspaceId[]> =>
  caller.kind === 'pat'
    ? [caller.workspaceId]
    : (await members.ofUser(caller.userId)).map(({ workspace_id }) => workspace_id);

async function membershipOf(
  { workspaces, members }: Pick<Registry, 'workspaces' | 'members'>,
  { userId }: Caller,
  id: WorkspaceId,
) {
  const [workspace, member] = await Promise.all([
    workspaces.find({ id }),
    members.find({ workspace_id: id, user_id: userId }),
  ]);
  return workspace && member ? { workspace: workspace.record, role: member.record.role } : null;
}

export async function listConnectors(
  { connectors }: Pick<Registry, 'connectors'>,
  workspace: WorkspaceId,
  page: PageRequest,
): Promise<ConnectorPage> {
  const all = await connectors.list(workspace);
  const { page: shown, next_cursor } = pageById(['connectors', workspace], all, page);
  return { workspace_id: workspace, items: shown.map((one) => v.parse(ConnectorItem, one)), next_cursor };
}
