import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { MemoryCandidate } from '../../../contract/agent-memory.ts';
import {
  AccessRequest,
  AllowedOrigin,
  AuditEntry,
  AuthorizationCode,
  Member,
  type Registry,
  type Secret,
  SpentCode,
  Workspace,
  type Write,
} from '../../../domain/workspaces/access/records.ts';
import { providerKey } from '../keys/delivery-keys.ts';
import {
  allowedOriginKey,
  auditKey,
  auditList,
  authorizationCodeKey,
  memberIndex,
  membershipList,
  memoryKey,
  spentCodeKey,
  workspaceIndex,
  workspaceKey,
} from '../keys/registry-keys.ts';
import { areRecorded, ifNotRecorded } from '../names/used-names.ts';
import { attributes, takeItem } from '../requests/items.ts';
import { inPartition } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { transact, transactedUpdate } from '../requests/transact.ts';
import { changing, exists } from '../requests/update-item.ts';
import { collection, indexed, listedBy, listedCollection, queryRecords } from './registry-collection.ts';
import {
  allWorkspaces,
  collectionProjectShape,
  connectorShape,
  graphShape,
  linkedProjectShape,
  memberShape,
  projectKeyShape,
  secretShape,
  serverKeyShape,
  suppressionCountShape,
  suppressionShape,
  tokenShape,
  trackingPlanShape,
} from './registry-readers.ts';

export function registry(table: Table): Registry {
  return {
    workspaces: {
      ...collection(table, {
        schema: Workspace,
        key: ({ id }) => workspaceKey(id),
        extra: ({ id }) => workspaceIndex(id),
      }),
      all: () => allWorkspaces(table),
    },
    members: {
      ...listedCollection(table, {
        ...memberShape,
        extra: ({ workspace_id, user_id }) => memberIndex(workspace_id, user_id),
      }),
      ofUser: (user) => indexed(table, Member, membershipList(user)),
    },
    connectors: listedCollection(table, connectorShape),
    graphs: collection(table, graphShape),
    namesInUse: {
      any: (workspace, names) => areRecorded(table, workspace, names),
      none: (workspace, names) => ifNotRecorded(table, workspace, names),
    },
    linkedProjects: listedCollection(table, linkedProjectShape),
    collectionProjects: listedCollection(table, collectionProjectShape),
    trackingPlans: collection(table, trackingPlanShape),
    suppressions: listedCollection(table, suppressionShape),
    suppressionCounts: collection(table, suppressionCountShape),
    projectKeys: listedCollection(table, projectKeyShape),
    serverKeys: listedCollection(table, serverKeyShape),
    allowedOrigins: collection(table, {
      schema: AllowedOrigin,
      key: ({ origin, workspace_id, project_id }) => allowedOriginKey(origin, workspace_id, project_id),
    }),
    memory: listedCollection(table, {
      kind: 'memory',
      schema: MemoryCandidate,
      key: ({ workspace_id, id }) => memoryKey(workspace_id, id),
    }),
    accessRequests: listedCollection(table, listedBy('access_request', AccessRequest, 'id')),
    tokens: listedCollection(table, { ...tokenShape, extra }),
    secrets: collection(table, { ...secretShape, extra }),
    authorizationCodes: authorizationCodes(table),
    spentCodes: collection<{ readonly hash: string }, SpentCode>(table, {
      schema: SpentCode,
      key: ({ hash }) => spentCodeKey(hash),
      extra: ({ expires_at }) => ({ ttl: Math.ceil(Date.parse(expires_at) / 1000) }),
    }),
    audit: auditLog(table),
    describeProvider: ({ workspace_id, id, ...set }) => ({
      ...transactedUpdate(table, providerKey(workspace_id, id), changing({ set: attributes(set), where: [exists] })),
    }),
    commit: (writes) => commit(table, writes),
  };
}

export const auditLog = (table: Table): Registry['audit'] => ({
  create: collection<AuditEntry, AuditEntry>(table, {
    schema: AuditEntry,
    key: ({ workspace_id, at, id }) => auditKey(workspace_id, at, id),
  }).create,
  latest: (workspace, limit) =>
    queryRecords(table, AuditEntry, {
      ...inPartition(auditList(workspace)),
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
});

/** All the writes, or none: false if a condition refused. */
export const commit = (table: Table, writes: readonly Write[]): Promise<boolean> =>
  transact(
    table,
    writes.map((write) => write as TransactWriteItem),
  );

/** An expired token stays in the list for a month, and so does its secret. A key has no end. */
const expiredRetentionSeconds = 30 * 86_400;
const extra = ({ expires_at }: Pick<Secret, 'expires_at'>): Readonly<Record<string, number>> =>
  expires_at === undefined ? {} : { ttl: Math.ceil(Date.parse(expires_at) / 1000) + expiredRetentionSeconds };

const authorizationCodes = (table: Table): Registry['authorizationCodes'] => ({
  create: collection<{ readonly hash: string }, AuthorizationCode>(table, {
    schema: AuthorizationCode,
    key: ({ hash }) => authorizationCodeKey(hash),
    extra: ({ expires_at }) => ({ ttl: Math.ceil(Date.parse(expires_at) / 1000) }),
  }).create,
  take: async (hash) => {
    const taken = await takeItem(table, authorizationCodeKey(hash));
    return taken && v.parse(AuthorizationCode, unmarshall(taken));
  },
});
