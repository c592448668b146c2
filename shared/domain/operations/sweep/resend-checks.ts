import type { WorkspaceId } from '../../../contract/ids.ts';
import { type CheckQueue, type CheckStore, evaluationOf } from '../../agents/checks/check.ts';

/** Time passes, and a message may have been lost: so old a look at a whole scope is repeated. */
const fullEvaluationIntervalMs = 3_600_000;

/** Asks for the enabled checks whose whole scope nobody has looked at for long; answers how many. */
export async function resendChecks(
  {
    workspaces,
    checks,
    queue,
  }: {
    readonly workspaces: () => Promise<readonly { readonly id: WorkspaceId }[]>;
    readonly checks: Pick<CheckStore, 'list' | 'statuses'>;
    readonly queue: CheckQueue;
  },
  { now, timeIsUp }: { readonly now: Date; readonly timeIsUp: () => boolean },
): Promise<{ readonly sent: number }> {
  let sent = 0;
  for (const { id: workspace_id } of await workspaces()) {
    if (timeIsUp()) break;
    const enabled = (await checks.list(workspace_id)).filter((check) => check.enabled);
    if (enabled.length === 0) continue;
    const ids = enabled.map(({ id }) => id);
    const statuses = new Map((await checks.statuses(workspace_id, ids)).map((one) => [one.result.check_id, one]));
    for (const check of enabled) {
      const status = statuses.get(check.id);
      const isCurrent = status?.result.definition_version === check.definition_version;
      if (isCurrent && now.getTime() - Date.parse(status.whole_at) < fullEvaluationIntervalMs) continue;
      await queue.send(evaluationOf(check));
      sent++;
    }
  }
  return { sent };
}
