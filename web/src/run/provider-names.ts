import { useQuery } from '@tanstack/react-query';
import { providersQuery } from '../api/queries.ts';

export function useProviderNames(workspaceId: string): ReadonlyMap<string, string> {
  const { data } = useQuery(providersQuery(workspaceId));
  return new Map((data?.items ?? []).map(({ id, display_name }) => [id, display_name]));
}
