import type { Route } from '../route.ts';
import { ConnectorPage, ConnectorsQuery, WorkspacePage, WorkspacesQuery } from '../workspaces.ts';

/** What a caller can reach: C-READ-8. */
export const workspaceRoutes = {
  listWorkspaces: {
    method: 'GET',
    path: '/v1/workspaces',
    function: 'access',
    summary: 'Lists the workspaces that the caller is a member of, with the role in each.',
    access: { kind: 'signed_in', scope: 'read' },
    query: WorkspacesQuery,
    replies: {
      200: {
        description: 'A page of workspaces, in the order of their ids.',
        schema: WorkspacePage,
        example: { items: [{ id: 'ws_7k2m9q', name: 'acme', role: 'editor' }], next_cursor: null },
      },
    },
    problems: ['validation_error'],
  },
  listConnectors: {
    method: 'GET',
    path: '/v1/connectors',
    function: 'access',
    summary: 'Lists the connectors of a workspace.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' },
    query: ConnectorsQuery,
    replies: {
      200: {
        description: 'A page of connectors, in the order of their ids.',
        schema: ConnectorPage,
        example: {
          workspace_id: 'ws_7k2m9q',
          items: [
            {
              id: 'con_4tz81b',
              workspace_id: 'ws_7k2m9q',
              kind: 'postgres',
              name: 'warehouse',
              namespaces: ['postgres://db.example:5432'],
              default_database: 'analytics',
              default_schema: 'public',
            },
          ],
          next_cursor: null,
        },
      },
    },
    problems: ['validation_error'],
  },
} as const satisfies Record<string, Route>;
