import * as v from 'valibot';
import { pageCursor, pageLimit, text } from './fields.ts';
import { connectorKinds, roles } from './vocabulary.ts';

const nextCursor = v.nullable(v.string());

/** The workspaces that the caller is a member of. */
export const WorkspacesQuery = v.object({ limit: pageLimit, cursor: pageCursor });
export const WorkspacePage = v.object({
  items: v.array(v.object({ id: v.string(), name: v.string(), role: v.picklist(roles) })),
  next_cursor: nextCursor,
});
export type WorkspacePage = v.InferOutput<typeof WorkspacePage>;

/** The connectors of a workspace, in the order of their ids. */
export const ConnectorsQuery = v.object({ workspace_id: text(200), limit: pageLimit, cursor: pageCursor });
const ConnectorItem = v.object({
  id: v.string(),
  workspace_id: v.string(),
  kind: v.picklist(connectorKinds),
  name: v.string(),
  namespaces: v.array(v.string()),
  default_database: v.nullable(v.string()),
  default_schema: v.nullable(v.string()),
});
export const ConnectorPage = v.object({
  workspace_id: v.string(),
  items: v.array(ConnectorItem),
  next_cursor: nextCursor,
});
export type ConnectorPage = v.InferOutput<typeof ConnectorPage>;
