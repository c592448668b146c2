import type { workspaceRoutes } from '../../shared/contract/routes/workspaces.ts';
import { listConnectors, listWorkspaces } from '../../shared/domain/access/list-mine.ts';
import type { Registry } from '../../shared/domain/access/registry.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Serves the routes that tell what a caller can reach. */
export const workspaceImplementations = (registry: Registry): Implementations<typeof workspaceRoutes> => ({
  listWorkspaces: async ({ caller, query }) => ({ status: 200, body: await listWorkspaces(registry, caller, query) }),
  listConnectors: async ({ workspace, query }) => ({
    status: 200,
    body: await listConnectors(registry, workspace, query),
  }),
});
