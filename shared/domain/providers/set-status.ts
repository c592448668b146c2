import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { ProviderInstance, SettableStatus } from '../../contract/providers.ts';
import { type ProviderPorts, showProvider } from './show-provider.ts';

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
