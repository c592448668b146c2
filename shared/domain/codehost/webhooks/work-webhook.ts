import type { WorkWebhook } from '../../../contract/messages.ts';
import { readJson } from '../../base/json/read-json.ts';
import { type App, appOf, credentialsOf } from '../apps.ts';
import type { HostEvent } from '../code-host.ts';
import { hasRepository } from '../installations.ts';
import { keepInstallation, nullIfUnknown, refreshInstallation } from '../keep-installation.ts';
import { type CodehostQueue, type CodehostReader, sendCheck } from '../ports.ts';
import type { WebhookStore } from './receive-webhook.ts';

type WebhookWorkPorts = CodehostReader & {
  readonly webhooks: Pick<WebhookStore, 'body'>;
  readonly codehostQueue: CodehostQueue;
};

/** Does what a webhook asks for: looks at the installation again, and asks for checks of pull requests. */
export async function workWebhook(ports: WebhookWorkPorts, message: WorkWebhook): Promise<void> {
  const { workspace_id, config_id } = message;
  const bytes = await ports.webhooks.body(message);
  const app = await appOf(ports, workspace_id, config_id);
  const event = app && bytes && ports.hosts[app.kind].webhooks.read(message.event, readJson(bytes).value);
  if (!event) return;
  const { installationId, repository } = event;
  if (event.isOfInstallation) {
    if (installationId !== null) await lookAgain(ports, app, installationId);
    return;
  }
  if (repository === null) return;
  for (const installation_id of installationId === null ? await thoseWith(ports, app, repository) : [installationId])
    for (const number of await numbersOf(ports, app, installation_id, { ...event, repository }))
      await sendCheck(ports.codehostQueue, { workspace_id, config_id, installation_id, repository, number });
}

/** The app's installations on accounts that have the repository. */
async function thoseWith({ registry }: CodehostReader, app: App, repository: string): Promise<readonly string[]> {
  const all = await registry.installations.list(app.workspace_id);
  return all
    .filter((one) => one.config_id === app.id && one.status === 'active' && hasRepository(one, repository))
    .map(({ installation_id }) => installation_id);
}

/** An installation of the workspace's own app that nobody brought here is the workspace's all the same. */
async function lookAgain(ports: CodehostReader, app: App, installation_id: string): Promise<void> {
  const { workspace_id } = app;
  const found = await ports.registry.installations.find({ workspace_id, config_id: app.id, installation_id });
  if (found) await refreshInstallation(ports, app, found);
  else if (app.mode === 'customer_owned')
    await keepInstallation(ports, null, app, installation_id).catch(nullIfUnknown);
}

async function numbersOf(
  { hosts, secrets }: CodehostReader,
  app: App,
  installation: string,
  event: HostEvent & { readonly repository: string },
): Promise<readonly number[]> {
  if (event.commit === null) return event.pullRequests;
  const credentials = await credentialsOf(secrets, app);
  return credentials === null
    ? []
    : hosts[app.kind].pullRequests.ofCommit({ credentials, installation, repository: event.repository }, event.commit);
}
