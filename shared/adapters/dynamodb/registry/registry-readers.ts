import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { type CollectionProjectId, idOrNull, TokenId, type UserId, type WorkspaceId } from '../../../contract/ids.ts';
import type { TrackingPlan } from '../../../contract/tracking-plan.ts';
import { lruCache } from '../../../domain/base/caching.ts';
import { GraphRecord, readableGraph } from '../../../domain/lineage/generations/graph-record.ts';
import { Connector } from '../../../domain/lineage/names/connector.ts';
import type { AuthenticationPorts, Membership } from '../../../domain/workspaces/access/authenticate.ts';
import type { MembershipReader } from '../../../domain/workspaces/access/authorize.ts';
import {
  AccessToken,
  type AuditEntry,
  CollectionProject,
  LinkedProjectRecord,
  Member,
  ProjectKey,
  Secret,
  ServerKey,
  Suppression,
  SuppressionCount,
  TrackingPlanRecord,
  Workspace,
} from '../../../domain/workspaces/access/records.ts';
import {
  auditKey,
  graphRecordKey,
  type Key,
  rewriteDueKey,
  secretKey,
  suppressionCountKey,
  workspaceKey,
  workspaceList,
} from '../keys/registry-keys.ts';
import { attributes, batchGet, type Item } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { changing, equal, exists, updateItem } from '../requests/update-item.ts';
import { indexed, listedBy, listedRecords, type RecordShape, records } from './registry-collection.ts';

// What functions read of the registry that change nothing of it: their bundles, and so their roles, hold no write.

type InWorkspace = { readonly workspace_id: WorkspaceId };

export const memberShape = listedBy('member', Member, 'user_id');

export const tokenShape = listedBy('token', AccessToken, 'id');

export const connectorShape = listedBy('connector', Connector, 'id');

export const graphShape: RecordShape<GraphRecord, InWorkspace> = {
  schema: v.pipe(GraphRecord, v.transform(readableGraph)),
  key: ({ workspace_id }) => graphRecordKey(workspace_id),
  extra: ({ workspace_id, due_at }) => (due_at === null ? {} : rewriteDueKey(workspace_id, due_at)),
};

export const linkedProjectShape = listedBy('linked_project', LinkedProjectRecord, 'project_id');

export const collectionProjectShape = listedBy('collection_project', CollectionProject, 'id');

export const trackingPlanShape = listedBy('tracking_plan', TrackingPlanRecord, 'project_id');

/** The tracking plan of a collection project, null if it has none. */
export function trackingPlanReader(table: Table) {
  const plans = records(table, trackingPlanShape);
  return async (place: InWorkspace & { readonly project_id: CollectionProjectId }): Promise<TrackingPlan | null> => {
    const found = await plans.find({ workspace_id: place.workspace_id, project_id: place.project_id });
    return found && JSON.parse(found.record.plan);
  };
}

export const suppressionShape = listedBy('suppression', Suppression, 'id');

export const suppressionCountShape: RecordShape<SuppressionCount, InWorkspace> = {
  schema: SuppressionCount,
  key: ({ workspace_id }) => suppressionCountKey(workspace_id),
};

export const projectKeyShape = listedBy('project_key', ProjectKey, 'project_id', 'id');

export const serverKeyShape = listedBy('server_key', ServerKey, 'project_id', 'id');

export const secretShape: RecordShape<Secret, { readonly hash: string }> = {
  schema: Secret,
  key: ({ hash }) => secretKey(hash),
};

export const named = (table: Table) => ({
  connectors: listedRecords(table, connectorShape),
  graphs: records(table, graphShape),
});

export const allWorkspaces = (table: Table) => indexed(table, Workspace, workspaceList);

export const collectionProjectsOf = (table: Table, workspace: WorkspaceId) =>
  listedRecords(table, collectionProjectShape).list(workspace);

export const linkedProjects = (table: Table) => records(table, linkedProjectShape);

const secrets = (table: Table) => records(table, secretShape);

export const collecting = (table: Table) => ({
  collectionProjects: records(table, collectionProjectShape),
  projectKeys: records(table, projectKeyShape),
  serverKeys: records(table, serverKeyShape),
  suppressions: listedRecords(table, suppressionShape),
  suppressionCounts: records(table, suppressionCountShape),
});

export const connectorOf = (item: Item): Connector => v.parse(Connector, unmarshall(item));

const secretsCached = 10_000;

/** Reads of authentication and authorization: one consistent batch a request, so that a revocation holds at once. */
export function accessReader(table: Table): Pick<AuthenticationPorts, 'token' | 'used'> & {
  readonly membership: MembershipReader;
  readonly audit: (entry: AuditEntry) => Promise<void>;
} {
  const secretOf = secretReader(table);
  return {
    membership: async (workspace, user) => {
      const keys = membershipKeys(workspace, user);
      return membershipIn(await read(table, Object.values(keys)), keys);
    },
    token: async (hash) => {
      const secret = await secretOf(hash);
      const id = secret && idOrNull(TokenId, secret.id);
      if (secret?.kind !== 'token' || secret.user_id === null || id === null) return null;
      const key = tokenShape.key({ workspace_id: secret.workspace_id, id });
      const keys = membershipKeys(secret.workspace_id, secret.user_id);
      const items = await read(table, [key, ...Object.values(keys)]);
      const item = itemAt(items, key);
      return item ? { token: v.parse(AccessToken, unmarshall(item)), membership: membershipIn(items, keys) } : null;
    },
    used: (token, now) => noteUse(table, token, now),
    // As an update, which every function of routes may do.
    audit: async (entry) => {
      const { workspace_id, at, id } = entry;
      await updateItem(table, auditKey(workspace_id, at, id), changing({ set: attributes({ ...entry, revision: 1 }) }));
    },
  };
}

/** Where a secret's record lies. It never changes, so that the cache cannot outlive a revocation. */
export function secretReader(table: Table): (hash: string) => Promise<Secret | null> {
  const records = secrets(table);
  const cache = lruCache<string, Secret>(secretsCached);
  return async (hash) => {
    const known = cache.get(hash);
    if (known) return known;
    const found = await records.find({ hash });
    if (found) cache.set(hash, found.record);
    return found?.record ?? null;
  };
}

const membershipKeys = (workspace: WorkspaceId, user: UserId) => ({
  workspace: workspaceKey(workspace),
  member: memberShape.key({ workspace_id: workspace, user_id: user }),
});

const read = (table: Table, keys: readonly Key[]): Promise<Item[]> => batchGet(table, keys, { consistent: true });

const itemAt = (items: readonly Item[], { pk, sk }: Key): Item | undefined =>
  items.find((item) => item['pk']?.S === pk && item['sk']?.S === sk);

function membershipIn(items: readonly Item[], keys: ReturnType<typeof membershipKeys>): Membership {
  const [workspace, member] = [itemAt(items, keys.workspace), itemAt(items, keys.member)];
  if (workspace === undefined) return { role: null, patsEnabled: false };
  const { pats_enabled } = v.parse(Workspace, unmarshall(workspace));
  return { role: member ? v.parse(Member, unmarshall(member)).role : null, patsEnabled: pats_enabled };
}

/** Of many uses at once one is noted; if the store fails, the next use notes it. */
async function noteUse(table: Table, token: AccessToken, now: Date): Promise<void> {
  const { last_used_at } = token;
  const before = last_used_at === null ? ({ NULL: true } as const) : { S: last_used_at };
  const set = { last_used_at: { S: now.toISOString() } };
  const change = changing({ set, where: [exists, equal('last_used_at', before)] });
  await updateItem(table, tokenShape.key(token), change).catch(() => undefined);
}
