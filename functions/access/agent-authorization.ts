import type { agentAuthorizationRoutes } from '../../shared/contract/routes/agent-authorization.ts';
import { authorizeAgent, exchangeAgentCode } from '../../shared/domain/access/authorize-agent.ts';
import type { OperatorPorts } from '../../shared/domain/access/operator.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { described } from './tokens.ts';

/** Serves the authorization of agents. */
export const agentAuthorization = (
  ports: Omit<OperatorPorts, 'actor'>,
): Implementations<typeof agentAuthorizationRoutes> => ({
  authorizeAgent: async ({ body, caller: { userId }, workspace }) => ({
    status: 200,
    body: await authorizeAgent({ ...ports, actor: userId }, { workspace, userId }, body),
  }),
  exchangeAgentCode: async ({ body }) => {
    const { record, token } = await exchangeAgentCode(ports, body);
    return { status: 200, body: { ...described(record), token } };
  },
});
