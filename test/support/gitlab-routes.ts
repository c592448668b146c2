import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type HostAnswer, HostRefusal, notFound, ok, readBody, required } from '../../local/codehost/answers.ts';
import { fileAt } from '../../local/codehost/contents.ts';
import type { HostRequest, HostRoutes } from '../../local/codehost/request.ts';
import type { HostPull, HostRepository, HostState, HostUser } from '../../local/codehost/state.ts';

/** A user with an access token: what an app is at GitLab. */
export type FakeToken = {
  readonly kind: 'gitlab';
  readonly app_id: string;
  readonly app_slug: string;
  readonly private_key: string;
  readonly webhook_secret: string;
};

export function newUser({ users }: HostState, username: string): FakeToken {
  const id = 700 + users.length;
  const token = `glpat-${randomBytes(12).toString('hex')}`;
  users.push({ id, username, token, scopes: ['api'], installationIds: [] });
  return { kind: 'gitlab', app_id: String(id), app_slug: username, private_key: token, webhook_secret: randomUUID() };
}

/** A webhook as GitLab sends it: with the token, or signed if the secret is a signing token. */
export function gitLabWebhookOf(event: string, payload: object, secret: string, id: string = randomUUID()) {
  const body = JSON.stringify(payload);
  const at = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-gitlab-event': event,
      'x-gitlab-event-uuid': randomUUID(),
      'idempotency-key': id,
      ...(secret.startsWith('whsec_')
        ? { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` }
        : { 'x-gitlab-token': secret }),
    },
  };
}

function userOf({ state, authorization }: HostRequest, needsWrite = false): HostUser {
  const user = state.users.find(({ token }) => authorization === `Bearer ${token}`);
  if (!user) throw new HostRefusal(401, '401 Unauthorized');
  if (!user.scopes.includes('api') && (needsWrite || !user.scopes.includes('read_api')))
    throw new HostRefusal(403, 'insufficient_scope');
  return user;
}

function projectOf(request: HostRequest, needsWrite = false): HostRepository {
  const { installationIds } = userOf(request, needsWrite);
  const path = decodeURIComponent(request.params[0] ?? '');
  const reached = request.state.repositories.filter((one) => installationIds.includes(one.installationId));
  return required(reached.find(({ owner, name }) => `${owner}/${name}` === path));
}

const mergeRequestOf = (request: HostRequest, needsWrite = false): HostPull =>
  required(projectOf(request, needsWrite).pulls.get(Number(request.params[1])));

const shown = ({ number, state, head, base }: HostPull) => ({
  iid: number,
  state: state === 'open' ? 'opened' : 'closed',
  sha: head,
  target_branch: base.ref,
  web_url: `https://codehost.test/-/merge_requests/${number}`,
});

const Note = v.object({ body: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000_000)) });

const isCommand = (line: string): boolean => line.trimStart().startsWith('/');

/** A line that begins with a slash is a command to GitLab, and no text. */
function noteText({ state, body }: HostRequest): string {
  const lines = readBody(Note, body).body.split('\n');
  state.log.push(...lines.filter(isCommand).map((line) => `quick action ${line}`));
  return lines.filter((line) => !isCommand(line)).join('\n');
}

function notesOf(request: HostRequest) {
  const [{ pulls }, number] = [projectOf(request), Number(request.params[1])];
  required(pulls.get(number));
  const repository = projectOf(request);
  return request.state.notes.filter((one) => one.repository === repository && one.number === number);
}

const withoutPlace = ({ id, body, author }: HostState['notes'][number]) => ({ id, body, author });

const Status = v.object({
  state: v.picklist(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
  name: v.string(),
  description: v.optional(v.pipe(v.string(), v.maxLength(255))),
  target_url: v.optional(v.string()),
});

/** A status that has ended is never changed: another one of its name replaces it. */
function addStatus(request: HostRequest): HostAnswer {
  const repository = projectOf(request, true);
  const { state: status, name, description = null, target_url = null } = readBody(Status, request.body);
  const sha = request.params[1] ?? '';
  const { statuses } = request.state;
  const open = statuses.findIndex(
    (one) => one.repository === repository && one.sha === sha && ['pending', 'running'].includes(one.status),
  );
  if (open >= 0) statuses.splice(open, 1);
  const added = { id: 1 + (statuses.at(-1)?.id ?? 0), repository, sha, status, name, description, target_url };
  statuses.push(added);
  return ok({ ...added, repository: undefined }, 201);
}

const page = <T>({ query }: HostRequest, all: readonly T[]): HostAnswer => {
  const [size, number] = [Number(query.get('per_page') ?? 20), Number(query.get('page') ?? 1)];
  return ok(all.slice((number - 1) * size, number * size));
};

/** The part of GitLab's REST interface (version 4) that the service and the command line call. */
export const gitLabRoutes: HostRoutes = {
  'GET /api/v4/user': (request) => {
    const { id, username } = userOf(request);
    return ok({ id, username });
  },
  'GET /api/v4/personal_access_tokens/self': (request) => ok({ active: true, scopes: userOf(request).scopes }),
  'GET /api/v4/groups/:': (request) => {
    const { installationIds } = userOf(request);
    const own = request.state.installations.filter(({ id }) => installationIds.includes(id));
    const { id, account } = required(own.find((one) => String(one.id) === request.params[0]));
    return ok({ id, full_path: account.login, web_url: `https://codehost.test/groups/${account.login}` });
  },
  'GET /api/v4/projects/:/merge_requests/:': (request) => ok(shown(mergeRequestOf(request))),
  'GET /api/v4/projects/:/repository/commits/:/merge_requests': (request) => {
    const pulls = [...projectOf(request).pulls.values()];
    return page(request, pulls.filter(({ head }) => head === request.params[1]).map(shown));
  },
  'GET /api/v4/projects/:/repository/files/:/raw': (request) => {
    const path = decodeURIComponent(request.params[1] ?? '');
    const content = fileAt(projectOf(request), request.query.get('ref') ?? 'main', path);
    if (content === undefined) throw notFound();
    // Whatever its type is: the service must not depend on it.
    return { status: 200, body: Buffer.from(content), headers: { 'content-type': 'application/json' } };
  },
  'GET /api/v4/projects/:/pipelines': (request) => {
    const found = projectOf(request).artifacts.filter(({ headSha }) => headSha === request.query.get('sha'));
    const ids = new Set(found.map(({ runId }) => runId));
    return page(
      request,
      [...ids].toSorted((a, b) => b - a).map((id) => ({ id })),
    );
  },
  'GET /api/v4/projects/:/pipelines/:/jobs': (request) => {
    const found = projectOf(request).artifacts.filter(({ runId }) => String(runId) === request.params[1]);
    const jobs = found.map(({ id, name, expired }) => ({
      id,
      ...(!expired && { artifacts_file: { filename: `${name}.zip` } }),
    }));
    return page(request, [{ id: 1 }, ...jobs]);
  },
  'GET /api/v4/projects/:/jobs/:/artifacts': (request) => {
    const { id } = required(projectOf(request).artifacts.find((one) => String(one.id) === request.params[1]));
    return { status: 302, headers: { location: `${request.origin}/storage/${id}?signature=held` } };
  },
  'GET /api/v4/projects/:/merge_requests/:/notes': (request) => page(request, notesOf(request).map(withoutPlace)),
  'POST /api/v4/projects/:/merge_requests/:/notes': (request) => {
    const { id: author, username: login } = userOf(request, true);
    const { number } = mergeRequestOf(request, true);
    const { notes } = request.state;
    const id = 1 + notes.length;
    const note = { id, repository: projectOf(request), number, body: noteText(request), author: { id: author, login } };
    notes.push(note);
    return ok(withoutPlace(note), 201);
  },
  'PUT /api/v4/projects/:/merge_requests/:/notes/:': (request) => {
    const { id: author } = userOf(request, true);
    const note = required(notesOf(request).find(({ id }) => String(id) === request.params[2]));
    if (note.author.id !== author) throw new HostRefusal(403, '403 Forbidden');
    note.body = noteText(request);
    return ok(withoutPlace(note));
  },
  'GET /api/v4/projects/:/repository/commits/:/statuses': (request) => {
    const repository = projectOf(request);
    const name = request.query.get('name');
    const found = request.state.statuses.filter(
      (one) => one.repository === repository && one.sha === request.params[1] && (name === null || one.name === name),
    );
    return page(
      request,
      found.slice(-1).map((one) => ({ ...one, repository: undefined })),
    );
  },
  'POST /api/v4/projects/:/statuses/:': addStatus,
  'GET /api/v4/projects/:': (request) => {
    const { owner, name } = projectById(request);
    return ok({
      id: Number(request.params[0]),
      path_with_namespace: `${owner}/${name}`,
      web_url: `https://codehost.test/${owner}/${name}`,
    });
  },
};

/** By its number, which is its place in the host's list. */
function projectById(request: HostRequest): HostRepository {
  const { installationIds } = userOf(request);
  const found = required(request.state.repositories[Number(request.params[0]) - 1]);
  if (!installationIds.includes(found.installationId)) throw notFound();
  return found;
}
