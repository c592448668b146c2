import type { CollectionProjectId, ConnectorId, TokenId, UserId, WorkspaceId } from '../../contract/ids.ts';
import type { Key } from './keys.ts';

/** Keys of what operators set up, and of the deployment itself; the rules are those of `keys.ts`. */

const partitionOf = (workspace: WorkspaceId): string => `W#${workspace}`;

const registered = {
  member: 'MEMBER#',
  connector: 'CONNECTOR#',
  linked_project: 'LINKED#',
  collection_project: 'PROJECT#',
  project_key: 'PROJECTKEY#',
  server_key: 'SERVERKEY#',
  token: 'TOKEN#',
} as const;
export type Registered = keyof typeof registered;

/** Where all of one kind that a workspace registered lie together. */
export const registeredList = (workspace: WorkspaceId, kind: Registered) => ({
  pk: partitionOf(workspace),
  prefix: registered[kind],
});

export const workspaceKey = (workspace: WorkspaceId): Key => ({ pk: partitionOf(workspace), sk: 'WORKSPACE' });

/** The workspaces of the deployment, for its operators. */
export const workspaceList = 'WORKSPACES';
export const workspaceIndex = (workspace: WorkspaceId) => ({ gsi1pk: workspaceList, gsi1sk: workspace });

export const memberKey = (workspace: WorkspaceId, user: UserId): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.member}${user}`,
});

/** The memberships of a user, whatever the workspace. */
export const membershipList = (user: UserId): string => `USER#${user}`;
export const memberIndex = (workspace: WorkspaceId, user: UserId) => ({
  gsi1pk: membershipList(user),
  gsi1sk: workspace,
});

export const connectorKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.connector}${connector}`,
});

export const linkedProjectKey = (workspace: WorkspaceId, project: string): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.linked_project}${project}`,
});

export const collectionProjectKey = (workspace: WorkspaceId, project: CollectionProjectId): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.collection_project}${project}`,
});

export const projectKeyKey = (workspace: WorkspaceId, project: CollectionProjectId, id: string): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.project_key}${project}#${id}`,
});

export const serverKeyKey = (workspace: WorkspaceId, project: CollectionProjectId, id: string): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.server_key}${project}#${id}`,
});

export const tokenKey = (workspace: WorkspaceId, token: TokenId): Key => ({
  pk: partitionOf(workspace),
  sk: `${registered.token}${token}`,
});

export const auditList = (workspace: WorkspaceId): string => `${partitionOf(workspace)}#AUDIT`;

/** In the order of time. */
export const auditKey = (workspace: WorkspaceId, at: string, id: string): Key => ({
  pk: auditList(workspace),
  sk: `${at}#${id}`,
});

/** Of whichever workspace: who presents a secret names none. */
export const secretKey = (hash: string): Key => ({ pk: `SECRET#${hash}`, sk: 'SECRET' });

export const allowedOriginList = (origin: string): string => `ORIGIN#${origin}`;

/** Of whichever workspace: a preflight names none. */
export const allowedOriginKey = (origin: string, workspace: WorkspaceId, project: CollectionProjectId): Key => ({
  pk: allowedOriginList(origin),
  sk: `${workspace}#${project}`,
});

/** Where a task of the sweep stopped, of whichever workspace. */
export const sweepPlaceKey = (task: string): Key => ({ pk: 'DEPLOYMENT', sk: `SWEEP#${task}` });

/** The deployment's own secret for cursors: one item, of no workspace. */
export const signingSecretKey: Key = { pk: 'DEPLOYMENT', sk: 'SIGNING_SECRET' };
