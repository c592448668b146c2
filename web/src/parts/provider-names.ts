import { useQuery } from '@tanstack/react-query';
import { providerNames } from '../../../shared/contract/provider-names.ts';
import { providersQuery } from '../api/queries.ts';
import { useWorkspace } from '../shell/world.ts';

/** The name of each provider, by id. */
export function useProviderNames(workspaceId: string): ReadonlyMap<string, string> {
  const { data } = useQuery(providersQuery(workspaceId));
  const connectors = useWorkspace()?.connectors;
  return providerNames(data?.items ?? [], (id) => connectors?.find((one) => one.id === id)?.name);
}
