import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { appImplementations } from '../../functions/codehost/apps.ts';
import { checkImplementations } from '../../functions/codehost/checks.ts';
import { installationImplementations } from '../../functions/codehost/installations.ts';
import { startFakeHost, webhookOf } from '../../local/codehost/fake-host.ts';
import type { HostRepository } from '../../local/codehost/state.ts';
import { type CodehostKind, codehostAppRoutes } from '../../shared/contract/codehost-apps.ts';
import { codehostCheckRoutes } from '../../shared/contract/codehost-checks.ts';
import { codehostInstallationRoutes } from '../../shared/contract/codehost-installations.ts';
import { CodehostMessage } from '../../shared/contract/messages.ts';
import { workCheck } from '../../shared/domain/codehost/pull-requests/work-check.ts';
import { workWebhook } from '../../shared/domain/codehost/webhooks/work-webhook.ts';
import { codehostPorts, pullRequestPorts } from '../../shared/runtime/composition/codehost.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from './access-world.ts';
import { gitLabRoutes, gitLabWebhookOf, newUser } from './gitlab-routes.ts';
import { type Json, jsonAnswer } from './json-answer.ts';
import { type LineagePlace, startLineageWorld } from './lineage-world.ts';

const permissions = { checks: 'write', contents: 'read', pull_requests: 'read', actions: 'read' };

export const newCommit = (): string => randomBytes(20).toString('hex');

/** Everything that a check of a pull request goes through: routes, queue, worker, the graph, and a fake host. */
export async function startCheckWorld() {
  const [world, host] = await Promise.all([startLineageWorld(), startFakeHost(gitLabRoutes)]);
  process.env['CODEHOST_ALLOWED_HOSTS'] = new URL(host.url).host;
  let now = () => new Date();
  const clock = { now: () => now() };
  const { queued, codehostQueue, settleBy } = memoryQueue(clock);
  const ports = { ...codehostPorts(), clock, codehostQueue };
  const worker = { ...pullRequestPorts(), clock, codehostQueue };
  const respond = responder(
    { ...codehostAppRoutes, ...codehostInstallationRoutes, ...codehostCheckRoutes },
    { ...appImplementations(ports), ...installationImplementations(ports), ...checkImplementations(ports) },
    // The clock of these tests goes back too, which no bucket of a rate is made for.
    { ...httpPorts(), clock, rateGuard: async () => null },
  );
  const ask = async (method: string, path: string, parts: Parameters<typeof request>[2]) =>
    jsonAnswer(await respond(request(method, path, parts)));
  return {
    ...world,
    host,
    queued,
    /** Processes due messages like the worker; returns the delays of the others, in seconds. */
    settle: () =>
      settleBy((message) => (message.kind === 'webhook' ? workWebhook(worker, message) : workCheck(worker, message))),
    /** A repository of an installed app in its own workspace, without any webhook yet. */
    scene: async (kind: CodehostKind = 'github') => sceneOf(ask, host, await world.place(), kind),
    later: (seconds: number) => {
      now = () => new Date(Date.now() + seconds * 1_000);
    },
    stop: async () => {
      await Promise.all([world.stop(), host.stop()]);
    },
  };
}

type Queued = { readonly message: CodehostMessage; readonly delaySeconds: number };

/** The queue of code hosts in memory, through which messages pass as JSON. */
function memoryQueue({ now }: { readonly now: () => Date }) {
  const queued: Queued[] = [];
  const isHeld = ({ message }: Queued): boolean =>
    message.kind === 'check_pull_request' &&
    message.not_before !== null &&
    Date.parse(message.not_before) > now().getTime();
  return {
    queued,
    codehostQueue: {
      send: async (message: CodehostMessage, options?: { readonly delaySeconds: number }) => {
        const passed = v.parse(CodehostMessage, JSON.parse(JSON.stringify(message)));
        queued.push({ message: passed, delaySeconds: options?.delaySeconds ?? 0 });
      },
    },
    settleBy: async (work: (message: CodehostMessage) => Promise<unknown>): Promise<readonly number[]> => {
      const held: Queued[] = [];
      for (let one = queued.shift(); one; one = queued.shift()) {
        if (isHeld(one)) held.push(one);
        else await work(one.message);
      }
      queued.push(...held);
      return held.map(({ delaySeconds }) => delaySeconds);
    },
  };
}

type CheckWorld = Awaited<ReturnType<typeof startCheckWorld>>;
export type CheckScene = Awaited<ReturnType<CheckWorld['scene']>>;

type Answer = ReturnType<typeof jsonAnswer<Json>>;
type Ask = (method: string, path: string, parts: Parameters<typeof request>[2]) => Promise<Answer>;
type Host = Awaited<ReturnType<typeof startFakeHost>>;

async function sceneOf(ask: Ask, host: Host, place: LineagePlace, kind: CodehostKind) {
  const own = kind === 'github' ? atGitHub(host) : atGitLab(host);
  const { app, installation, repository, urls, webhook, events } = own;
  const fullName = `${repository.owner}/${repository.name}`;
  const pending = asking(ask, place);
  const config_id = String((await pending.put('/v1/codehost/app-configs', { ...app, ...urls })).json['id']);
  const sent = ({ headers, body }: Webhook) =>
    ask('POST', '/v1/codehost/webhooks/{config_id}', {
      params: { config_id },
      headers,
      body: Buffer.from(body),
    });
  /** Has the host report something. */
  const tell = (event: string, payload: Json, secret = app.webhook_secret, delivery?: string) =>
    sent(webhook(event, payload, secret, delivery));
  return {
    ...place,
    ...pending,
    ask,
    app,
    urls,
    config_id,
    installation,
    repository,
    fullName,
    sent,
    tell,
    webhook,
    /** What the host shows at commits, the oldest first. */
    checks: own.checks,
    opened: (
      number: number,
      action: 'opened' | 'synchronize' | 'reopened' = 'opened',
      secret?: string,
      delivery?: string,
    ) => tell(...events.pull(number, action), secret, delivery),
    ping: (secret?: string) => tell(...events.ping, secret),
    /** A workflow of a commit ended, which names no pull request. */
    ran: (commit: string, owner: string) => tell(...events.run(commit, owner)),
    take: () =>
      pending.post('/v1/codehost/installations', { installation_id: `${installation.id}` }, place.tokens.admin),
    push: (number: number, head = newCommit(), owner = repository.owner) => pushTo(repository, { number, head, owner }),
    sendManifest: (pull_request: number, commit_sha: string, manifest: unknown, more: Json = {}) => {
      const of = { connector_id: place.connector.id, repository: fullName };
      return pending.post('/v1/codehost/manifests', { ...of, commit_sha, pull_request, manifest, ...more });
    },
  };
}

type Webhook = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Check = {
  readonly commit: string;
  readonly conclusion: string | null;
  readonly title: string | null;
  /** All that people read of it. */
  readonly text: string;
  /** The files that break. */
  readonly broken: readonly string[];
};

function atGitHub(host: Host) {
  const app = host.newApp(`app-${newCommit().slice(0, 6)}`);
  const { installation, repository } = installedOn(host, `org-${app.app_id}`, Number(app.app_id));
  const named = {
    installation: { id: installation.id },
    repository: { full_name: `${repository.owner}/${repository.name}` },
  };
  const checks = (): readonly Check[] =>
    repository.checkRuns.map(({ head_sha, conclusion, output, annotations }) => ({
      commit: head_sha,
      conclusion,
      title: output.title,
      text: [output.summary, ...annotations.map(({ title, message }) => `${title} ${message}`)].join('\n'),
      broken: annotations.filter((one) => one.annotation_level === 'failure').map(({ path }) => path),
    }));
  return {
    app,
    installation,
    repository,
    checks,
    urls: { codehost_base_url: host.url, api_base_url: host.url },
    webhook: (event: string, payload: Json, secret: string, delivery?: string): Webhook =>
      webhookOf(event, { ...payload, ...named }, secret, delivery),
    events: {
      ping: ['ping', { zen: 'x' }] as [string, Json],
      pull: (number: number, action: string): [string, Json] => ['pull_request', { action, pull_request: { number } }],
      run: (head_sha: string, login: string): [string, Json] => {
        const fork = { head_branch: 'change-1', head_repository: { owner: { login } } };
        return ['workflow_run', { action: 'completed', workflow_run: { head_sha, pull_requests: [], ...fork } }];
      },
    },
  };
}

const conclusions: Readonly<Record<string, string>> = { success: 'success', failed: 'failure', skipped: 'neutral' };
const actions: Readonly<Record<string, string>> = { opened: 'open', synchronize: 'update', reopened: 'reopen' };

function atGitLab(host: Host) {
  const app = newUser(host.state, `bot-${newCommit().slice(0, 6)}`);
  const { installation, repository } = installedOn(host, `group-${app.app_id}/data`, 0);
  host.state.users.find(({ token }) => token === app.private_key)?.installationIds.push(installation.id);
  const project = { path_with_namespace: `${repository.owner}/${repository.name}` };
  const checks = (): readonly Check[] =>
    host.state.statuses
      .filter((one) => one.repository === repository)
      .map(({ sha, status, description }) => {
        const text = host.state.notes.findLast((one) => one.repository === repository)?.body ?? '';
        const places = [...text.matchAll(/^- `(.+):\d+` `breaking: /gm)].map(([, file = '']) => file);
        return { commit: sha, conclusion: conclusions[status] ?? status, title: description, text, broken: places };
      });
  return {
    app,
    installation,
    repository,
    checks,
    urls: { codehost_base_url: host.url },
    webhook: (event: string, payload: Json, secret: string, delivery?: string): Webhook =>
      gitLabWebhookOf(event, { ...payload, project }, secret, delivery),
    events: {
      ping: ['Push Hook', {}] as [string, Json],
      pull: (iid: number, action: string): [string, Json] => [
        'Merge Request Hook',
        { object_attributes: { iid, action: actions[action] } },
      ],
      run: (sha: string): [string, Json] => ['Pipeline Hook', { object_attributes: { sha, status: 'success' } }],
    },
  };
}

/** Requests in the workspace of a place: of an admin, and as an editor what is posted. */
function asking(ask: Ask, { workspace, tokens }: LineagePlace) {
  const body = (more: Json) => ({ workspace_id: workspace, ...more });
  return {
    put: (path: string, more: Json) => ask('PUT', path, { token: tokens.admin, body: body(more) }),
    post: (path: string, more: Json, token = tokens.editor) => ask('POST', path, { token, body: body(more) }),
    list: (path: string) => ask('GET', path, { token: tokens.admin, query: { workspace_id: workspace } }),
  };
}

/** An account of the host that installed an app, with one repository. */
function installedOn({ state }: Host, login: string, appId: number) {
  const installation = {
    id: 900 + state.installations.length,
    appId,
    account: { login, id: 1, type: 'Organization' },
    permissions: { ...permissions } as Record<string, string>,
    suspendedAt: null as string | null,
  };
  const repository: HostRepository = {
    owner: login,
    name: 'shop',
    installationId: installation.id,
    files: new Map([['main:.github/CODEOWNERS', '* @org/data\n/models/marts/ @org/finance\n']]),
    branches: new Map(),
    pulls: new Map(),
    checkRuns: [],
    artifacts: [],
  };
  state.installations.push(installation);
  state.repositories.push(repository);
  return { installation, repository };
}

type Push = { readonly number: number; readonly head: string; readonly owner: string };

/** A pull request with a commit, or another commit of it. */
function pushTo({ pulls }: HostRepository, { number, head, owner }: Push): string {
  const base = { ref: 'main', sha: '0'.repeat(40) };
  pulls.set(number, { number, state: 'open', head, branch: `change-${number}`, owner, base });
  return head;
}
