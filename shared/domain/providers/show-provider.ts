import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { ProviderInstance } from '../../contract/providers.ts';
import type { BacklogReader, ProviderStore } from './ports.ts';
import { noBacklog, providerView } from './provider.ts';

export type ProviderPorts = { readonly providers: ProviderStore; readonly backlog: BacklogReader };

/** The provider of that id. Throws `not_found`. */
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
