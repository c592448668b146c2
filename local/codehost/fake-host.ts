import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { Refused, refuseForeign } from '../emulators/guard.ts';
import { closeServer, listenOnLoopback } from '../listen.ts';
import { type HostAnswer, HostRefusal, notFound, ok, readBody, required, shownPull } from './answers.ts';
import { checkRuns } from './check-runs.ts';
import { putContents } from './contents.ts';
import { type HostRequest, type HostRoutes, reached } from './request.ts';
import { serviceRoutes } from './service-routes.ts';
import { emptyHost, type HostPull, type HostRepository, type HostState } from './state.ts';

/** An app with the secrets that its owner has of it. */
export type FakeApp = ReturnType<typeof newApp>;

export type FakeHost = {
  /** Both of the host and of its interface. */
  readonly url: string;
  readonly state: HostState;
  readonly newApp: (slug: string) => FakeApp;
  readonly stop: () => Promise<void>;
};

/** Starts a code host on loopback that answers the parts of GitHub's REST interface that are called, and more routes. */
export async function startFakeHost(more: HostRoutes = {}): Promise<FakeHost> {
  const state = emptyHost();
  const server = createServer((request, response) => {
    answer(state, request, more).then(
      (one) => reply(response, one),
      (error) => reply(response, refusalOf(error)),
    );
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    state,
    newApp: (slug) => newApp(state, slug),
    stop: () => closeServer(server),
  };
}

export function newApp(state: HostState, slug: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const id = 100 + state.apps.length;
  const secrets = { client_id: `Iv1.${id}`, client_secret: randomUUID(), webhook_secret: randomUUID() };
  state.apps.push({
    id,
    slug,
    publicKey: createPublicKey(privateKey),
    clientId: secrets.client_id,
    clientSecret: secrets.client_secret,
    webhookSecret: secrets.webhook_secret,
    webhookUrl: null,
  });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
  return { kind: 'github' as const, app_id: String(id), app_slug: slug, private_key: String(pem), ...secrets };
}

async function answer(state: HostState, request: IncomingMessage, more: HostRoutes): Promise<HostAnswer> {
  const { method = 'GET', headers } = request;
  refuseForeign(headers, request.socket.localPort);
  const url = new URL(request.url ?? '/', `http://${headers.host}`);
  return answerOf(state, { method, url, headers, body: await text(request) }, more);
}

function reply(response: ServerResponse, { status, body, headers = {} }: HostAnswer): void {
  const isBytes = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(isBytes ? body : body === undefined ? undefined : JSON.stringify(body));
}

/** The part of GitHub's REST API for creating branches and pull requests. */
const developerRoutes: HostRoutes = {
  'GET /repos/:/:/git/ref/heads/:': (request) =>
    shownBranch(request.params[2] ?? '', reached(request, 'contents', 'read').branches),
  'POST /repos/:/:/git/refs': newBranch,
  'PUT /repos/:/:/contents/*': (request) => putContents(reached(request, 'contents', 'write'), request),
  'POST /repos/:/:/pulls': openPull,
  'GET /repos/:/:/check-runs/:/annotations': (request) =>
    checkRuns.annotations(reached(request, 'checks', 'read'), request.params[2] ?? ''),
};

const Branch = v.object({ ref: v.pipe(v.string(), v.startsWith('refs/heads/')), sha: v.string() });

function newBranch(request: HostRequest): HostAnswer {
  const { branches } = reached(request, 'contents', 'write');
  const { ref, sha } = readBody(Branch, request.body);
  const name = ref.slice('refs/heads/'.length);
  if (branches.has(name)) throw new HostRefusal(422, 'Reference already exists');
  branches.set(name, sha);
  return { ...shownBranch(name, branches), status: 201 };
}

const shownBranch = (name: string, branches: ReadonlyMap<string, string>): HostAnswer =>
  ok({ ref: `refs/heads/${name}`, object: { type: 'commit', sha: required(branches.get(name)) } });

const Opening = v.object({ title: v.string(), head: v.string(), base: v.string() });

function openPull(request: HostRequest): HostAnswer {
  const repository = reached(request, 'pull_requests', 'write');
  const { head: branch, base: ref } = readBody(Opening, request.body);
  const { branches, pulls, owner } = repository;
  const [head, sha] = [branches.get(branch), branches.get(ref)];
  if (head === undefined || sha === undefined) throw new HostRefusal(422, 'Validation Failed');
  const pull: HostPull = { number: pulls.size + 1, state: 'open', head, branch, owner, base: { ref, sha } };
  pulls.set(pull.number, pull);
  const shown = shownPull(repository, pull);
  tellApp(request.state, repository, { action: 'opened', number: pull.number, pull_request: shown });
  return ok(shown, 201);
}

/** A webhook as the host sends it: its headers, and the bytes that its signature is over. */
export function webhookOf(event: string, payload: object, secret: string, delivery: string = randomUUID()) {
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  };
}

/** Sends a webhook about a pull request to the app of a repository, if the app has set a URL. Like the host, does not wait for it. */
function tellApp(state: HostState, repository: HostRepository, payload: object): void {
  const installation = state.installations.find(({ id }) => id === repository.installationId);
  const app = state.apps.find(({ id }) => id === installation?.appId);
  if (!app?.webhookUrl) return;
  const subject = {
    installation: { id: repository.installationId },
    repository: { full_name: `${repository.owner}/${repository.name}` },
  };
  const { headers, body } = webhookOf('pull_request', { ...payload, ...subject }, app.webhookSecret);
  fetch(app.webhookUrl, { method: 'POST', headers, body }).then(
    ({ status }) => state.log.push(`webhook pull_request ${status}`),
    () => state.log.push('webhook pull_request failed'),
  );
}

type Asked = {
  readonly method: string;
  readonly url: URL;
  readonly headers: { readonly authorization?: string | undefined; readonly accept?: string | undefined };
  /** Empty where there is none. */
  readonly body: string;
};

/** What the fake host answers. Throws what `refusalOf` makes an answer of. */
export async function answerOf(
  state: HostState,
  { method, url, headers, body }: Asked,
  more: HostRoutes = {},
): Promise<HostAnswer> {
  state.log.push(`${method} ${url.pathname}`);
  const { limit } = state;
  if (limit !== null && limit.times-- > 0) throw new HostRefusal(limit.status, limit.message, limit.headers);
  for (const [route, serve] of Object.entries({ ...serviceRoutes, ...developerRoutes, ...more })) {
    const [verb, path = ''] = route.split(' ');
    const params = verb === method ? parametersOf(path, url.pathname) : null;
    if (params === null) continue;
    return serve({
      state,
      origin: url.origin,
      authorization: headers.authorization,
      accept: headers.accept ?? '',
      params,
      query: url.searchParams,
      body: body === '' ? null : JSON.parse(body),
    });
  }
  throw notFound();
}

export function refusalOf(error: unknown): HostAnswer {
  if (error instanceof HostRefusal) return error.answer;
  if (error instanceof Refused) return { status: error.statusCode, body: { message: error.message } };
  return { status: 500, body: { message: 'It failed.' } };
}

/** The parameters of a path; null if it is another. */
function parametersOf(template: string, path: string): readonly string[] | null {
  const [target, given] = [template.split('/'), path.split('/')];
  const rest = target.at(-1) === '*' ? given.splice(target.length - 1).join('/') : null;
  const fixed = rest === null ? target : target.slice(0, -1);
  if (fixed.length !== given.length || fixed.some((part, i) => part !== ':' && part !== given[i])) return null;
  return [...given.filter((_, i) => fixed[i] === ':'), ...(rest === null ? [] : [rest])];
}
