import { accessRoutes } from '../../shared/contract/routes/access.ts';
import { accessDiagnosisRoutes } from '../../shared/contract/routes/access-diagnosis.ts';
import { accessRequestRoutes } from '../../shared/contract/routes/access-requests.ts';
import { agentAuthorizationRoutes } from '../../shared/contract/routes/agent-authorization.ts';
import { linkedProjectRoutes } from '../../shared/contract/routes/linked-projects.ts';
import { workspaceRoutes } from '../../shared/contract/routes/workspaces.ts';
import { accessPorts } from '../../shared/runtime/composition.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { accessRequests, diagnosis } from './access.ts';
import { agentAuthorization } from './agent-authorization.ts';
import { linkedProjects } from './linked-projects.ts';
import { tokenRoutes } from './tokens.ts';
import { workspaceImplementations } from './workspaces.ts';

const ports = accessPorts();

/** Lets people and agents in, and tells them where they may go. */
export const handler = httpFunction(
  {
    ...accessRoutes,
    ...agentAuthorizationRoutes,
    ...accessDiagnosisRoutes,
    ...accessRequestRoutes,
    ...linkedProjectRoutes,
    ...workspaceRoutes,
  },
  {
    ...tokenRoutes(ports),
    ...agentAuthorization(ports),
    ...diagnosis(ports),
    ...accessRequests(ports),
    ...linkedProjects(ports),
    ...workspaceImplementations(ports.registry),
  },
);
