import { accessRoutes } from '../../shared/contract/access.ts';
import { accessDiagnosisRoutes } from '../../shared/contract/access-diagnosis.ts';
import { accessRequestRoutes } from '../../shared/contract/access-requests.ts';
import { agentAuthorizationRoutes, oauthRoutes } from '../../shared/contract/agent-authorization.ts';
import { collectionProjectRoutes, linkedProjectRoutes } from '../../shared/contract/collection-projects.ts';
import { providerKeyRoutes } from '../../shared/contract/providers.ts';
import { scopeRoutes } from '../../shared/contract/scopes.ts';
import { type SignInDirections, signInRoutes } from '../../shared/contract/settings.ts';
import { workspaceRoutes } from '../../shared/contract/workspaces.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { listConnectors, listWorkspaces } from '../../shared/domain/workspaces/access/list-mine.ts';
import type { RegistryWriter } from '../../shared/domain/workspaces/access/operator.ts';
import type { Registry } from '../../shared/domain/workspaces/access/records.ts';
import { accessPorts, scopePorts } from '../../shared/runtime/composition/queries.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { accessRequests, agentAuthorization, diagnosis, providerKeys, scopeImplementations } from './access.ts';
import { collectionProjects } from './collection-projects.ts';
import { oauthImplementations } from './oauth.ts';
import { tokenRoutes } from './tokens.ts';

const workspaceImplementations = (registry: Registry): Implementations<typeof workspaceRoutes> => ({
  listWorkspaces: async ({ caller, query }) => listWorkspaces(registry, caller, query),
  listConnectors: async ({ workspace, query }) => listConnectors(registry, workspace, query),
});

const linkedProjects = (ports: RegistryWriter): Implementations<typeof linkedProjectRoutes> => ({
  linkProject: async ({ body: { project_id }, caller: { userId }, workspace }) => {
    const { record } = await linkProject({ ...ports, actor: userId }, workspace, project_id);
    return { workspace_id: workspace, project_id, created_at: record.created_at };
  },
});

const signInDirections = (directions: SignInDirections): Implementations<typeof signInRoutes> => ({
  getSignInDirections: async () => directions,
});

const ports = accessPorts();

export const handler = httpFunction(
  {
    ...accessRoutes,
    ...agentAuthorizationRoutes,
    ...oauthRoutes,
    ...accessDiagnosisRoutes,
    ...accessRequestRoutes,
    ...signInRoutes,
    ...linkedProjectRoutes,
    ...collectionProjectRoutes,
    ...workspaceRoutes,
    ...scopeRoutes,
    ...providerKeyRoutes,
  },
  {
    ...tokenRoutes(ports),
    ...agentAuthorization(ports),
    ...oauthImplementations(ports),
    ...diagnosis(ports),
    ...accessRequests(ports),
    ...signInDirections({ discovery_url: environment('OIDC_DISCOVERY_URL'), client_id: environment('OIDC_AUDIENCE') }),
    ...linkedProjects(ports),
    ...collectionProjects(ports),
    ...workspaceImplementations(ports.registry),
    ...scopeImplementations(scopePorts()),
    ...providerKeys(ports),
  },
);
