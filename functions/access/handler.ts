import { accessRoutes } from '../../shared/contract/access.ts';
import { accessDiagnosisRoutes } from '../../shared/contract/access-diagnosis.ts';
import { accessRequestRoutes } from '../../shared/contract/access-requests.ts';
import { agentAuthorizationRoutes, oauthRoutes } from '../../shared/contract/agent-authorization.ts';
import { collectionProjectRoutes, linkedProjectRoutes } from '../../shared/contract/collection-projects.ts';
import { CollectionProjectId, idOrNull, type WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { providerKeyRoutes } from '../../shared/contract/providers.ts';
import { scopeRoutes } from '../../shared/contract/scopes.ts';
import { type SignInDirections, signInRoutes } from '../../shared/contract/settings.ts';
import { workspaceRoutes } from '../../shared/contract/workspaces.ts';
import { lastDates, type ReadEventCounts } from '../../shared/domain/events/accept-batch.ts';
import { createProjectKey, revokeProjectKey } from '../../shared/domain/workspaces/access/collection-keys.ts';
import {
  addOrigin,
  createCollectionProject,
  linkProject,
  listCollectionProjects,
  projectItem,
  projectKeyItem,
  removeOrigin,
} from '../../shared/domain/workspaces/access/collection-projects.ts';
import { listConnectors, listWorkspaces } from '../../shared/domain/workspaces/access/list-mine.ts';
import type { RegistryWriter } from '../../shared/domain/workspaces/access/operator.ts';
import type { Registry } from '../../shared/domain/workspaces/access/records.ts';
import { accessPorts, scopePorts } from '../../shared/runtime/composition/queries.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { accessRequests, agentAuthorization, diagnosis, providerKeys, scopeImplementations } from './access.ts';
import { oauthImplementations } from './oauth.ts';
import { tokenRoutes } from './tokens.ts';

/** Serves the routes of collection projects: C-ADMIN-7 to C-ADMIN-9, C-COUNT-1. */
const collectionProjects = (
  ports: RegistryWriter & { readonly eventCounts: ReadEventCounts },
): Implementations<typeof collectionProjectRoutes> => ({
  ...projectRoutes(ports),
  ...keyRoutes(ports),
  listCollectionProjects: async ({ query, workspace }) => ({
    status: 200,
    body: await listCollectionProjects(ports.registry, workspace, query),
  }),
  countCollectedEvents: async ({ params, query: { days }, workspace }) => {
    const { id } = await projectOf(ports.registry, workspace, params.collection_project_id);
    const known = await ports.eventCounts(workspace, id, lastDates(ports.clock.now(), days));
    const items = known.toSorted((a, b) => (a.date < b.date ? 1 : -1));
    return {
      status: 200,
      body: { workspace_id: workspace, collection_project_id: id, items: items.map((one) => ({ ...one })) },
    };
  },
});

const projectRoutes = (ports: RegistryWriter) =>
  ({
    createCollectionProject: async ({ body: { name, environments, origins }, caller, workspace }) => {
      const operator = { ...ports, actor: caller.userId };
      const { record } = await createCollectionProject(operator, workspace, { name, environments, origins });
      return { status: 201, body: projectItem(record) };
    },
    addCollectionOrigin: async ({ params, body: { origin }, caller, workspace }) => {
      const place = await projectOf(ports.registry, workspace, params.collection_project_id);
      return { status: 201, body: projectItem(await addOrigin({ ...ports, actor: caller.userId }, place, origin)) };
    },
    removeCollectionOrigin: async ({ params, query: { origin }, caller, workspace }) => {
      const place = await projectOf(ports.registry, workspace, params.collection_project_id);
      await removeOrigin({ ...ports, actor: caller.userId }, place, origin);
      return { status: 204 };
    },
  }) satisfies Partial<Implementations<typeof collectionProjectRoutes>>;

const keyRoutes = (ports: RegistryWriter) =>
  ({
    createProjectKey: async ({ params, body: { name, environment }, caller, workspace }) => {
      const place = await projectOf(ports.registry, workspace, params.collection_project_id);
      const created = await createProjectKey({ ...ports, actor: caller.userId }, place, { name, environment });
      if (created.key === null)
        throw new Problem('conflict', { message: 'The project has an active key of this name.' });
      return { status: 201, body: { ...projectKeyItem(created.record), key: created.key } };
    },
    revokeProjectKey: async ({ params, caller, workspace }) => {
      const place = await projectOf(ports.registry, workspace, params.collection_project_id);
      const key = { workspace_id: workspace, project_id: place.id, id: params.project_key_id };
      const found = await ports.registry.projectKeys.find(key);
      if (found === null) throw new Problem('not_found');
      await revokeProjectKey({ ...ports, actor: caller.userId }, place, found.record.name);
      return { status: 204 };
    },
  }) satisfies Partial<Implementations<typeof collectionProjectRoutes>>;

async function projectOf({ collectionProjects: projects }: Registry, workspace_id: WorkspaceId, text: string) {
  const id = idOrNull(CollectionProjectId, text);
  if (id === null || (await projects.find({ workspace_id, id })) === null) throw new Problem('not_found');
  return { workspace_id, id };
}

const workspaceImplementations = (registry: Registry): Implementations<typeof workspaceRoutes> => ({
  listWorkspaces: async ({ caller, query }) => ({ status: 200, body: await listWorkspaces(registry, caller, query) }),
  listConnectors: async ({ workspace, query }) => ({
    status: 200,
    body: await listConnectors(registry, workspace, query),
  }),
});

const linkedProjects = (ports: RegistryWriter): Implementations<typeof linkedProjectRoutes> => ({
  linkProject: async ({ body: { project_id }, caller: { userId }, workspace }) => {
    const { record } = await linkProject({ ...ports, actor: userId }, workspace, project_id);
    return { status: 201, body: { workspace_id: workspace, project_id, created_at: record.created_at } };
  },
});

const signInDirections = (directions: SignInDirections): Implementations<typeof signInRoutes> => ({
  getSignInDirections: async () => ({ status: 200, body: directions }),
});

const ports = accessPorts();
const { OIDC_AUDIENCE, OIDC_DISCOVERY_URL } = environment('OIDC_AUDIENCE', 'OIDC_DISCOVERY_URL');

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
    ...signInDirections({ discovery_url: OIDC_DISCOVERY_URL, client_id: OIDC_AUDIENCE }),
    ...linkedProjects(ports),
    ...collectionProjects(ports),
    ...workspaceImplementations(ports.registry),
    ...scopeImplementations(scopePorts()),
    ...providerKeys(ports),
  },
);
