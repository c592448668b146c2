import { accessRoutes } from '../access.ts';
import { accessDiagnosisRoutes } from '../access-diagnosis.ts';
import { accessRequestRoutes } from '../access-requests.ts';
import { agentArtifactRoutes } from '../agent-artifacts.ts';
import { agentAuthorizationRoutes, oauthRoutes } from '../agent-authorization.ts';
import { agentCheckRoutes } from '../agent-checks.ts';
import { agentContextRoutes } from '../agent-context.ts';
import { agentMemoryRoutes } from '../agent-memory.ts';
import { codehostAppRoutes } from '../codehost-apps.ts';
import { codehostCheckRoutes } from '../codehost-checks.ts';
import { codehostInstallationRoutes } from '../codehost-installations.ts';
import { collectionRoutes } from '../collection.ts';
import { collectionProjectRoutes, linkedProjectRoutes } from '../collection-projects.ts';
import { deliveryRoutes, payloadRoutes } from '../deliveries.ts';
import { diffRoutes } from '../diff-routes.ts';
import { impactRoutes } from '../explain.ts';
import { exportRoutes } from '../export.ts';
import { gapRoutes } from '../gaps.ts';
import { historyRoutes } from '../graph-changes.ts';
import { intakeRoutes } from '../lineage.ts';
import { mcpRoutes } from '../mcp.ts';
import { overviewRoutes } from '../overview.ts';
import { policyPreviewRoutes, policyRoutes } from '../policy.ts';
import { providerKeyRoutes, providerRoutes } from '../providers.ts';
import { relationRoutes } from '../relations.ts';
import type { Route } from '../route.ts';
import { scopeRoutes } from '../scopes.ts';
import { signInRoutes } from '../settings.ts';
import { systemRoutes } from '../system.ts';
import { uploadRoutes } from '../uploads.ts';
import { webhookRoutes } from '../webhooks.ts';
import { workspaceRoutes } from '../workspaces.ts';

const tables = {
  Collection: collectionRoutes,
  Intake: intakeRoutes,
  Uploads: uploadRoutes,
  'Collection projects': collectionProjectRoutes,
  Workspaces: { ...workspaceRoutes, ...linkedProjectRoutes },
  Relations: { ...relationRoutes, ...overviewRoutes },
  Impact: impactRoutes,
  Diff: diffRoutes,
  Export: exportRoutes,
  Deliveries: { ...deliveryRoutes, ...payloadRoutes },
  Providers: { ...providerRoutes, ...providerKeyRoutes },
  Gaps: gapRoutes,
  History: historyRoutes,
  Scopes: scopeRoutes,
  Policies: { ...policyRoutes, ...policyPreviewRoutes },
  Access: { ...accessDiagnosisRoutes, ...accessRequestRoutes },
  Tokens: { ...signInRoutes, ...accessRoutes },
  Agents: { ...agentAuthorizationRoutes, ...oauthRoutes, ...mcpRoutes },
  Checks: agentCheckRoutes,
  Artifacts: agentArtifactRoutes,
  Memory: agentMemoryRoutes,
  Context: agentContextRoutes,
  'Code host': { ...codehostAppRoutes, ...codehostInstallationRoutes, ...codehostCheckRoutes },
  Webhooks: webhookRoutes,
  System: systemRoutes,
} as const satisfies Record<string, Readonly<Record<string, Route>>>;

type All<Tables, Table = Tables[keyof Tables]> = (Table extends unknown ? (_: Table) => void : never) extends (
  _: infer Merged,
) => void
  ? { readonly [Name in keyof Merged]: Merged[Name] }
  : never;

/** Every route of the service; the stack, both API descriptions, the local service and the tests read this table. */
export const routes: All<typeof tables> = Object.assign({}, ...Object.values(tables));

export const tagsOfRoutes: ReadonlyMap<Route, string> = new Map(
  Object.entries(tables).flatMap(([tag, table]) => Object.values<Route>(table).map((route) => [route, tag])),
);
