import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { StoredRecord } from '../../workspaces/access/records.ts';

export type CommitManifest = {
  readonly workspace_id: WorkspaceId;
  readonly repository: string;
  readonly commit_sha: string;
  readonly connector_id: ConnectorId;
  readonly project_id: string | null;
  readonly received_at: string;
};

export type ManifestStore = {
  /** The bytes are those of a JSON document. */
  readonly put: (manifest: CommitManifest, bytes: Uint8Array) => Promise<void>;
  readonly find: (workspace: WorkspaceId, repository: string, commit: string) => Promise<CommitManifest | null>;
  readonly bytes: (manifest: CommitManifest) => Promise<Uint8Array>;
};

export type CheckSettingsStore = {
  readonly find: (workspace: WorkspaceId) => Promise<StoredRecord<CheckSettings> | null>;
  /** False where another write came between. */
  readonly write: (
    before: StoredRecord<CheckSettings> | null,
    settings: CheckSettings,
    userId: string,
  ) => Promise<boolean>;
};
