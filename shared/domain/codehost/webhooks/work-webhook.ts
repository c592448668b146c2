import type { WorkWebhook } from '../../../contract/messages.ts';
import { readJson } from '../../json/read-json.ts';
import { type App, appOf, credentialsOf } from '../apps.ts';
import { keepInstallation, refreshInstallation, unlessUnknown } from '../keep-installation.ts';
import type { CodehostQueue, CodehostReadPorts } from '../ports.ts';
import type { PullRequestsOfHost } from '../pull-requests/ports.ts';
import type { WebhookStore } from './ports.ts';
import { type HostEvent, readHostEvent } from './read-event.ts';

export type WorkWebhookPorts = CodehostReadPorts & {
  readonly webhooks: Pick<WebhookStore, 'body'>;
  readonly codehostQueue: CodehostQueue;
  readonly pullRequests: PullRequestsOfHost;
};

/** Does what a webhook asks for: looks at the installation again, and asks for checks of pull requests. */
export async function workWebhook(ports: WorkWebhookPorts, message: WorkWebhook): Promise<void> {
  const { workspace_id, config_id, event: name } = message;
  const bytes = await ports.webhooks.body(message);
  const app = await appOf(ports, workspace_id, config_id);
  const event = bytes && readHostEvent(name, readJson(bytes).value);
  if (!event || !app || event.installationId === null) return;
  const installation_id = event.installationId;
  if (event.isOfInstallation) return lookAgain(ports, app, installation_id);
  if (event.repository === null) return;
  const place = { workspace_id, config_id, installation_id, repository: event.repository };
  for (const number of await numbersOf(ports, app, installation_id, { ...event, repository: event.repository }))
    await ports.codehostQueue.send({
      version: 1,
      kind: 'check_pull_request',
      ...place,
      number,
      attempt: 0,
      not_before: null,
    });
}

/** An installation of the workspace's own app that nobody brought here is the workspace's all the same. */
async function lookAgain(ports: WorkWebhookPorts, app: App, installation_id: string): Promise<void> {
  const { workspace_id } = app;
  const found = await ports.registry.installations.find({ workspace_id, config_id: app.id, installation_id });
  if (found) await refreshInstallation(ports, app, found);
  else if (app.mode === 'customer_owned')
    await keepInstallation(ports, null, app, installation_id).catch(unlessUnknown);
}

async function numbersOf(
  { pullRequests, secrets }: WorkWebhookPorts,
  app: App,
  installation: string,
  event: HostEvent & { readonly repository: string },
): Promise<readonly number[]> {
  if (event.commit === null) return event.pullRequests;
  const credentials = await credentialsOf(secrets, app);
  return credentials === null
    ? []
    : pullRequests.ofCommit({ credentials, installation, repository: event.repository }, event.commit);
}
