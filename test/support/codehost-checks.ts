import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { appImplementations } from '../../functions/codehost/apps.ts';
import { checkImplementations } from '../../functions/codehost/checks.ts';
import { installationImplementations } from '../../functions/codehost/installations.ts';
import { startFakeHost } from '../../local/codehost/fake-host.ts';
import type { HostRepository } from '../../local/codehost/state.ts';
import { webhookOf } from '../../local/codehost/webhooks.ts';
import { CodehostMessage } from '../../shared/contract/messages.ts';
import { codehostAppRoutes } from '../../shared/contract/routes/codehost-apps.ts';
import { codehostCheckRoutes } from '../../shared/contract/routes/codehost-checks.ts';
import { codehostInstallationRoutes } from '../../shared/contract/routes/codehost-installations.ts';
import { workCheck } from '../../shared/domain/codehost/pull-requests/work-check.ts';
import { workWebhook } from '../../shared/domain/codehost/webhooks/work-webhook.ts';
import { codehostPorts, pullRequestPorts } from '../../shared/runtime/composition/codehost.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from './access-world.ts';
import { type Json, jsonAnswer } from './json-answer.ts';
import { startLineageWorld } from './lineage-world.ts';

const permissions = { checks: 'write', contents: 'read', pull_requests: 'read', actions: 'read' };

export const newCommit = (): string => randomBytes(20).toString('hex');

/** Everything that a check of a pull request goes through: routes, queue, worker, the graph, and a fake host. */
export async function startCheckWorld() {
  const [world, host] = await Promise.all([startLineageWorld(), startFakeHost()]);
  process.env['CODEHOST_ALLOWED_HOSTS'] = new URL(host.url).host;
  let now = () => new Date();
  const clock = { now: () => now() };
  const queued: { message: CodehostMessage; delaySeconds: number }[] = [];
  const codehostQueue = {
    send: async (message: CodehostMessage, options?: { readonly delaySeconds: number }) => {
      queued.push({
        message: v.parse(CodehostMessage, JSON.parse(JSON.stringify(message))),
        delaySeconds: options?.delaySeconds ?? 0,
      });
    },
  };
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
  /** Works what is due, as the worker does; answers what is not due yet. */
  async function settle(): Promise<readonly number[]> {
    const held: typeof queued = [];
    for (let one = queued.shift(); one; one = queued.shift()) {
      const { message } = one;
      const isHeld =
        message.kind === 'check_pull_request' &&
        message.not_before !== null &&
        Date.parse(message.not_before) > now().getTime();
      if (isHeld) held.push(one);
      else if (message.kind === 'webhook') await workWebhook(worker, message);
      else await workCheck(worker, message);
    }
    queued.push(...held);
    return held.map(({ delaySeconds }) => delaySeconds);
  }

  async function scene() {
    const place = await world.place();
    const admin = { token: place.tokens.admin };
    const body = (more: Json) => ({ workspace_id: place.workspace, ...more });
    const app = host.newApp(`app-${newCommit().slice(0, 6)}`);
    const urls = { codehost_base_url: host.url, api_base_url: host.url };
    const { json: config } = await ask('PUT', '/v1/codehost/app-configs', {
      ...admin,
      body: body({ ...app, ...urls }),
    });
    const installation = {
      id: 900 + host.state.installations.length,
      appId: Number(app.app_id),
      account: { login: `org-${app.app_id}`, id: 1, type: 'Organization' },
      permissions: { ...permissions } as Record<string, string>,
      suspendedAt: null as string | null,
    };
    host.state.installations.push(installation);
    const repository: HostRepository = {
      owner: installation.account.login,
      name: 'shop',
      installationId: installation.id,
      files: new Map([['main:.github/CODEOWNERS', '* @org/data\n/models/marts/ @org/finance\n']]),
      branches: new Map(),
      pulls: new Map(),
      checkRuns: [],
      artifacts: [],
    };
    host.state.repositories.push(repository);
    const fullName = `${repository.owner}/${repository.name}`;
    const config_id = String(config['id']);
    const sent = (parts: Partial<ReturnType<typeof webhookOf>>) =>
      ask('POST', '/v1/codehost/webhooks/{config_id}', {
        params: { config_id },
        headers: parts.headers ?? {},
        body: Buffer.from(parts.body ?? ''),
      });
    return {
      ...place,
      app,
      config_id,
      installation,
      repository,
      fullName,
      sent,
      put: (path: string, more: Json) => ask('PUT', path, { ...admin, body: body(more) }),
      ask: (method: string, path: string, parts: Parameters<typeof request>[2]) => ask(method, path, parts),
      post: (path: string, more: Json, token = place.tokens.editor) => ask('POST', path, { token, body: body(more) }),
      list: (path: string) => ask('GET', path, { ...admin, query: { workspace_id: place.workspace } }),
      take: () =>
        ask('POST', '/v1/codehost/installations', {
          ...admin,
          body: body({ installation_id: String(installation.id) }),
        }),
      /** Has the host tell of something. */
      tell: (event: string, payload: Json, secret = app.webhook_secret, delivery?: string) =>
        sent(
          webhookOf(
            event,
            { ...payload, installation: { id: installation.id }, repository: { full_name: fullName } },
            secret,
            delivery,
          ),
        ),
      /** A pull request with a commit, or another commit of it. */
      push: (number: number, head = newCommit(), owner = repository.owner) => {
        const base = { ref: 'main', sha: '0'.repeat(40) };
        repository.pulls.set(number, { number, state: 'open', head, branch: `change-${number}`, owner, base });
        return head;
      },
      sendManifest: (number: number, commit_sha: string, manifest: unknown, more: Json = {}) =>
        ask('POST', '/v1/codehost/manifests', {
          token: place.tokens.editor,
          body: body({
            connector_id: place.connector.id,
            repository: fullName,
            commit_sha,
            pull_request: number,
            manifest,
            ...more,
          }),
        }),
    };
  }

  return {
    ...world,
    host,
    queued,
    settle,
    scene,
    later: (seconds: number) => {
      now = () => new Date(Date.now() + seconds * 1_000);
    },
    stop: async () => {
      await Promise.all([world.stop(), host.stop()]);
    },
  };
}

type CheckWorld = Awaited<ReturnType<typeof startCheckWorld>>;
export type CheckScene = Awaited<ReturnType<CheckWorld['scene']>>;
