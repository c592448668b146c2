import type { CheckId, WorkspaceId } from '../../../contract/ids.ts';
import type { EvaluateCheck, Notification } from '../../../contract/messages.ts';
import type { AuditEntry } from '../../workspaces/access/records.ts';
import type { StoredRecord } from '../../workspaces/access/registry.ts';
import type { Check, CheckResult, CheckStatus } from './check.ts';

/** What became of a write: another one came between, or there are enough enabled checks. */
export type Written = 'written' | 'changed' | 'full';

export type CheckStore = {
  /** As of now. */
  readonly find: (workspace: WorkspaceId, id: CheckId) => Promise<StoredRecord<Check> | null>;
  readonly list: (workspace: WorkspaceId) => Promise<readonly Check[]>;
  readonly write: (before: StoredRecord<Check> | null, check: Check, audit: AuditEntry) => Promise<Written>;
  readonly remove: (before: StoredRecord<Check>, audit: AuditEntry) => Promise<Written>;
  readonly status: (workspace: WorkspaceId, id: CheckId) => Promise<StoredRecord<CheckStatus> | null>;
  readonly statuses: (workspace: WorkspaceId, ids: readonly CheckId[]) => Promise<readonly CheckStatus[]>;
  /** Keeps the result, the status and what is left to be announced together; false where another evaluation came first. */
  readonly commit: (
    before: StoredRecord<CheckStatus> | null,
    status: CheckStatus,
    notification?: Notification | null,
  ) => Promise<boolean>;
  /** Newest first, those before an id. */
  readonly results: (
    workspace: WorkspaceId,
    id: CheckId,
    page: { readonly limit: number; readonly before: string | null },
  ) => Promise<readonly CheckResult[]>;
};

export type CheckQueue = { readonly send: (message: EvaluateCheck) => Promise<void> };
