import * as v from 'valibot';
import { HostRefusal, ok, readBody, required, shownInstallation, shownPull } from './answers.ts';
import { appOf, installationOf, newToken, tokenMs, tokenOf } from './authentication.ts';
import { checkRuns } from './check-runs.ts';
import { contentsOf } from './contents.ts';
import { type HostRequest, type HostRoutes, ownInstallation, reached } from './request.ts';
import type { HostNote } from './state.ts';

const Comment = v.object({ body: v.pipe(v.string(), v.nonEmpty(), v.maxLength(65_536)) });
const shownComment = ({ id, body, author }: HostNote) => ({
  id,
  body,
  user: { login: author.login },
  html_url: `https://codehost.test/comments/${id}`,
});

/** A person, or what acts for a workflow. */
function commenter({ state, authorization }: HostRequest): HostNote['author'] {
  const { installationId } = tokenOf(state, authorization);
  return installationId === null ? { id: 1, login: 'developer' } : { id: 2, login: 'github-actions[bot]' };
}

/** The repository whose checks a request writes, and the app that it comes from. */
const writtenBy = (request: HostRequest) =>
  [reached(request, 'checks', 'write'), installationOf(request.state, request.authorization).appId] as const;

/** The part of GitHub's REST interface that the service and the command line call. */
export const serviceRoutes: HostRoutes = {
  'GET /app': async ({ state, authorization }) => {
    const { id, slug } = await appOf(state, authorization);
    return ok({ id, slug, name: slug, html_url: `https://codehost.test/apps/${slug}` });
  },
  'GET /app/installations/:': async (request) => ok(shownInstallation(await ownInstallation(request))),
  'POST /app/installations/:/access_tokens': async (request) => {
    const { id, permissions, suspendedAt } = await ownInstallation(request);
    if (suspendedAt !== null) throw new HostRefusal(403, 'This installation has been suspended');
    const token = newToken(request.state, { installationId: id, sees: [] });
    return ok({ token, expires_at: new Date(Date.now() + tokenMs).toISOString(), permissions }, 201);
  },
  'POST /login/oauth/access_token': ({ state, body }) => {
    const { client_id, client_secret, code } = body as Record<string, string>;
    const app = state.apps.find(
      ({ clientId, clientSecret }) => clientId === client_id && clientSecret === client_secret,
    );
    const sees = state.codes.get(code ?? '');
    state.codes.delete(code ?? '');
    if (!app || !sees) return ok({ error: 'bad_verification_code' });
    return ok({ access_token: newToken(state, { installationId: null, sees }), token_type: 'bearer' });
  },
  'GET /user/installations': ({ state, authorization }) => {
    const { sees } = tokenOf(state, authorization);
    const installations = state.installations.filter(({ id }) => sees.includes(id)).map(shownInstallation);
    return ok({ total_count: installations.length, installations });
  },
  'GET /user': (request) => {
    const { id, login } = commenter(request);
    if (id === 2) throw new HostRefusal(403, 'Resource not accessible by integration');
    return ok({ id, login });
  },
  'GET /repos/:/:/issues/:/comments': (request) => {
    const repository = reached(request, 'pull_requests', 'read');
    const number = Number(request.params[2]);
    const [size, page] = [Number(request.query.get('per_page') ?? 30), Number(request.query.get('page') ?? 1)];
    const found = request.state.notes.filter((one) => one.repository === repository && one.number === number);
    return ok(found.slice((page - 1) * size, page * size).map(shownComment));
  },
  'POST /repos/:/:/issues/:/comments': (request) => {
    const [repository, { notes }] = [reached(request, 'pull_requests', 'write'), request.state];
    const { number } = required(repository.pulls.get(Number(request.params[2])));
    const { body } = readBody(Comment, request.body);
    notes.push({ id: 1 + notes.length, repository, number, body, author: commenter(request) });
    return ok(shownComment(required(notes.at(-1))), 201);
  },
  'PATCH /repos/:/:/issues/comments/:': (request) => {
    const repository = reached(request, 'pull_requests', 'write');
    const isIt = (one: HostNote) => one.repository === repository && String(one.id) === request.params[2];
    const note = required(request.state.notes.find(isIt));
    note.body = readBody(Comment, request.body).body;
    return ok(shownComment(note));
  },
  'GET /repos/:/:/pulls/:': (request) => {
    const repository = reached(request, 'pull_requests', 'read');
    return ok(shownPull(repository, required(repository.pulls.get(Number(request.params[2])))));
  },
  'GET /repos/:/:/pulls': (request) => {
    const repository = reached(request, 'pull_requests', 'read');
    const [state, head] = [request.query.get('state') ?? 'open', request.query.get('head')];
    const found = [...repository.pulls.values()].filter(
      (pull) => pull.state === state && (head === null || head === `${pull.owner}:${pull.branch}`),
    );
    return ok(found.slice(0, Number(request.query.get('per_page') ?? 30)).map((pull) => shownPull(repository, pull)));
  },
  'GET /repos/:/:/contents/*': (request) => contentsOf(reached(request, 'contents', 'read'), request),
  'GET /repos/:/:/commits/:/check-runs': (request) =>
    checkRuns.list(reached(request, 'checks', 'read'), request.params[2] ?? '', request.query),
  'POST /repos/:/:/check-runs': (request) => checkRuns.create(...writtenBy(request), request.body),
  'PATCH /repos/:/:/check-runs/:': (request) =>
    checkRuns.update(...writtenBy(request), request.params[2] ?? '', request.body),
  'GET /repos/:/:/actions/runs': (request) => {
    const { artifacts } = reached(request, 'actions', 'read');
    const ids = new Set(
      artifacts.filter(({ headSha }) => headSha === request.query.get('head_sha')).map(({ runId }) => runId),
    );
    return ok({ total_count: ids.size, workflow_runs: [...ids].toSorted((a, b) => b - a).map((id) => ({ id })) });
  },
  'GET /repos/:/:/actions/runs/:/artifacts': (request) => {
    const { artifacts } = reached(request, 'actions', 'read');
    const name = request.query.get('name');
    const found = artifacts.filter(
      (one) => String(one.runId) === request.params[2] && (name === null || one.name === name),
    );
    return ok({
      total_count: found.length,
      artifacts: found.map(({ id, name: called, expired, zip }) => ({
        id,
        name: called,
        expired,
        size_in_bytes: zip.length,
      })),
    });
  },
  'GET /repos/:/:/actions/artifacts/:/zip': (request) => {
    const { artifacts } = reached(request, 'actions', 'read');
    const { id } = required(artifacts.find((one) => String(one.id) === request.params[2]));
    return { status: 302, headers: { location: `${request.origin}/storage/${id}?signature=held` } };
  },
  // Storage is another host's: who comes with a token has sent it too far.
  'GET /storage/:': ({ state, params, authorization }) => {
    if (authorization !== undefined) throw new HostRefusal(400, 'A token was sent to the storage.');
    const { zip } = required(
      state.repositories.flatMap(({ artifacts }) => artifacts).find(({ id }) => String(id) === params[0]),
    );
    return { status: 200, body: Buffer.from(zip), headers: { 'content-type': 'application/zip' } };
  },
};
