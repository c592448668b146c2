import * as v from 'valibot';
import { AgentArtifact } from '../../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { AuditEntry, StoredRecord } from '../../workspaces/access/records.ts';

/** An artifact as it is kept: long content is its own object under its digest. */
export const StoredArtifact = v.object({
  ...v.omit(AgentArtifact, ['content']).entries,
  created_by: v.string(),
  content: v.nullable(v.string()),
  /** SHA-256 of the content in hex. */
  content_digest: v.string(),
  content_bytes: v.number(),
});
export type StoredArtifact = v.InferOutput<typeof StoredArtifact>;

/** The accepted version of a path; one write decides what is the next one. */
export const PathHead = v.object({
  path: v.string(),
  accepted: v.nullable(v.object({ id: v.string(), version: v.number() })),
});
export type PathHead = v.InferOutput<typeof PathHead>;

export type ArtifactFilter = {
  readonly kind: string | null;
  readonly status: string | null;
  readonly path: string | null;
  readonly toolRunId: string | null;
};

/** Changes of several items that take effect together, or not at all. */
export type ArtifactChange = {
  readonly artifact: StoredArtifact;
  /** What was read of it; null if it is new. */
  readonly before: StoredRecord<StoredArtifact> | null;
  /** The accepted version that it supersedes, as it was read. */
  readonly superseded: StoredRecord<StoredArtifact> | null;
  readonly head: { readonly before: StoredRecord<PathHead> | null; readonly next: PathHead } | null;
  readonly audit: AuditEntry;
};

export type ArtifactStore = {
  readonly find: (workspace: WorkspaceId, id: string) => Promise<StoredRecord<StoredArtifact> | null>;
  readonly head: (workspace: WorkspaceId, path: string) => Promise<StoredRecord<PathHead> | null>;
  /** False where another change came first. */
  readonly commit: (workspace: WorkspaceId, change: ArtifactChange) => Promise<boolean>;
  /** Newest first, after a place; may answer fewer than `limit` where few match. */
  readonly list: (
    workspace: WorkspaceId,
    page: ArtifactFilter & { readonly limit: number; readonly after: string | null },
  ) => Promise<{ readonly items: readonly StoredArtifact[]; readonly next: string | null }>;
};

/** Content that is too long for an item, written once under its digest. */
export type ContentStore = {
  readonly put: (workspace: WorkspaceId, digest: string, content: string) => Promise<void>;
  readonly get: (workspace: WorkspaceId, digest: string) => Promise<string>;
};
