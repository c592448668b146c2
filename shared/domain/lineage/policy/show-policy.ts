import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { LineagePolicy, LineagePolicyRevisions } from '../../../contract/policy.ts';
import { type BoundList, cutPage, type PageRequest, readCursor } from '../../base/paging/cursor.ts';
import { safeDefaults } from './policy.ts';
import type { PolicyStore } from './ports.ts';
import { type Recount, repairView } from './recount.ts';
import { type PolicyRevision, safeRevision } from './revision.ts';

type PolicyReader = { readonly policies: Pick<PolicyStore, 'current' | 'revisions'> };

/** The policy that holds now, and how far its recount has come: C-POLICY-5. */
export async function showPolicy(
  { policies }: PolicyReader,
  workspace: WorkspaceId,
  connector: ConnectorId,
): Promise<LineagePolicy> {
  const current = await policies.current(workspace, connector);
  return current
    ? policyView(current.revision, current.recount, current.recount.state !== 'pending')
    : policyView(safeRevision({ workspace_id: workspace, connector_id: connector }), null, false);
}

export async function showRevisions(
  { policies }: PolicyReader,
  workspace: WorkspaceId,
  connector: ConnectorId,
  { limit, cursor }: PageRequest,
): Promise<LineagePolicyRevisions> {
  const listing: BoundList = ['policy-revisions', workspace, connector];
  const before = readCursor(listing, v.pipe(v.number(), v.integer(), v.minValue(0)), cursor);
  // One more than asked for tells whether there is a next page.
  const found = await policies.revisions(workspace, connector, { before, limit: limit + 1 });
  const { page, next_cursor } = cutPage(listing, found, limit, ({ revision }) => revision);
  const items = page.map(({ workspace_id: _, connector_id: __, ...revision }) => revision);
  return { workspace_id: workspace, connector_id: connector, items, next_cursor };
}

export const policyView = (revision: PolicyRevision, recount: Recount | null, started: boolean): LineagePolicy => ({
  ...revision,
  safe_defaults: safeDefaults,
  repair: repairView(recount, started),
});
