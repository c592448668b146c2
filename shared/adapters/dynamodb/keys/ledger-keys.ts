import { createHash } from 'node:crypto';
import type { CollectionProjectId, WorkspaceId } from '../../../contract/ids.ts';
import type { Key } from './key.ts';

/** An event id's claim: hashed, because an id may hold any character and the parts have to stay apart. */
export const eventClaimKey = (
  workspace: WorkspaceId,
  project: CollectionProjectId,
  environment: string,
  id: string,
) => ({
  pk: `E#${createHash('sha256')
    .update(JSON.stringify([workspace, project, environment, id]))
    .digest('base64url')}`,
});

/** Whether a run of the event store has committed or was abandoned; a run is no workspace's, and its id a fresh UUID. */
export const storeRunKey = (runId: string) => ({ pk: `R#${runId}` });

/** Held by whoever moves or removes rows of the lake. */
export const lakeLeaseKey = { pk: 'L#lake' };

/** What became of a project's events of one day. */
export const eventCountKey = (workspace: WorkspaceId, project: CollectionProjectId, date: string) => ({
  pk: `N#${workspace}#${project}#${date}`,
});

/** The bucket of a project key, by its hash, in the ledger: who collects may update that table alone. */
export const projectKeyRateKey = (hash: string) => ({ pk: `Q#${hash}` });

/** The bucket of all requests of a workspace. */
export const workspaceRateKey = (workspace: WorkspaceId): Key => ({ pk: `W#${workspace}#Q`, sk: 'REQUESTS' });
