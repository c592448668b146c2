import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { StoredRecord } from '../../workspaces/access/records.ts';
import type { AppCredentials } from '../ports.ts';

export type RepositoryPlace = {
  readonly credentials: AppCredentials;
  readonly installation: string;
  /** `owner/name` */
  readonly repository: string;
};

export type PullRequest = {
  readonly number: number;
  readonly isOpen: boolean;
  /** The commit that would be merged. */
  readonly head: string;
  /** The branch into which. */
  readonly base: string;
};

/** A commit, with its branch (`owner:branch`) if known. */
export type HeadCommit = { readonly sha: string; readonly branch: string | null };

export type Annotation = {
  readonly path: string;
  readonly line: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
};

export type CheckRun = {
  readonly id: string;
  readonly externalId: string;
  readonly isCompleted: boolean;
  /** How many it has; the host adds to them and takes none away. */
  readonly annotations: number;
};

export type CheckRunChange = {
  readonly externalId: string;
  /** Null while more annotations are to come. */
  readonly conclusion: 'success' | 'neutral' | 'failure' | null;
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
};

/** What checks ask of the host. Throws `HostFailure`. */
export type PullRequestsOfHost = {
  readonly find: (place: RepositoryPlace, number: number) => Promise<PullRequest | null>;
  /** The open pull requests whose head is the commit. */
  readonly ofCommit: (place: RepositoryPlace, commit: HeadCommit) => Promise<readonly number[]>;
  /** Null where the file is not there; no byte of one that is too large. */
  readonly file: (place: RepositoryPlace, path: string, ref: string) => Promise<Uint8Array | null>;
  /** The manifest in the newest artifact of that name of the commit's workflow runs; no byte where it has none to read. */
  readonly artifact: (place: RepositoryPlace, name: string, commit: string) => Promise<Uint8Array | null>;
  /** The newest of the app at the commit. */
  readonly checkRun: (place: RepositoryPlace, commit: string) => Promise<CheckRun | null>;
  readonly createCheckRun: (place: RepositoryPlace, commit: string, change: CheckRunChange) => Promise<string>;
  readonly updateCheckRun: (place: RepositoryPlace, id: string, change: CheckRunChange) => Promise<void>;
};

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

/** Lets one worker at a time write of a commit: answers what gives the commit back, null while another worker has it. */
export type CommitLeases = {
  readonly take: (
    workspace: WorkspaceId,
    repository: string,
    commit: string,
    now: Date,
  ) => Promise<(() => Promise<void>) | null>;
};
