import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type ConnectorId, UserId, WebhookId, type WorkspaceId } from '../../../shared/contract/ids.ts';
import { notificationTypes } from '../../../shared/contract/vocabulary.ts';
import { createWebhook } from '../../../shared/domain/notifications/manage-webhooks.ts';
import { createProjectKey } from '../../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject, linkProject } from '../../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../../shared/domain/workspaces/access/connectors.ts';
import { webhookPorts } from '../../../shared/runtime/composition/notifications.ts';
import { startAccessWorld } from '../access-world.ts';
import { type CodehostPlace, codehostName, connectCodehost } from './codehost-place.ts';
import { OtherServices, receiverName, receiverUrl } from './other-services.ts';
import { simulateProcesses } from './processes.ts';
import { type ServiceRoles, serviceRoles } from './roles.ts';
import { FaultRun } from './run.ts';
import type { RunPlan } from './run-processes.ts';
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
  /** Receives all notifications of webhooks. */
  readonly webhook: WebhookId;
  readonly codehost: CodehostPlace;
};

export type FaultWorld = {
  readonly place: Place;
  readonly service: ServiceRoles;
  readonly newStores: () => Promise<RunStores>;
  readonly newServices: () => OtherServices;
  readonly stop: () => Promise<void>;
};

/** Its own run, which a plan makes fail. */
export const newRun = async ({ service, newStores, newServices }: FaultWorld, plan: RunPlan): Promise<FaultRun> =>
  new FaultRun(service, { stores: await newStores(), others: newServices(), plan });

const day = 86_400_000;
const namespace = 'postgres://db.test:5432';

/** Stores, an issuer and a workspace with two connectors, a linked project and a collection project. */
export async function startFaultWorld(): Promise<FaultWorld> {
  const world = await startAccessWorld();
  const { operator } = world;
  Object.assign(process.env, { WEBHOOK_ALLOWED_HOSTS: receiverName, CODEHOST_ALLOWED_HOSTS: codehostName });
  const workspace = (await world.workspace('acme')).id;
  const connector = async (name: string, settings: object) =>
    (await createConnector(operator, workspace, { name, kind: 'postgres', ...settings })).record.id;
  await linkProject(operator, workspace, 'crm');
  const input = { name: 'Shop', environments: ['prod'], origins: [] };
  const project = (await createCollectionProject(operator, workspace, input)).record.id;
  const collection = { workspace_id: workspace, id: project };
  const { key } = await createProjectKey({ ...operator, randomBytes }, collection, {
    name: 'web',
    environment: 'prod',
  });
  const warehouse = await connector('warehouse', {
    namespaces: [namespace],
    default_database: 'crm',
    default_schema: 'core',
  });
  const author = { workspace, userId: v.parse(UserId, 'acme-admin') };
  const events = [...notificationTypes];
  const query = { workspace_id: workspace, url: receiverUrl, events, format: 'json' as const };
  const webhook = await createWebhook(webhookPorts(), author, query);
  const place: Place = {
    workspace,
    connector: warehouse,
    guarded: await connector('guarded', { shrink_guard: { mode: 'hold', share: 0.5 } }),
    namespace,
    // Processes' clocks are up to ten minutes behind: none may see a token of the future.
    token: await world.issuer.sign('acme-admin', {
      issuedAt: new Date(Date.now() - day),
      expiresAt: new Date(Date.now() + 365 * day),
    }),
    projectKey: key ?? '',
    webhook: v.parse(WebhookId, webhook.id),
    codehost: await connectCodehost(author, warehouse),
  };
  simulateProcesses();
  const newStores = await runStoresFrom(world.stores, Date.now());
  const newServices = () => new OtherServices(place.codehost.newHost(), webhook.secret ?? '');
  return { place, service: serviceRoles, newStores, newServices, stop: world.stop };
}
