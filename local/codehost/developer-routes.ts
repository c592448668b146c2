import * as v from 'valibot';
import { type HostAnswer, HostRefusal, ok, required } from './answers.ts';
import { checkRuns } from './check-runs.ts';
import { putContents } from './contents.ts';
import { readBody } from './read-body.ts';
import { type HostRequest, type HostRoute, reached } from './request.ts';
import { shownPull } from './shown.ts';
import type { HostPull } from './state.ts';
import { tellApp } from './webhooks.ts';

/** The part of GitHub's REST interface by which a developer makes a branch and opens a pull request. */
export const developerRoutes: readonly HostRoute[] = [
  [
    'GET',
    '/repos/:/:/git/ref/heads/:',
    (request) => shownBranch(request.params[2] ?? '', reached(request, 'contents', 'read').branches),
  ],
  ['POST', '/repos/:/:/git/refs', newBranch],
  ['PUT', '/repos/:/:/contents/*', (request) => putContents(reached(request, 'contents', 'write'), request)],
  ['POST', '/repos/:/:/pulls', openPull],
  [
    'GET',
    '/repos/:/:/check-runs/:/annotations',
    (request) => checkRuns.annotations(reached(request, 'checks', 'read'), request.params[2] ?? ''),
  ],
];

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

/** Opens a pull request, and tells the app of it. */
function openPull(request: HostRequest): HostAnswer {
  const repository = reached(request, 'pull_requests', 'write');
  const { head: branch, base: ref } = readBody(Opening, request.body);
  const { branches, pulls, owner } = repository;
  const [head, sha] = [branches.get(branch), branches.get(ref)];
  if (head === undefined || sha === undefined) throw new HostRefusal(422, 'Validation Failed');
  const pull: HostPull = { number: pulls.size + 1, state: 'open', head, branch, owner, base: { ref, sha } };
  pulls.set(pull.number, pull);
  const shown = shownPull(repository, pull);
  tellApp(request.state, repository, 'pull_request', { action: 'opened', number: pull.number, pull_request: shown });
  return ok(shown, 201);
}
