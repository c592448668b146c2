import * as v from 'valibot';
import { repositoryName } from '../../../contract/codehost-checks.ts';
import type { WorkWebhook } from '../../../contract/messages.ts';
import { readJson } from '../../base/json/read-json.ts';
import { type App, appOf, credentialsOf } from '../apps.ts';
import { keepInstallation, nullIfUnknown, refreshInstallation } from '../keep-installation.ts';
import type { CodehostQueue, CodehostReader } from '../ports.ts';
import type { HeadCommit, PullRequestsOfHost } from '../pull-requests/ports.ts';
import type { WebhookStore } from './receive-webhook.ts';

/** Does what a webhook asks for: looks at the installation again, and asks for checks of pull requests. */
export async function workWebhook(
  ports: CodehostReader & {
    readonly webhooks: Pick<WebhookStore, 'body'>;
    readonly codehostQueue: CodehostQueue;
    readonly pullRequests: PullRequestsOfHost;
  },
  message: WorkWebhook,
): Promise<void> {
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
async function lookAgain(ports: CodehostReader, app: App, installation_id: string): Promise<void> {
  const { workspace_id } = app;
  const found = await ports.registry.installations.find({ workspace_id, config_id: app.id, installation_id });
  if (found) await refreshInstallation(ports, app, found);
  else if (app.mode === 'customer_owned')
    await keepInstallation(ports, null, app, installation_id).catch(nullIfUnknown);
}

async function numbersOf(
  { pullRequests, secrets }: Pick<CodehostReader, 'secrets'> & { readonly pullRequests: PullRequestsOfHost },
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

/** What a webhook asks to be looked at; the host says itself how things are by then. */
type HostEvent = {
  readonly installationId: string | null;
  /** The installation itself is what changed. */
  readonly isOfInstallation: boolean;
  readonly repository: string | null;
  /** Pull requests to check. */
  readonly pullRequests: readonly number[];
  /** Or those whose head is this commit. */
  readonly commit: HeadCommit | null;
};

const id = v.pipe(v.union([v.number(), v.string()]), v.transform(String));
const pulls = v.optional(v.array(v.object({ number: v.number() })), []);
const commitish = v.object({
  head_sha: v.string(),
  head_branch: v.nullish(v.string(), null),
  head_repository: v.nullish(v.object({ owner: v.object({ login: v.string() }) }), null),
  pull_requests: pulls,
});
const Payload = v.object({
  action: v.optional(v.string(), ''),
  installation: v.nullish(v.object({ id })),
  repository: v.nullish(v.object({ full_name: repositoryName })),
  pull_request: v.nullish(v.object({ number: v.number() })),
  workflow_run: v.nullish(commitish),
  check_run: v.nullish(commitish),
  check_suite: v.nullish(commitish),
});
type Payload = v.InferOutput<typeof Payload>;

/** Actions after which a check may say something else, by event. */
const checked: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened', 'ready_for_review', 'edited'],
  workflow_run: ['completed'],
  check_run: ['rerequested'],
  check_suite: ['rerequested'],
};
const ofInstallations = ['installation', 'installation_repositories'];

/** Reads what GitHub's webhooks say; null of an event that asks for nothing. */
function readHostEvent(event: string, payload: unknown): HostEvent | null {
  const read = v.safeParse(Payload, payload);
  if (!read.success) return null;
  const { action, installation, repository } = read.output;
  const isOfInstallation = ofInstallations.includes(event);
  if (!isOfInstallation && !checked[event]?.includes(action)) return null;
  return {
    installationId: installation?.id ?? null,
    isOfInstallation,
    repository: repository?.full_name ?? null,
    ...(isOfInstallation ? { pullRequests: [], commit: null } : subjectOf(read.output)),
  };
}

/** A run of a fork names no pull request: then its commit and its branch do. */
function subjectOf({ pull_request, workflow_run, check_run, check_suite }: Payload) {
  if (pull_request) return { pullRequests: [pull_request.number], commit: null };
  const run = workflow_run ?? check_run ?? check_suite;
  const pullRequests = run?.pull_requests.map(({ number }) => number) ?? [];
  if (!run || pullRequests.length > 0) return { pullRequests, commit: null };
  const { head_sha: sha, head_branch, head_repository } = run;
  const branch = head_branch && head_repository ? `${head_repository.owner.login}:${head_branch}` : null;
  return { pullRequests, commit: { sha, branch } };
}
