import type { Route } from '../route.ts';
import { accessRoutes } from '../routes/access.ts';
import { accessDiagnosisRoutes } from '../routes/access-diagnosis.ts';
import { accessRequestRoutes } from '../routes/access-requests.ts';
import { agentArtifactRoutes } from '../routes/agent-artifacts.ts';
import { agentAuthorizationRoutes } from '../routes/agent-authorization.ts';
import { agentCheckRoutes } from '../routes/agent-checks.ts';
import { agentContextRoutes } from '../routes/agent-context.ts';
import { agentMemoryRoutes } from '../routes/agent-memory.ts';
import { codehostAppRoutes } from '../routes/codehost-apps.ts';
import { codehostCheckRoutes } from '../routes/codehost-checks.ts';
import { codehostInstallationRoutes } from '../routes/codehost-installations.ts';
import { collectionRoutes } from '../routes/collection.ts';
import { collectionProjectRoutes } from '../routes/collection-projects.ts';
import { deliveryRoutes, payloadRoutes } from '../routes/deliveries.ts';
import { diffRoutes } from '../routes/diff.ts';
import { exportRoutes } from '../routes/export.ts';
import { gapRoutes } from '../routes/gaps.ts';
import { impactRoutes } from '../routes/impact.ts';
import { intakeRoutes } from '../routes/ingest.ts';
import { linkedProjectRoutes } from '../routes/linked-projects.ts';
import { mcpRoutes } from '../routes/mcp.ts';
import { policyRoutes } from '../routes/policy.ts';
import { policyPreviewRoutes } from '../routes/policy-preview.ts';
import { providerRoutes } from '../routes/providers.ts';
import { relationRoutes } from '../routes/relations.ts';
import { scopeRoutes } from '../routes/scopes.ts';
import { signInRoutes } from '../routes/sign-in.ts';
import { systemRoutes } from '../routes/system.ts';
import { uploadRoutes } from '../routes/uploads.ts';
import { webhookRoutes } from '../routes/webhooks.ts';
import { workspaceRoutes } from '../routes/workspaces.ts';

/** The tables of routes, by the tag that the API descriptions group them under. */
const tables = {
  Collection: collectionRoutes,
  Intake: intakeRoutes,
  Uploads: uploadRoutes,
  'Collection projects': collectionProjectRoutes,
  Workspaces: { ...workspaceRoutes, ...linkedProjectRoutes },
  Relations: relationRoutes,
  Impact: impactRoutes,
  Diff: diffRoutes,
  Export: exportRoutes,
  Deliveries: { ...deliveryRoutes, ...payloadRoutes },
  Providers: providerRoutes,
  Gaps: gapRoutes,
  Scopes: scopeRoutes,
  Policies: { ...policyRoutes, ...policyPreviewRoutes },
  Access: { ...accessDiagnosisRoutes, ...accessRequestRoutes },
  Tokens: { ...signInRoutes, ...accessRoutes },
  Agents: { ...agentAuthorizationRoutes, ...mcpRoutes },
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
