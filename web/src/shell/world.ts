import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { type Workspace, worldQuery } from '../api/queries.ts';

export type Role = Workspace['role'];

const key = 'tributary.workspace';
const listeners = new Set<() => void>();

/** The workspace that is looked at where an address does not say. */
export function chooseWorkspace(id: string): void {
  localStorage.setItem(key, id);
  for (const listener of listeners) listener();
}

const useChosen = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(key),
  );

/** The workspace of the address's connector, else the chosen one, else the first; null until known, or where there is none. */
export function useWorkspace(): Workspace | null {
  const { data: workspaces = [] } = useQuery(worldQuery);
  const { connector } = useSearch({ strict: false }) as Record<string, string>;
  const chosen = useChosen();
  const owner = connector && workspaces.find(({ connectors }) => connectors.some(({ id }) => id === connector));
  return owner || (workspaces.find(({ id }) => id === chosen) ?? workspaces[0] ?? null);
}

const roles: readonly Role[] = ['viewer', 'editor', 'admin'];

/** In rising order: each role may do what the ones before it may. */
export const may = (workspace: Workspace | null, role: Role): boolean =>
  workspace !== null && roles.indexOf(workspace.role) >= roles.indexOf(role);
