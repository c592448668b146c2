import * as v from 'valibot';
import type {
  AgentCheckCreateRequest,
  AgentCheckPatchRequest,
  AgentCheckResult,
} from '../../../contract/agent-checks.ts';
import { CheckId, idOf, type WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { type BoundList, cutPage, type PageRequest, readCursor } from '../../base/paging/cursor.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import {
  type AuditEntry,
  type Author,
  auditEntry,
  randomId,
  type StoredRecord,
} from '../../workspaces/access/records.ts';
import { type Check, type CheckQueue, type CheckStore, evaluationOf, resultView, type Written } from './check.ts';

export type ManageCheckPorts = {
  readonly checks: CheckStore;
  readonly queue: CheckQueue;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

const maxAttempts = 8;

/** Throws `conflict` where as many checks are enabled as may be. */
export async function createCheck(
  ports: ManageCheckPorts,
  { workspace, userId }: Author,
  { workspace_id: _, ...definition }: AgentCheckCreateRequest,
): Promise<Check> {
  const at = ports.clock.now().toISOString();
  const creation = { created_at: at, created_by: userId, updated_at: at, updated_by: userId };
  const id = v.parse(CheckId, `chk_${randomId(ports)}`);
  const check: Check = {
    ...definition,
    ...creation,
    workspace_id: workspace,
    id,
    definition_version: 1,
    baseline_at: at,
  };
  requireWritten(await ports.checks.write(null, check, auditOf(ports, 'check.create', check)));
  await evaluateSoon(ports, check);
  return check;
}

/** Another version of a check, which compares with the graph as it is now. Throws `not_found` and `conflict`. */
export function patchCheck(
  ports: ManageCheckPorts,
  author: Author,
  id: string,
  { workspace_id: _, ...patch }: AgentCheckPatchRequest,
): Promise<Check> {
  const changes = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
  const next = (before: Check) => {
    const changed = { ...before, ...changes };
    return JSON.stringify(changed) === JSON.stringify(before)
      ? null
      : { ...changed, definition_version: before.definition_version + 1 };
  };
  return updateCheck(ports, author, id, { action: 'check.update', next });
}

/** Takes the graph as it is for what the check compares with from now on. Throws `not_found`. */
export const acceptCheck = (ports: ManageCheckPorts, author: Author, id: string): Promise<Check> =>
  updateCheck(ports, author, id, { action: 'check.accept', next: (before) => before });

/** Throws `not_found`. */
export async function deleteCheck(ports: ManageCheckPorts, { workspace, userId }: Author, id: string): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await requireCheck(ports.checks, workspace, id);
    const audit = auditOf(ports, 'check.delete', { ...before.record, updated_by: userId });
    if ((await ports.checks.remove(before, audit)) === 'written') return;
  }
  throw new Problem('conflict');
}

export async function requireCheck(
  checks: Pick<CheckStore, 'find'>,
  workspace: WorkspaceId,
  text: string,
): Promise<StoredRecord<Check>> {
  const found = await checks.find(workspace, idOf(CheckId, text));
  if (!found) throw new Problem('not_found');
  return found;
}

type CheckChange = { readonly action: string; readonly next: (before: Check) => Check | null };

async function updateCheck(
  ports: ManageCheckPorts,
  { workspace, userId }: Author,
  id: string,
  { action, next }: CheckChange,
): Promise<Check> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await requireCheck(ports.checks, workspace, id);
    const changed = next(before.record);
    if (changed === null) return before.record;
    const at = ports.clock.now().toISOString();
    const check: Check = { ...changed, baseline_at: at, updated_at: at, updated_by: userId };
    const written = await ports.checks.write(before, check, auditOf(ports, action, check));
    if (written === 'changed') continue;
    requireWritten(written);
    await evaluateSoon(ports, check);
    return check;
  }
  throw new Problem('conflict');
}

function requireWritten(written: Written): void {
  if (written === 'written') return;
  const message = `A workspace has at most ${limits.agentCheck.enabled} enabled checks.`;
  throw new Problem('conflict', written === 'full' ? { message } : {});
}

/** What is not sent is evaluated by the sweep. */
async function evaluateSoon({ queue }: ManageCheckPorts, check: Check): Promise<void> {
  if (check.enabled) await queue.send(evaluationOf(check)).catch(() => undefined);
}

const auditOf = (
  ports: ManageCheckPorts,
  action: string,
  { workspace_id, id, name, definition_version, enabled, updated_by }: Check,
): AuditEntry =>
  auditEntry(ports, updated_by, { workspace_id, action, subject: { id, name, definition_version, enabled } });

export async function listResults(
  { results }: Pick<CheckStore, 'results'>,
  { workspace_id, id }: Check,
  { limit, cursor }: PageRequest,
): Promise<{ workspace_id: string; items: AgentCheckResult[]; next_cursor: string | null }> {
  const list: BoundList = ['check-results', workspace_id, id];
  const before = readCursor(list, v.string(), cursor);
  // One more than asked for tells whether there is a next page.
  const found = await results(workspace_id, id, { limit: limit + 1, before });
  const { page, next_cursor } = cutPage(list, found, limit, (result) => result.id);
  return { workspace_id, items: page.map(resultView), next_cursor };
}
