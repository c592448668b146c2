import * as v from 'valibot';
import { type AgentCheckResponse, type AgentCheckResult, checkStates } from '../../../contract/agent-checks.ts';
import { timestamp } from '../../../contract/fields.ts';
import { CheckId, UserId, WorkspaceId } from '../../../contract/ids.ts';
import { severities } from '../../../contract/vocabulary.ts';

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
