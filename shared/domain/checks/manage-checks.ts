import * as v from 'valibot';
import type { AgentCheckCreateRequest, AgentCheckPatchRequest } from '../../contract/agent-checks.ts';
import { CheckId, idOrNull, type UserId, type WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { AuditEntry } from '../access/records.ts';
import type { StoredRecord } from '../access/registry.ts';
import type { Clock } from '../time/clock.ts';
import type { Check } from './check.ts';
import type { CheckQueue, CheckStore, Written } from './ports.ts';

export type ManageCheckPorts = {
  readonly checks: CheckStore;
  readonly queue: CheckQueue;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

type Author = { readonly workspace: WorkspaceId; readonly userId: UserId };

const maxAttempts = 8;

/** Throws `conflict` where as many checks are enabled as may be. */
export async function createCheck(
  ports: ManageCheckPorts,
  { workspace, userId }: Author,
  { workspace_id: _, ...definition }: AgentCheckCreateRequest,
): Promise<Check> {
  const at = ports.clock.now().toISOString();
  const made = { created_at: at, created_by: userId, updated_at: at, updated_by: userId };
  const id = v.parse(CheckId, `chk_${randomId(ports)}`);
  const check: Check = { ...definition, ...made, workspace_id: workspace, id, definition_version: 1, baseline_at: at };
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
  return change(ports, author, id, 'check.update', (before) => {
    const changed = { ...before, ...changes };
    return JSON.stringify(changed) === JSON.stringify(before)
      ? null
      : { ...changed, definition_version: before.definition_version + 1 };
  });
}

/** Takes the graph as it is for what the check compares with from now on. Throws `not_found`. */
export const acceptCheck = (ports: ManageCheckPorts, author: Author, id: string): Promise<Check> =>
  change(ports, author, id, 'check.accept', (before) => before);

/** Throws `not_found`. */
export async function deleteCheck(ports: ManageCheckPorts, { workspace, userId }: Author, id: string): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await requireCheck(ports.checks, workspace, id);
    const audit = auditOf(ports, 'check.delete', { ...before.record, updated_by: userId });
    if ((await ports.checks.remove(before, audit)) === 'written') return;
  }
  throw new Problem('conflict');
}

/** The check as it was last written. Throws `not_found`. */
export async function requireCheck(
  checks: Pick<CheckStore, 'find'>,
  workspace: WorkspaceId,
  text: string,
): Promise<StoredRecord<Check>> {
  const id = idOrNull(CheckId, text);
  const found = id && (await checks.find(workspace, id));
  if (!found) throw new Problem('not_found');
  return found;
}

async function change(
  ports: ManageCheckPorts,
  { workspace, userId }: Author,
  id: string,
  action: string,
  next: (before: Check) => Check | null,
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
async function evaluateSoon({ queue }: ManageCheckPorts, { enabled, workspace_id, id }: Check): Promise<void> {
  if (!enabled) return;
  const message = { version: 1, kind: 'evaluate_check', workspace_id, check_id: id } as const;
  await queue.send({ ...message, caused_by: null, nodes: null }).catch(() => undefined);
}

const randomId = ({ randomBytes }: ManageCheckPorts): string => Buffer.from(randomBytes(12)).toString('base64url');

const auditOf = (ports: ManageCheckPorts, action: string, check: Check): AuditEntry => ({
  workspace_id: check.workspace_id,
  id: randomId(ports),
  at: ports.clock.now().toISOString(),
  actor: check.updated_by,
  action,
  subject: { id: check.id, name: check.name, definition_version: check.definition_version, enabled: check.enabled },
});
