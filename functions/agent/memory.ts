import type * as v from 'valibot';
import type { MemoryQuery } from '../../shared/contract/agent-memory.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { agentMemoryRoutes } from '../../shared/contract/routes/agent-memory.ts';
import { type MembershipReader, roleOf } from '../../shared/domain/access/authorize.ts';
import type { Caller } from '../../shared/domain/access/caller.ts';
import { approveCandidate, rejectCandidate, supersedeMemory } from '../../shared/domain/memory/decide.ts';
import { findMemory } from '../../shared/domain/memory/find-memory.ts';
import { generateCandidates, type MemoryPorts } from '../../shared/domain/memory/generate.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type Ports = Omit<MemoryPorts, 'actor'> & {
  readonly membership: MembershipReader;
};

/** Serves the memory of agents. */
export const memoryImplementations = (ports: Ports): Implementations<typeof agentMemoryRoutes> => ({
  listCandidates: async ({ workspace, caller: { userId }, query: { status = null, limit, cursor } }) => {
    const asked = { status, scope: null, targetType: null, targetKey: null, q: null };
    const page = { limit, cursor };
    return { status: 200, body: await findMemory(ports.registry, { workspace, userId }, asked, page) };
  },
  generateCandidates: async ({ workspace, caller: { userId }, body }) => {
    const items = await generateCandidates({ ...ports, actor: userId }, { workspace, userId }, body);
    return { status: 200, body: { workspace_id: workspace, items, next_cursor: null } };
  },
  approveCandidate: async ({ workspace, caller, params, body }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return { status: 200, body: await approveCandidate(deciding, reviewer, params.candidate_id, body) };
  },
  rejectCandidate: async ({ workspace, caller, params }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return { status: 200, body: await rejectCandidate(deciding, reviewer, params.candidate_id, 'rejected') };
  },
  dismissCandidate: async ({ workspace, caller, params }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return { status: 200, body: await rejectCandidate(deciding, reviewer, params.candidate_id, 'dismissed') };
  },
  listMemory: async ({ workspace, caller: { userId }, query: { limit, cursor, ...filters } }) => {
    const page = { limit, cursor };
    return { status: 200, body: await findMemory(ports.registry, { workspace, userId }, approvedBy(filters), page) };
  },
  supersedeMemory: async ({ workspace, caller, params }) => {
    const { deciding, reviewer } = await decidingFor(ports, caller, workspace);
    return { status: 200, body: await supersedeMemory(deciding, reviewer, params.memory_id) };
  },
});

function approvedBy(filters: Omit<v.InferOutput<typeof MemoryQuery>, 'limit' | 'cursor' | 'workspace_id'>) {
  const { target_type: targetType = null, target_key: targetKey = null, q = null, scope = null } = filters;
  return { status: 'approved', scope, targetType, targetKey, q };
}

async function decidingFor(ports: Ports, caller: Caller, workspace: WorkspaceId) {
  const role = await roleOf(ports.membership, caller, workspace);
  return { deciding: { ...ports, actor: caller.userId }, reviewer: { workspace, userId: caller.userId, role } };
}
