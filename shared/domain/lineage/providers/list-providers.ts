import * as v from 'valibot';
import type { ConnectorId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { ProviderInstance, ProviderPage, SettableStatus } from '../../../contract/providers.ts';
import type { ProviderStatus } from '../../../contract/vocabulary.ts';
import { type BoundList, cutPage, readCursor } from '../../base/paging/cursor.ts';
import {
  type BacklogReader,
  noBacklog,
  type ProviderRecord,
  type ProviderStore,
  providerView,
  statusOf,
} from './provider.ts';

type ListRequest = {
  readonly connectorId: ConnectorId | null;
  readonly status: ProviderStatus | null;
  readonly limit: number;
  readonly cursor: string | null;
};

/** A page of a workspace's providers in the order of their ids: C-PROVIDER-5. */
export async function listProviders(
  ports: ProviderPorts,
  workspace: WorkspaceId,
  page: ListRequest,
): Promise<ProviderPage> {
  const listing: BoundList = ['providers', workspace, page.connectorId, page.status];
  const after = readCursor(listing, v.pipe(v.string(), v.uuid()), page.cursor);
  const found: ProviderRecord[] = [];
  // One more than asked for tells whether there is a next page.
  for await (const record of ports.providers.list(workspace, after)) {
    if (matches(record, page)) found.push(record);
    if (found.length > page.limit) break;
  }
  const { page: records, next_cursor } = cutPage(listing, found, page.limit, ({ provider }) => provider.id);
  const backlogs = records.length > 0 ? await ports.backlog.backlogs(workspace) : new Map();
  const items = records.map((record) => providerView(record, backlogs.get(record.provider.id) ?? noBacklog));
  return { workspace_id: workspace, items, next_cursor };
}

const matches = (record: ProviderRecord, { connectorId, status }: ListRequest): boolean =>
  (connectorId === null || record.provider.connector_id === connectorId) &&
  (status === null || statusOf(record) === status);

export type ProviderPorts = { readonly providers: ProviderStore; readonly backlog: BacklogReader };

export async function showProvider(
  ports: ProviderPorts,
  workspace: WorkspaceId,
  id: ProviderInstanceId,
): Promise<ProviderInstance> {
  const record = await ports.providers.get(workspace, id);
  if (!record) throw new Problem('not_found');
  const backlogs = await ports.backlog.backlogs(workspace);
  return providerView(record, backlogs.get(id) ?? noBacklog);
}

/** Pauses, disables or resumes a provider and answers with it: C-PROVIDER-3. Throws `not_found`. */
export async function setProviderStatus(
  ports: ProviderPorts,
  workspace: WorkspaceId,
  id: ProviderInstanceId,
  { status, now }: { readonly status: SettableStatus; readonly now: Date },
): Promise<ProviderInstance> {
  if (!(await ports.providers.setStatus(workspace, id, status, now.toISOString()))) throw new Problem('not_found');
  return showProvider(ports, workspace, id);
}
