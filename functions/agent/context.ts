import type { agentContextRoutes } from '../../shared/contract/routes/agent-context.ts';
import { type ContextPorts, showContext } from '../../shared/domain/agent-context/show-context.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Serves what an agent has to know first. */
export const contextImplementations = (ports: ContextPorts): Implementations<typeof agentContextRoutes> => ({
  getAgentContext: async ({ caller }) => ({ status: 200, body: await showContext(ports, caller) }),
});
