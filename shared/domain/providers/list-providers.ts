import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { ProviderPage } from '../../contract/providers.ts';
import type { ProviderStatus } from '../../contract/vocabulary.ts';
import { type BoundList, readCursor, writeCursor } from '../paging/cursor.ts';
import { noBacklog, type ProviderRecord, providerView, statusOf } from './provider.ts';
import type { ProviderPorts } from './show-provider.ts';

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
  const items = found.slice(0, page.limit);
  const last = items.at(-1);
  const backlogs = items.length > 0 ? await ports.backlog.backlogs(workspace) : new Map();
  return {
    workspace_id: workspace,
    items: items.map((record) => providerView(record, backlogs.get(record.provider.id) ?? noBacklog)),
    next_cursor: found.length > page.limit && last ? writeCursor(listing, last.provider.id) : null,
  };
}

const matches = (record: ProviderRecord, { connectorId, status }: ListRequest): boolean =>
  (connectorId === null || record.provider.connector_id === connectorId) &&
  (status === null || statusOf(record) === status);
