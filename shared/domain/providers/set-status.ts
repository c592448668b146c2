import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { ProviderInstance, SettableStatus } from '../../contract/providers.ts';
import type { BacklogReader, ProviderStore } from './ports.ts';
import { noBacklog, providerView } from './provider.ts';

/** Pauses, disables or resumes a provider and answers with it: specification 4.4. Throws `not_found`. */
export async function setProviderStatus(
  ports: { readonly providers: ProviderStore; readonly backlog: BacklogReader },
  workspace: WorkspaceId,
  id: ProviderInstanceId,
  { status, now }: { readonly status: SettableStatus; readonly now: Date },
): Promise<ProviderInstance> {
  if (!(await ports.providers.setStatus(workspace, id, status, now.toISOString()))) throw new Problem('not_found');
  const record = await ports.providers.get(workspace, id);
  if (!record) throw new Problem('not_found');
  const backlogs = await ports.backlog.backlogs(workspace);
  return providerView(record, backlogs.get(id) ?? noBacklog);
}
