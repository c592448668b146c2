import * as v from 'valibot';
import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { StoredRecord } from '../../workspaces/access/records.ts';

export const CommitManifest = v.object({
  workspace_id: WorkspaceId,
  repository: v.string(),
  commit_sha: v.string(),
  connector_id: ConnectorId,
  project_id: v.nullable(v.string()),
  received_at: v.string(),
});
export type CommitManifest = v.InferOutput<typeof CommitManifest>;

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
