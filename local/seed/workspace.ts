import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { LayerRules } from '../../shared/contract/layers.ts';
import { Fault } from '../../shared/contract/problems.ts';
import { type ConnectorKind, roles } from '../../shared/contract/vocabulary.ts';
import {
  type CollectionProjectRef,
  createProjectKey,
  createServerKey,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject, linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { Operator } from '../../shared/domain/workspaces/access/operator.ts';
import { addMember, createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';
import type { Seeded, SeededWorkspace } from '../credentials.ts';
import type { DevelopmentIssuer } from '../issuer/issuer.ts';
import type { OfferedUser } from '../issuer/name.ts';

export type SeedPorts = { readonly operator: Operator; readonly issuer: DevelopmentIssuer };

type ConnectorPlan = {
  readonly kind: ConnectorKind;
  readonly namespaces: readonly string[];
  readonly default_database: string;
  readonly default_schema: string;
  readonly layers?: LayerRules;
};

export type WorkspacePlan = {
  readonly name: string;
  readonly connectors: Readonly<Record<string, ConnectorPlan>>;
  readonly linkedProjects: Readonly<Record<string, string>>;
  readonly allowedOrigin: string;
};

export async function seedWorkspace(
  ports: SeedPorts,
  plan: WorkspacePlan,
): Promise<SeededWorkspace & { id: WorkspaceId }> {
  const { record: workspace } = await createWorkspace(ports.operator, { name: plan.name });
  return {
    id: workspace.id,
    tokens: await seedMembers(ports, workspace.id, plan.name),
    connectors: await seedConnectors(ports.operator, workspace.id, plan.connectors),
    linked_projects: await seedLinks(ports.operator, workspace.id, plan.linkedProjects),
    collection: await seedCollection(ports.operator, workspace.id, plan),
  };
}

export const userOf = (workspace: string, role: string): string => `${workspace}-${role}`;

export const usersOf = ({ workspaces }: Pick<Seeded, 'workspaces'>): OfferedUser[] =>
  Object.keys(workspaces).flatMap((workspace) =>
    roles.toReversed().map((role) => ({
      user: userOf(workspace, role),
      email: emailOf(workspace, role),
      label: `${role} of ${workspace}`,
    })),
  );

export const emailOf = (workspace: string, role: string): string => `${role}@${workspace}.test`;

async function seedMembers({ operator, issuer }: SeedPorts, workspace: WorkspaceId, name: string) {
  const tokens: Record<string, string> = {};
  for (const role of roles) {
    const user_id = userOf(name, role);
    await addMember(operator, workspace, { user_id, role, email: emailOf(name, role) });
    tokens[role] = await issuer.tokenFor(user_id, emailOf(name, role));
  }
  return tokens;
}

async function seedConnectors(operator: Operator, workspace: WorkspaceId, plans: WorkspacePlan['connectors']) {
  const connectors: SeededWorkspace['connectors'] = {};
  for (const [name, plan] of Object.entries(plans)) {
    const settings = { ...plan, namespaces: [...plan.namespaces] };
    const { record } = await createConnector(operator, workspace, { name, ...settings });
    connectors[name] = { id: record.id, ...settings };
  }
  return connectors;
}

async function seedLinks(operator: Operator, workspace: WorkspaceId, projects: Readonly<Record<string, string>>) {
  for (const project of Object.values(projects)) await linkProject(operator, workspace, project);
  return { ...projects };
}

async function seedCollection(operator: Operator, workspace_id: WorkspaceId, { name, allowedOrigin }: WorkspacePlan) {
  const environment = 'production';
  const input = { name, environments: [environment], origins: [allowedOrigin] };
  const { record: project } = await createCollectionProject(operator, workspace_id, input);
  const slow = { per_second: 5, burst: 5 };
  const keys = {
    project_key: await projectKey(operator, project, { name: 'live', environment }),
    revoked_project_key: await projectKey(operator, project, { name: 'revoked', environment }),
    limited_project_key: await projectKey(operator, project, { name: 'limited', environment, rate: slow }),
    server_key: await serverKey(operator, project, 'live'),
    revoked_server_key: await serverKey(operator, project, 'revoked'),
  };
  await revokeProjectKey(operator, project, 'revoked');
  await revokeServerKey(operator, project, 'revoked');
  return { project_id: project.id, environment, allowed_origin: allowedOrigin, ...keys };
}

const projectKey = async (
  operator: Operator,
  project: CollectionProjectRef,
  input: Parameters<typeof createProjectKey>[2],
) => shown((await createProjectKey(operator, project, input)).key);

const serverKey = async (operator: Operator, project: CollectionProjectRef, name: string) =>
  shown((await createServerKey(operator, project, name)).key);

/** A key is shown once: these stores were seeded before, and what was shown then is lost. */
function shown(key: string | null): string {
  if (key === null)
    throw new Fault(
      'seed_keys_missing',
      'The stores hold a seed whose keys are lost: start with another --data folder.',
    );
  return key;
}
