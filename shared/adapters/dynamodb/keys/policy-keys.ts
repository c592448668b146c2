import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Key } from './key.ts';

const policyPartition = (workspace: WorkspaceId, connector: ConnectorId): string => `W#${workspace}#Y#${connector}`;

/** The whole policy that holds now, so that a read is evaluated after one batch get. */
export const policyHeadKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: policyPartition(workspace, connector),
  sk: 'HEAD',
});

/** Revisions lie in their order; `BETWEEN` the keys of 0 and of one is all up to it. */
export const policyRevisionKey = (workspace: WorkspaceId, connector: ConnectorId, revision: number): Key => ({
  pk: policyPartition(workspace, connector),
  sk: `V#${String(revision).padStart(10, '0')}`,
});

export const recountKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: policyPartition(workspace, connector),
  sk: 'RECOUNT',
});

/** The partition of the due index that lists recounts that are not done. */
export const recountIndex = 'RECOUNT';

export const recountDueKey = (workspace: WorkspaceId, connector: ConnectorId, dueAt: string) => ({
  gsi2pk: recountIndex,
  gsi2sk: `${dueAt}#${workspace}#${connector}`,
});
