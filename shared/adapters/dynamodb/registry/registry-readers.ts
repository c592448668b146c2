import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { CollectionProjectId, ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { GraphRecord } from '../../../domain/lineage/generations/graph-record.ts';
import { Connector } from '../../../domain/lineage/names/connector.ts';
import {
  CollectionProject,
  LinkedProjectRecord,
  ProjectKey,
  Secret,
  ServerKey,
  Workspace,
} from '../../../domain/workspaces/access/records.ts';
import {
  collectionProjectKey,
  connectorKey,
  graphRecordKey,
  linkedProjectKey,
  projectKeyKey,
  rewriteDueKey,
  secretKey,
  serverKeyKey,
  workspaceList,
} from '../keys/registry-keys.ts';
import type { Item } from '../requests/batch-get.ts';
import type { Table } from '../requests/table.ts';
import { indexed, listedRecords, type RecordShape, records } from './registry-collection.ts';

// What functions read of the registry that change nothing of it: their bundles, and so their roles, hold no write.

type InWorkspace = { readonly workspace_id: WorkspaceId };
type OfProject = InWorkspace & { readonly project_id: CollectionProjectId; readonly id: string };

export const connectorShape: RecordShape<Connector, InWorkspace & { readonly id: ConnectorId }> = {
  schema: Connector,
  key: ({ workspace_id, id }) => connectorKey(workspace_id, id),
};

export const graphShape: RecordShape<GraphRecord, InWorkspace> = {
  schema: GraphRecord,
  key: ({ workspace_id }) => graphRecordKey(workspace_id),
  extra: ({ workspace_id, due_at }) => (due_at === null ? {} : rewriteDueKey(workspace_id, due_at)),
};

export const linkedProjectShape: RecordShape<LinkedProjectRecord, InWorkspace & { readonly project_id: string }> = {
  schema: LinkedProjectRecord,
  key: ({ workspace_id, project_id }) => linkedProjectKey(workspace_id, project_id),
};

export const collectionProjectShape: RecordShape<
  CollectionProject,
  InWorkspace & { readonly id: CollectionProjectId }
> = {
  schema: CollectionProject,
  key: ({ workspace_id, id }) => collectionProjectKey(workspace_id, id),
};

export const projectKeyShape: RecordShape<ProjectKey, OfProject> = {
  schema: ProjectKey,
  key: ({ workspace_id, project_id, id }) => projectKeyKey(workspace_id, project_id, id),
};

export const serverKeyShape: RecordShape<ServerKey, OfProject> = {
  schema: ServerKey,
  key: ({ workspace_id, project_id, id }) => serverKeyKey(workspace_id, project_id, id),
};

export const secretShape: RecordShape<Secret, { readonly hash: string }> = {
  schema: Secret,
  key: ({ hash }) => secretKey(hash),
};

/** What names of relations mean. */
export const named = (table: Table) => ({
  connectors: listedRecords(table, 'connector', connectorShape),
  graphs: records(table, graphShape),
});

export const allWorkspaces = (table: Table) => indexed(table, Workspace, workspaceList);

/** The collection projects of a workspace. */
export const collectionProjectsOf = (table: Table, workspace: WorkspaceId) =>
  listedRecords(table, 'collection_project', collectionProjectShape).list(workspace);

/** Which projects of others a workspace takes snapshots of. */
export const linkedProjects = (table: Table) => records(table, linkedProjectShape);

/** Where the records of secrets lie. */
export const secrets = (table: Table) => records(table, secretShape);

/** What keys of collection belong to. */
export const collecting = (table: Table) => ({
  collectionProjects: records(table, collectionProjectShape),
  projectKeys: records(table, projectKeyShape),
  serverKeys: records(table, serverKeyShape),
});

export const connectorOf = (item: Item): Connector => v.parse(Connector, unmarshall(item));
