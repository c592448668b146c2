import { randomBytes } from 'node:crypto';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { createProjectKey } from '../../../shared/domain/access/collection-keys.ts';
import { createCollectionProject } from '../../../shared/domain/access/collection-projects.ts';
import { createConnector } from '../../../shared/domain/access/connectors.ts';
import { linkProject } from '../../../shared/domain/access/linked-projects.ts';
import { startAccessWorld } from '../access-world.ts';
import { simulateProcesses } from './processes.ts';
import { type ServiceRoles, serviceRoles } from './roles.ts';
import { type RunStores, runStoresFrom } from './run-stores.ts';

/** The workspace that every run begins with: its ids are the same in all of them. */
export type Place = {
  readonly workspace: WorkspaceId;
  readonly connector: ConnectorId;
  readonly namespace: string;
  /** Holds snapshots that retract much. */
  readonly guarded: ConnectorId;
  readonly token: string;
  readonly projectKey: string;
};

export type FaultWorld = {
  readonly place: Place;
  readonly service: ServiceRoles;
  readonly newStores: () => Promise<RunStores>;
  readonly stop: () => Promise<void>;
};

const day = 86_400_000;
const namespace = 'postgres://db.test:5432';

/** Stores, an issuer and a workspace with two connectors, a linked project and a collection project. */
export async function startFaultWorld(): Promise<FaultWorld> {
  const world = await startAccessWorld();
  const { operator } = world;
  const workspace = (await world.workspace('acme')).id;
  const connector = async (name: string, settings: object) =>
    (await createConnector(operator, workspace, { name, kind: 'postgres', ...settings })).record.id;
  await linkProject(operator, workspace, 'crm');
  const input = { name: 'Shop', environments: ['prod'], origins: [] };
  const project = (await createCollectionProject(operator, workspace, input)).record.id;
  const collection = { workspace_id: workspace, project_id: project };
  const { key } = await createProjectKey({ ...operator, randomBytes }, collection, {
    name: 'web',
    environment: 'prod',
  });
  const place: Place = {
    workspace,
    connector: await connector('warehouse', {
      namespaces: [namespace],
      default_database: 'crm',
      default_schema: 'core',
    }),
    guarded: await connector('guarded', { shrink_guard: { mode: 'hold', share: 0.5 } }),
    namespace,
    token: await world.issuer.sign('acme-admin', { expiresAt: new Date(Date.now() + 365 * day) }),
    projectKey: key ?? '',
  };
  simulateProcesses();
  const newStores = await runStoresFrom(world.stores, Date.now());
  return { place, service: serviceRoles, newStores, stop: world.stop };
}
