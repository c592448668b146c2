import type * as v from 'valibot';
import type { agentContextRoutes } from '../../shared/contract/agent-context.ts';
import type { agentMemoryRoutes, MemoryQuery } from '../../shared/contract/agent-memory.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { type ContextPorts, showContext } from '../../shared/domain/agents/context/show-context.ts';
import {
  approveCandidate,
  findMemory,
  rejectCandidate,
  supersedeMemory,
} from '../../shared/domain/agents/memory/decide.ts';
import { generateCandidates, type MemoryPorts } from '../../shared/domain/agents/memory/generate.ts';
import type { Caller } from '../../shared/domain/workspaces/access/authenticate.ts';
import { type MembershipReader, roleOf } from '../../shared/domain/workspaces/access/authorize.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type MemoryKeeper = Omit<MemoryPorts, 'actor'> & { readonly membership: MembershipReader };

export const memoryImplementations = (ports: MemoryKeeper): Implementations<typeof agentMemoryRoutes> => ({
  listCandidates: async ({ workspace, caller: { userId }, query: { status = null, limit, cursor } }) => {
    const filter = { status, scope: null, targetType: null, targetKey: null, q: null };
    const page = { limit, cursor };
    return findMemory(ports.registry, { workspace, userId }, filter, page);
  },
  generateCandidates: async ({ workspace, caller: { userId }, body }) => {
    const items = await generateCandidates({ ...ports, actor: userId }, { workspace, userId }, body);
    return { workspace_id: workspace, items, next_cursor: null };
  },
  approveCandidate: async ({ workspace, caller, params, body }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return approveCandidate(deciding, reviewer, params.candidate_id, body);
  },
  rejectCandidate: async ({ workspace, caller, params }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return rejectCandidate(deciding, reviewer, params.candidate_id, 'rejected');
  },
  dismissCandidate: async ({ workspace, caller, params }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return rejectCandidate(deciding, reviewer, params.candidate_id, 'dismissed');
  },
  listMemory: async ({ workspace, caller: { userId }, query: { limit, cursor, ...filters } }) => {
    const page = { limit, cursor };
    return findMemory(ports.registry, { workspace, userId }, approvedBy(filters), page);
  },
  supersedeMemory: async ({ workspace, caller, params }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return supersedeMemory(deciding, reviewer, params.memory_id);
  },
});

function approvedBy(filters: Omit<v.InferOutput<typeof MemoryQuery>, 'limit' | 'cursor' | 'workspace_id'>) {
  const { target_type: targetType = null, target_key: targetKey = null, q = null, scope = null } = filters;
  return { status: 'approved', scope, targetType, targetKey, q };
}

async function decidingFor(ports: MemoryKeeper, caller: Caller, workspace: WorkspaceId) {
  const role = await roleOf(ports.membership, caller, workspace);
  return { deciding: { ...ports, actor: caller.userId }, reviewer: { workspace, userId: caller.userId, role } };
}

export const contextImplementations = (ports: ContextPorts): Implementations<typeof agentContextRoutes> => ({
  getAgentContext: async ({ caller }) => showContext(ports, caller),
});
