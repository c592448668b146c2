import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { RecountPolicy } from '../../../contract/messages.ts';
import type { Recount } from './recount.ts';
import type { PolicyRevision } from './revision.ts';

export type PolicyStore = {
  /** The newest revision and its recount; null if no policy was ever set. Read consistently. */
  readonly current: (
    workspace: WorkspaceId,
    connector: ConnectorId,
  ) => Promise<{ readonly revision: PolicyRevision; readonly recount: Recount } | null>;
  /** Keeps a revision and its recount, due at a time, in one step; false if that revision exists already. */
  readonly commit: (revision: PolicyRevision, recount: Recount, dueAt: string) => Promise<boolean>;
  /** Newest first, before a revision. */
  readonly revisions: (
    workspace: WorkspaceId,
    connector: ConnectorId,
    page: { readonly before: number | null; readonly limit: number },
  ) => Promise<readonly PolicyRevision[]>;
};

export type RecountStore = {
  /** Read consistently. */
  readonly get: (workspace: WorkspaceId, connector: ConnectorId) => Promise<Recount | null>;
  /** Takes a step of `from` to `to`, due again at a time (null: never); false where another worker or revision did. */
  readonly advance: (from: Recount, to: Recount, dueAt: string | null) => Promise<boolean>;
  /** Recounts of all workspaces that are due. Read from an index: moments late. */
  readonly due: (now: string, limit: number) => Promise<readonly Recount[]>;
  /** Takes a due recount to be sent again; false if it went on or was taken since. */
  readonly reschedule: (recount: Recount, now: string, dueAt: string) => Promise<boolean>;
};

/** At least once, in any order. */
export type RecountQueue = { readonly send: (message: RecountPolicy) => Promise<void> };

export const recountMessage = ({ workspace_id, connector_id, revision, step }: Recount): RecountPolicy => ({
  version: 1,
  kind: 'recount_policy',
  workspace_id,
  connector_id,
  revision,
  step,
});
