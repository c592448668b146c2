import { accessRoutes } from '../../shared/contract/routes/access.ts';
import { accessDiagnosisRoutes } from '../../shared/contract/routes/access-diagnosis.ts';
import { accessRequestRoutes } from '../../shared/contract/routes/access-requests.ts';
import { agentAuthorizationRoutes } from '../../shared/contract/routes/agent-authorization.ts';
import { collectionProjectRoutes } from '../../shared/contract/routes/collection-projects.ts';
import { linkedProjectRoutes } from '../../shared/contract/routes/linked-projects.ts';
import { scopeRoutes } from '../../shared/contract/routes/scopes.ts';
import { signInRoutes } from '../../shared/contract/routes/sign-in.ts';
import { workspaceRoutes } from '../../shared/contract/routes/workspaces.ts';
import { accessPorts, scopePorts } from '../../shared/runtime/composition/queries.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { accessRequests, diagnosis } from './access.ts';
import { agentAuthorization } from './agent-authorization.ts';
import { collectionProjects } from './collection-projects.ts';
import { linkedProjects } from './linked-projects.ts';
import { scopeImplementations } from './scopes.ts';
import { signInDirections } from './sign-in.ts';
import { tokenRoutes } from './tokens.ts';
import { workspaceImplementations } from './workspaces.ts';

const ports = accessPorts();
const { OIDC_AUDIENCE, OIDC_DISCOVERY_URL } = environment('OIDC_AUDIENCE', 'OIDC_DISCOVERY_URL');

/** Lets people and agents in, and tells them where they may go. */
export const handler = httpFunction(
  {
    ...accessRoutes,
    ...agentAuthorizationRoutes,
    ...accessDiagnosisRoutes,
    ...accessRequestRoutes,
    ...signInRoutes,
    ...linkedProjectRoutes,
    ...collectionProjectRoutes,
    ...workspaceRoutes,
    ...scopeRoutes,
  },
  {
    ...tokenRoutes(ports),
    ...agentAuthorization(ports),
    ...diagnosis(ports),
    ...accessRequests(ports),
    ...signInDirections({ discovery_url: OIDC_DISCOVERY_URL, client_id: OIDC_AUDIENCE }),
    ...linkedProjects(ports),
    ...collectionProjects(ports),
    ...workspaceImplementations(ports.registry),
    ...scopeImplementations(scopePorts()),
  },
);
