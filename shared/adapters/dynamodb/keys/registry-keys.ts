import { canaryPartition } from '../../../contract/collection.ts';
import type { CollectionProjectId, UserId, WorkspaceId } from '../../../contract/ids.ts';
import { jsonDigest } from '../../../domain/base/digest.ts';

const partitionOf = (workspace: WorkspaceId): string => `W#${workspace}`;

const registered = {
  member: 'MEMBER#',
  connector: 'CONNECTOR#',
  linked_project: 'LINKED#',
  collection_project: 'PROJECT#',
  tracking_plan: 'TRACKINGPLAN#',
  suppression: 'SUPPRESSED#',
  project_key: 'PROJECTKEY#',
  server_key: 'SERVERKEY#',
  token: 'TOKEN#',
  access_request: 'REQUEST#',
  check: 'CHECK#',
  memory: 'MEMORY#',
  codehost_app: 'CODEHOSTAPP#',
  codehost_installation: 'INSTALLATION#',
  webhook: 'WEBHOOK#',
} as const;
export type Registered = keyof typeof registered;

/** Where all of one kind that a workspace registered lie together. */
export const registeredList = (workspace: WorkspaceId, kind: Registered) =>
  itemKey(partitionOf(workspace), registered[kind]);

export const registeredKey = (workspace: WorkspaceId, kind: Registered, id: string) =>
  itemKey(partitionOf(workspace), `${registered[kind]}${id}`);

export const workspaceKey = (workspace: WorkspaceId) => itemKey(partitionOf(workspace), 'WORKSPACE');

/** Which generation of the workspace's graph answers. */
export const graphRecordKey = (workspace: WorkspaceId) => itemKey(partitionOf(workspace), 'GRAPH');

/** The partition of the due index that lists the workspaces whose names are being rewritten. */
export const rewriteIndex = 'REWRITE';
export const rewriteDueKey = (workspace: WorkspaceId, dueAt: string) =>
  dueIndexKey(rewriteIndex, `${dueAt}#${workspace}`);

export const usedNameItemKey = (workspace: WorkspaceId, digest: string) => itemKey(`W#${workspace}#SAID`, digest);

export const workspaceList = 'WORKSPACES';
export const workspaceIndex = (workspace: WorkspaceId) => listIndexKey(workspaceList, workspace);

/** The memberships of a user, whatever the workspace. */
export const membershipList = (user: UserId): string => `USER#${user}`;
export const memberIndex = (workspace: WorkspaceId, user: UserId) => listIndexKey(membershipList(user), workspace);

export const suppressionCountKey = (workspace: WorkspaceId) => itemKey(partitionOf(workspace), 'SUPPRESSED_COUNT');

/** A candidate for memory; it was read of the workspace whose id it holds. */
export const memoryKey = (workspace: string, candidate: string) =>
  itemKey(`W#${workspace}`, `${registered.memory}${candidate}`);

export const enabledChecksKey = (workspace: WorkspaceId) => itemKey(partitionOf(workspace), 'ENABLED_CHECKS');

export const webhookCountKey = (workspace: WorkspaceId) => itemKey(partitionOf(workspace), 'WEBHOOK_COUNT');

export const auditList = (workspace: WorkspaceId): string => `${partitionOf(workspace)}#AUDIT`;

/** In the order of time. */
export const auditKey = (workspace: WorkspaceId, at: string, id: string) =>
  itemKey(auditList(workspace), `${at}#${id}`);

/** Not by workspace: a caller that presents a secret does not name one. */
export const secretKey = (hash: string) => itemKey(`SECRET#${hash}`, 'SECRET');

/** Not by workspace: a caller that exchanges a code does not name one. */
export const authorizationCodeKey = (hash: string) => itemKey(`CODE#${hash}`, 'CODE');
export const spentCodeKey = (hash: string) => itemKey(`CODE#${hash}`, 'SPENT');

export const allowedOriginList = (origin: string): string => `ORIGIN#${origin}`;

/** Not by workspace: a preflight does not name one. */
export const allowedOriginKey = (origin: string, workspace: WorkspaceId, project: CollectionProjectId) =>
  itemKey(allowedOriginList(origin), `${workspace}#${project}`);

/** Where a task of the sweep stopped, for all workspaces. */
export const sweepCheckpointKey = (task: string) => itemKey('DEPLOYMENT', `SWEEP#${task}`);

/** The mark of the table: reading it tells whether the table answers. Only the local service writes it. */
export const healthKey: Key = { pk: 'DEPLOYMENT', sk: 'HEALTH' };
/** The object beside it. */
export const healthObject = 'health';

/** The deployment's own secret for cursors: one item, of no workspace. */
export const signingSecretKey: Key = { pk: 'DEPLOYMENT', sk: 'SIGNING_SECRET' };

/** What the canary sends and asks by, in its own partition: its function may read no other. */
export const canaryKey: Key = { pk: canaryPartition, sk: 'KEYS' };

/** Only these files spell keys. Each takes a WorkspaceId first, so no key crosses workspaces. Ids hold no `#`. */
export type Key = { readonly pk: string; readonly sk: string };

export const itemKey = (pk: string, sk: string): Key => ({ pk, sk });

/** A place in the first index, which lists. */
export const listIndexKey = (gsi1pk: string, gsi1sk: string) => ({ gsi1pk, gsi1sk });

/** A place in the second index, which orders open work by when it is due. */
export const dueIndexKey = (gsi2pk: string, gsi2sk: string) => ({ gsi2pk, gsi2sk });

export const keyOf = (item: Readonly<Record<string, { readonly S?: string | undefined }>>) =>
  itemKey(item['pk']?.S ?? '', item['sk']?.S ?? '');

/** A key as one text, to tell items apart. */
export const keyName = ({ pk, sk }: Key): string => `${pk} ${sk}`;

export const eventClaimKey = (
  workspace: WorkspaceId,
  project: CollectionProjectId,
  environment: string,
  id: string,
) => ({
  // Half of a SHA-256: a claim is kept for 400 days, and its bytes are most of its price.
  pk: `E#${jsonDigest([workspace, project, environment, id]).toString('base64url', 0, 16)}`,
});

/** The last request of a sender with the same events without ids, by a digest of all that they are. */
export const eventAttemptKey = (content: string) => ({ pk: `G#${content}` });

/** Whether a run of the event store has committed or was abandoned; a run is no workspace's, and its id a fresh UUID. */
export const storeRunKey = (runId: string) => ({ pk: `R#${runId}` });

export const lakeLeaseKey = { pk: 'L#lake' };

export const eventCountKey = (workspace: WorkspaceId, project: CollectionProjectId, date: string) => ({
  pk: `N#${workspace}#${project}#${date}`,
});

/** Apart from the counts, which are written often: an item costs as much as all that is in it. */
export const eventViolationsKey = (workspace: WorkspaceId, project: CollectionProjectId, date: string) => ({
  pk: `B#${workspace}#${project}#${date}`,
});

export const eventSendersKey = (workspace: WorkspaceId, project: CollectionProjectId, date: string) => ({
  pk: `O#${workspace}#${project}#${date}`,
});

/** The fields that the events of a project have. */
export const eventShapesKey = (workspace: WorkspaceId, project: CollectionProjectId) => ({
  pk: `S#${workspace}#${project}`,
});

/** The bucket of a project key, by its hash, in the ledger: the collect function may only update that table. */
export const projectKeyRateKey = (hash: string) => ({ pk: `Q#${hash}` });

export const workspaceRateKey = (workspace: WorkspaceId) => itemKey(`W#${workspace}#Q`, 'REQUESTS');

/** The bucket of the read units of a workspace, or of one of its callers. */
export const readUnitsKey = ({ workspace, caller }: { workspace: WorkspaceId; caller: UserId | null }) =>
  itemKey(`W#${workspace}#Q`, caller === null ? 'UNITS' : `UNITS#${caller}`);
