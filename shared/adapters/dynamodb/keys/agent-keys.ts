import type { CheckId, ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Key } from './key.ts';

/** Keys of what agents leave behind; the rules are those of `key.ts`. */

const checkPartition = (workspace: WorkspaceId, check: CheckId): string => `W#${workspace}#K#${check}`;

/** The newest result of a check. */
export const checkStatusKey = (workspace: WorkspaceId, check: CheckId): Key => ({
  pk: checkPartition(workspace, check),
  sk: 'STATUS',
});

/** The results of a check lie in the order of their ids, which is that of time. */
export const checkResultKey = (workspace: WorkspaceId, check: CheckId, result: string): Key => ({
  pk: checkPartition(workspace, check),
  sk: `RESULT#${result}`,
});

export const artifactKey = (workspace: WorkspaceId, artifact: string): Key => ({
  pk: `W#${workspace}#A#${artifact}`,
  sk: 'ARTIFACT',
});

/** Which version of a path is accepted; the path stands for itself by its digest. */
export const artifactPathKey = (workspace: WorkspaceId, pathDigest: string): Key => ({
  pk: `W#${workspace}#AP#${pathDigest}`,
  sk: 'HEAD',
});

export const artifactIndex = (workspace: WorkspaceId): string => `W#${workspace}#ARTIFACTS`;

/** An artifact's place in the list of its workspace, by time. */
export const artifactListKey = (workspace: WorkspaceId, place: string) => ({
  gsi1pk: artifactIndex(workspace),
  gsi1sk: place,
});

/** What is known of a connector's tables together. */
export const connectorSummaryKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: `W#${workspace}#CS#${connector}`,
  sk: 'SUMMARY',
});
