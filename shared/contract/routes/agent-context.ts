import { AgentContextResponse } from '../agent-context.ts';
import type { Route } from '../route.ts';

/** What an agent has to know before its first question: C-AGENT-4. */
export const agentContextRoutes = {
  getAgentContext: {
    method: 'GET',
    path: '/v1/agent/context',
    function: 'agent',
    summary:
      'Returns the caller’s workspaces with their roles, their connectors and the most connected tables of those.',
    access: { kind: 'signed_in', scope: 'read' },
    replies: { 200: { description: 'What the caller may see.', schema: AgentContextResponse } },
    problems: [],
  },
} as const satisfies Record<string, Route>;
