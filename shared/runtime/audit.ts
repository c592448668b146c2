import { randomUUID } from 'node:crypto';
import { auditedWithResponse, refusedActions } from '../contract/audit.ts';
import { jsonPointer, valueAt } from '../contract/field-errors.ts';
import type { WorkspaceId } from '../contract/ids.ts';
import { Problem, type ProblemCode } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';
import type { Caller } from '../domain/workspaces/access/authenticate.ts';
import type { HttpPorts } from './http-ports.ts';
import { logger } from './logger.ts';
import { describeError } from './problem-reply.ts';

type Audit = Pick<HttpPorts, 'audit'>;
type Act = {
  readonly name: string;
  readonly route: Route;
  readonly caller: Caller;
  readonly workspace: WorkspaceId;
  readonly now: Date;
};

/** Writes the entry of an act that no commit has written (C-AUDIT-1), before its response. */
export async function noteAct(
  { audit }: Audit,
  { name, caller, workspace, now }: Act,
  { params, body }: { readonly params: unknown; readonly body: unknown },
): Promise<void> {
  const audited = auditedWithResponse[name];
  if (audited === undefined) return;
  const { action, field } = audited;
  const subject = { ...(params as object), ...(field && { [field]: valueAt(body, jsonPointer(field)) }) };
  const at = now.toISOString();
  await audit({ workspace_id: workspace, id: randomUUID(), at, actor: caller.userId, action, subject });
}

/** Notes a member's refused attempt at administration (C-AUDIT-2). The refusal stands if the entry is lost. */
export async function noteRefusal({ audit }: Audit, act: Act, code: ProblemCode): Promise<void> {
  const { name, route, caller, workspace, now } = act;
  if (route.access.kind !== 'member' || route.access.role !== 'admin') return;
  // One entry a minute for each caller and route: refusals are cheap, and may not fill the log.
  const at = `${now.toISOString().slice(0, 16)}:00.000Z`;
  const subject = { route: `${route.method} ${route.path}`, code };
  const id = [caller.userId, name, code].join(' ');
  try {
    const { administration: action } = refusedActions;
    await audit({ workspace_id: workspace, id, at, actor: caller.userId, action, subject });
  } catch (error) {
    logger.warn('refusal not audited', { workspace_id: workspace, error: describeError(error) });
  }
}

/** Does the work of an act, and notes if it refuses the caller. */
export async function notingRefusal<T>(ports: Audit, act: Act | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (act && error instanceof Problem && error.status === 403) await noteRefusal(ports, act, error.code);
    throw error;
  }
}
