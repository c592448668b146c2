import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { MemoryCandidate } from '../../contract/agent-memory.ts';
import {
  AllowedOrigin,
  AuditEntry,
  CollectionProject,
  LinkedProjectRecord,
  Member,
  ProjectKey,
  ServerKey,
  Workspace,
} from '../../domain/access/records.ts';
import type { Registry, Write } from '../../domain/access/registry.ts';
import { Connector } from '../../domain/identity/connector.ts';
import { GraphRecord } from '../../domain/naming/graph-record.ts';
import type { Item } from './batch-get.ts';
import {
  allowedOriginKey,
  auditKey,
  auditList,
  collectionProjectKey,
  connectorKey,
  graphRecordKey,
  linkedProjectKey,
  memberIndex,
  memberKey,
  membershipList,
  memoryKey,
  projectKeyKey,
  rewriteDueKey,
  serverKeyKey,
  workspaceIndex,
  workspaceKey,
  workspaceList,
} from './keys/registry-keys.ts';
import { collection, listedCollection, queryRecords } from './registry-collection.ts';
import { credentials } from './registry-credentials.ts';
import { areSaid, unlessSaid } from './said-names.ts';
import type { Table } from './table.ts';

/** The registry of what operators set up, over the table. */
export function registry(table: Table): Registry {
  return {
    ...tenants(table),
    connectors: listedCollection(table, 'connector', {
      schema: Connector,
      key: ({ workspace_id, id }) => connectorKey(workspace_id, id),
    }),
    graphs: collection(table, {
      schema: GraphRecord,
      key: ({ workspace_id }) => graphRecordKey(workspace_id),
      beside: ({ workspace_id, due_at }) => (due_at === null ? {} : rewriteDueKey(workspace_id, due_at)),
    }),
    saidNames: {
      any: (workspace, names) => areSaid(table, workspace, names),
      none: (workspace, names) => unlessSaid(table, workspace, names),
    },
    linkedProjects: listedCollection(table, 'linked_project', {
      schema: LinkedProjectRecord,
      key: ({ workspace_id, project_id }) => linkedProjectKey(workspace_id, project_id),
    }),
    ...collecting(table),
    memory: listedCollection(table, 'memory', {
      schema: MemoryCandidate,
      key: ({ workspace_id, id }) => memoryKey(workspace_id, id),
    }),
    ...credentials(table),
    audit: auditLog(table),
    commit: (writes) => commit(table, writes),
  };
}

export const connectorOf = (item: Item): Connector => v.parse(Connector, unmarshall(item));

type Tenants = Pick<Registry, 'workspaces' | 'members'>;

const tenants = (table: Table): Tenants => ({
  workspaces: {
    ...collection(table, {
      schema: Workspace,
      key: ({ id }) => workspaceKey(id),
      beside: ({ id }) => workspaceIndex(id),
    }),
    all: () => indexed(table, Workspace, workspaceList),
  },
  members: {
    ...listedCollection(table, 'member', {
      schema: Member,
      key: ({ workspace_id, user_id }) => memberKey(workspace_id, user_id),
      beside: ({ workspace_id, user_id }) => memberIndex(workspace_id, user_id),
    }),
    ofUser: (user) => indexed(table, Member, membershipList(user)),
  },
});

type Collecting = Pick<Registry, 'collectionProjects' | 'projectKeys' | 'serverKeys' | 'allowedOrigins'>;

const collecting = (table: Table): Collecting => ({
  collectionProjects: listedCollection(table, 'collection_project', {
    schema: CollectionProject,
    key: ({ workspace_id, id }) => collectionProjectKey(workspace_id, id),
  }),
  projectKeys: listedCollection(table, 'project_key', {
    schema: ProjectKey,
    key: ({ workspace_id, project_id, id }) => projectKeyKey(workspace_id, project_id, id),
  }),
  serverKeys: listedCollection(table, 'server_key', {
    schema: ServerKey,
    key: ({ workspace_id, project_id, id }) => serverKeyKey(workspace_id, project_id, id),
  }),
  allowedOrigins: collection(table, {
    schema: AllowedOrigin,
    key: ({ origin, workspace_id, project_id }) => allowedOriginKey(origin, workspace_id, project_id),
  }),
});

const auditLog = (table: Table): Registry['audit'] => ({
  create: collection<AuditEntry, AuditEntry>(table, {
    schema: AuditEntry,
    key: ({ workspace_id, at, id }) => auditKey(workspace_id, at, id),
  }).create,
  latest: (workspace, limit) =>
    queryRecords(table, AuditEntry, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: auditList(workspace) } },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
});

const indexed = <R>(table: Table, schema: Parameters<typeof queryRecords<R>>[1], partition: string) =>
  queryRecords(table, schema, {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :partition',
    ExpressionAttributeValues: { ':partition': { S: partition } },
  });

async function commit(table: Table, writes: readonly Write[]): Promise<boolean> {
  try {
    await table.client.send(
      new TransactWriteItemsCommand({ TransactItems: writes.map((write) => write as TransactWriteItem) }),
    );
    return true;
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed' || Code === 'TransactionConflict')) return false;
    throw error;
  }
}
