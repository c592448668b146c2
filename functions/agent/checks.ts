import type { agentCheckRoutes } from '../../shared/contract/agent-checks.ts';
import { limits } from '../../shared/contract/limits.ts';
import { type CheckResult, checkView, resultView } from '../../shared/domain/agents/checks/check.ts';
import { type CheckRunner, runCheck } from '../../shared/domain/agents/checks/evaluate-queued.ts';
import {
  acceptCheck,
  createCheck,
  deleteCheck,
  listResults,
  type ManageCheckPorts,
  patchCheck,
  requireCheck,
} from '../../shared/domain/agents/checks/manage-checks.ts';
import { mergedRuns } from '../../shared/domain/base/concurrency.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

const shareRun = mergedRuns<void, CheckResult>(() => undefined);

export const checkImplementations = (
  ports: ManageCheckPorts & CheckRunner,
): Implementations<typeof agentCheckRoutes> => ({
  listChecks: async ({ workspace }) => {
    const agent_checks = (await ports.checks.list(workspace)).map(checkView);
    return { agent_checks, max_enabled: limits.agentCheck.enabled };
  },
  createCheck: async ({ workspace, caller: { userId }, body }) =>
    checkView(await createCheck(ports, { workspace, userId }, body)),
  patchCheck: async ({ workspace, caller: { userId }, params, body }) =>
    checkView(await patchCheck(ports, { workspace, userId }, params.check_id, body)),
  deleteCheck: async ({ workspace, caller: { userId }, params }) =>
    deleteCheck(ports, { workspace, userId }, params.check_id),
  acceptCheck: async ({ workspace, caller: { userId }, params }) =>
    checkView(await acceptCheck(ports, { workspace, userId }, params.check_id)),
  runCheck: async ({ workspace, params }) => {
    const result = await shareRun(`${workspace} ${params.check_id}`, undefined, async () => {
      const { record } = await requireCheck(ports.checks, workspace, params.check_id);
      return runCheck(ports, record);
    });
    return resultView(result);
  },
  listCheckResults: async ({ workspace, params, query: { limit, cursor } }) => {
    const { record } = await requireCheck(ports.checks, workspace, params.check_id);
    return listResults(ports.checks, record, { limit, cursor });
  },
});
