import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type Workspace, worldQuery } from '../api/queries.ts';

export type Role = Workspace['role'];

const key = 'tributary.workspace';

/** Keeps which workspace is looked at, for addresses that do not say. */
export const keepWorkspace = (id: string): void => localStorage.setItem(key, id);

/** The address of what is shown. It names the workspace, by its connector or itself. */
export function sharedAddress(): string {
  const { origin, pathname, searchParams } = new URL(location.href);
  if (!searchParams.has('connector')) searchParams.set('workspace', localStorage.getItem(key) ?? '');
  return `${origin}${pathname}?${searchParams}`;
}

/** The workspace of the address or of its connector, else the one looked at last, else the first; null until known, or where there is none. */
export function useWorkspace(): Workspace | null {
  const { data: workspaces = [] } = useQuery(worldQuery);
  const { workspace: named, connector } = useSearch({ strict: false }) as Record<string, string>;
  const kept = localStorage.getItem(key);
  const isOwner = ({ id, connectors }: Workspace) => id === named || connectors.some((one) => one.id === connector);
  return workspaces.find(isOwner) ?? workspaces.find(({ id }) => id === kept) ?? workspaces[0] ?? null;
}

const roles: readonly Role[] = ['viewer', 'editor', 'admin'];

/** In rising order: each role may do what the ones before it may. */
export const may = (workspace: Workspace | null, role: Role): boolean =>
  workspace !== null && roles.indexOf(workspace.role) >= roles.indexOf(role);
