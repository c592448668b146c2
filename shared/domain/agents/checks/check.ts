import * as v from 'valibot';
import { type AgentCheckResponse, type AgentCheckResult, checkStates } from '../../../contract/agent-checks.ts';
import { Claim } from '../../../contract/claim.ts';
import { timestamp } from '../../../contract/fields.ts';
import { CheckId, UserId, WorkspaceId } from '../../../contract/ids.ts';
import type { EvaluateCheck, Notification } from '../../../contract/messages.ts';
import { severities } from '../../../contract/vocabulary.ts';
import type { AuditEntry, StoredRecord } from '../../workspaces/access/records.ts';

const list = v.array(v.string());

export const Check = v.object({
  workspace_id: WorkspaceId,
  id: CheckId,
  name: v.string(),
  expectation: v.string(),
  enabled: v.boolean(),
  severity: v.picklist(severities),
  scope: v.object({ include: list, exclude: list }),
  definition_version: v.number(),
  /** What "new" and "removed" compare with is the graph of this time. */
  baseline_at: timestamp,
  created_at: timestamp,
  created_by: UserId,
  updated_at: timestamp,
  updated_by: UserId,
});
export type Check = v.InferOutput<typeof Check>;

/** Where a rule does not hold; `about` is the URN of the relation that an evaluation of it may clear, else null. */
export const Violation = v.object({
  about: v.nullable(v.string()),
  relation_ref: v.optional(v.string()),
  column: v.optional(v.string()),
  message: v.string(),
});
export type Violation = v.InferOutput<typeof Violation>;

export const CheckResult = v.object({
  workspace_id: WorkspaceId,
  id: v.string(),
  check_id: CheckId,
  definition_version: v.number(),
  baseline_at: timestamp,
  state: v.picklist(checkStates),
  severity: v.picklist(severities),
  evaluated_at: timestamp,
  since: timestamp,
  delivery_id: v.nullable(v.string()),
  /** The first of them; `violations_total` says how many there are. */
  violations: v.array(Violation),
  violations_total: v.number(),
  claim: v.optional(Claim),
});
export type CheckResult = v.InferOutput<typeof CheckResult>;

/** The newest result of a check, and when the whole scope was last looked at. */
export const CheckStatus = v.object({ result: CheckResult, whole_at: timestamp });
export type CheckStatus = v.InferOutput<typeof CheckStatus>;

export function checkView(check: Check): AgentCheckResponse {
  const { baseline_at: _, ...view } = check;
  return view;
}

export function resultView({ violations, ...result }: CheckResult): AgentCheckResult {
  const { workspace_id: _, baseline_at: __, ...view } = result;
  return { ...view, violations: violations.map(({ about: ___, ...violation }) => violation) };
}

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

/** Asks to evaluate a check: of the nodes that a delivery touched, or of its whole scope. */
export const evaluationOf = (
  { workspace_id, id: check_id }: Check,
  { caused_by = null, nodes = null }: Partial<Pick<EvaluateCheck, 'caused_by' | 'nodes'>> = {},
): EvaluateCheck => ({ version: 1, kind: 'evaluate_check', workspace_id, check_id, caused_by, nodes });

export type CheckQueue = { readonly send: (message: EvaluateCheck) => Promise<void> };
