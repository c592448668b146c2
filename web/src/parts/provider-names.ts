import { useQuery } from '@tanstack/react-query';
import { providerNames } from '../../../shared/contract/provider-names.ts';
import { providersQuery } from '../api/queries.ts';
import { useWorkspace } from '../shell/world.ts';
import { scopeName } from './scope-name.ts';

/** The name of each provider, by id. */
export function useProviderNames(workspaceId: string): ReadonlyMap<string, string> {
  const { data } = useQuery(providersQuery(workspaceId));
  const connectors = useWorkspace()?.connectors;
  return providerNames(data?.items ?? [], (id) => connectors?.find((one) => one.id === id)?.name);
}

/** Names a scope by who states it instead of by the id that its key begins with: `warehouse dbt-project shop-dbt`. */
export function useScopeName(): (key: string) => string {
  const workspace = useWorkspace();
  const providers = useProviderNames(workspace?.id ?? '');
  const names = new Map([...providers, ...(workspace?.connectors.map(({ id, name }) => [id, name] as const) ?? [])]);
  return (key) => scopeName(key, names);
}
