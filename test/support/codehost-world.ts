import { randomUUID } from 'node:crypto';
import { appImplementations } from '../../functions/codehost/apps.ts';
import { installationImplementations } from '../../functions/codehost/installations.ts';
import { startFakeHost } from '../../local/codehost/fake-host.ts';
import { type CodehostKind, codehostAppRoutes } from '../../shared/contract/codehost-apps.ts';
import { codehostInstallationRoutes } from '../../shared/contract/codehost-installations.ts';
import { codehostPorts } from '../../shared/runtime/composition/codehost.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from './access-world.ts';
import { gitLabRoutes, newUser } from './gitlab-routes.ts';
import { type Json, jsonAnswer } from './json-answer.ts';

const allPermissions = { checks: 'write', contents: 'read', pull_requests: 'read', actions: 'read', metadata: 'read' };

/** The routes of code hosts over stores and a fake host, with a clock that tests set. */
export async function startCodehostWorld() {
  const [world, host] = await Promise.all([startAccessWorld(), startFakeHost(gitLabRoutes)]);
  process.env['CODEHOST_ALLOWED_HOSTS'] = new URL(host.url).host;
  let now = () => new Date();
  const clock = { now: () => now() };
  const ports = { ...codehostPorts(), clock };
  const respond = responder(
    { ...codehostAppRoutes, ...codehostInstallationRoutes },
    { ...appImplementations(ports), ...installationImplementations(ports) },
    // The clock of these tests goes back too, which no bucket of a rate is made for.
    { ...httpPorts(), clock, rateGuard: async () => null },
  );
  const ask = async (method: string, path: string, parts: Parameters<typeof request>[2]) =>
    jsonAnswer(await respond(request(method, path, parts)));
  let built = 0;
  return {
    ...world,
    host,
    ports,
    ask,
    /** Moves the clock forward. */
    later: (seconds: number) => {
      now = () => new Date(Date.now() + seconds * 1_000);
    },
    /** A workspace, with an administrator who asks. */
    place: async () => {
      const name = `codehost-${built++}`;
      const { id } = await world.workspace(name);
      const tokens = {
        admin: await world.issuer.sign(`${name}-admin`),
        editor: await world.issuer.sign(`${name}-editor`),
      };
      return {
        id,
        name,
        tokens,
        post: (path: string, body: Json, token = tokens.admin) =>
          ask('POST', path, { token, body: { workspace_id: id, ...body } }),
        put: (body: Json) =>
          ask('PUT', '/v1/codehost/app-configs', { token: tokens.admin, body: { workspace_id: id, ...body } }),
        get: (path: string) => ask('GET', path, { token: tokens.admin, query: { workspace_id: id } }),
        remove: (path: string, params: Readonly<Record<string, string>>, query = {}) =>
          ask('DELETE', path, { token: tokens.admin, params, query: { workspace_id: id, ...query } }),
      };
    },
    /** An app at the host, as the body of its configuration. */
    app: (kind: CodehostKind = 'github') => {
      const name = `app-${randomUUID()}`;
      const clients = { client_id: name, client_secret: randomUUID() };
      return kind === 'github'
        ? { ...host.newApp(name), codehost_base_url: host.url, api_base_url: host.url }
        : { ...newUser(host.state, name), ...clients, codehost_base_url: host.url, api_base_url: `${host.url}/api/v4` };
    },
    /** An account of the host that installed an app. */
    install: (app: { readonly app_id: string }, permissions: Record<string, string> = allPermissions) => {
      const id = 500 + host.state.installations.length;
      const account = { login: `org-${id}`, id: id * 10, type: 'Organization' };
      const installation = {
        id,
        appId: Number(app.app_id),
        account,
        permissions: { ...permissions },
        suspendedAt: null as string | null,
      };
      host.state.installations.push(installation);
      host.state.users.find((user) => String(user.id) === app.app_id)?.installationIds.push(id);
      return installation;
    },
    stop: async () => {
      await Promise.all([world.stop(), host.stop()]);
    },
  };
}

export type CodehostWorld = Awaited<ReturnType<typeof startCodehostWorld>>;
export type CodehostPlace = Awaited<ReturnType<CodehostWorld['place']>>;
