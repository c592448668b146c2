import * as v from 'valibot';
import { pageOf, paging } from './fields.ts';
import { LayerRules } from './layers.ts';
import { type FunctionRoutes, PageQuery, servedBy, viewerAccess } from './route.ts';
import { connectorKinds, roles } from './vocabulary.ts';

const WorkspacesQuery = v.object({ ...paging });
export const WorkspacePage = v.object({
  items: v.array(v.object({ id: v.string(), name: v.string(), role: v.picklist(roles) })),
  next_cursor: v.nullable(v.string()),
});
export type WorkspacePage = v.InferOutput<typeof WorkspacePage>;

export const ConnectorItem = v.object({
  id: v.string(),
  workspace_id: v.string(),
  kind: v.picklist(connectorKinds),
  name: v.string(),
  namespaces: v.array(v.string()),
  default_database: v.nullable(v.string()),
  default_schema: v.nullable(v.string()),
  /** C-RELATION-5. */
  layers: LayerRules,
});
export const ConnectorPage = pageOf(ConnectorItem);
export type ConnectorPage = v.InferOutput<typeof ConnectorPage>;

/** What a caller can reach: C-READ-8. */
export const workspaceRoutes = servedBy('access', {
  listWorkspaces: {
    method: 'GET',
    path: '/v1/workspaces',
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
  },
  listConnectors: {
    method: 'GET',
    path: '/v1/connectors',
    summary: 'Lists the connectors of a workspace.',
    access: viewerAccess,
    query: PageQuery,
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
              layers: [{ schema: 'finance', layer: 'marts' }],
            },
          ],
          next_cursor: null,
        },
      },
    },
  },
} as const satisfies FunctionRoutes);
