import * as v from 'valibot';
import { limits } from '../../contract/limits.ts';
import { lruCache } from '../../domain/base/caching.ts';
import { chunksOf } from '../../domain/base/collections.ts';
import {
  type Annotation,
  type CheckReport,
  checkName,
  type HeadCommit,
  type PullRequestsOfHost,
  type RepositoryPlace,
} from '../../domain/codehost/code-host.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { zipEntry } from '../zip/zip-entry.ts';
import { asApp, HostId } from './github-app.ts';
import { callData, download, findData, noneIfTooLarge, type RestClient, restClient } from './rest-client.ts';

const runsLookedAt = 20;
const pulls = { perPage: 100, pages: 5 };

const Pull = v.object({
  number: v.number(),
  state: v.string(),
  head: v.object({ sha: v.string() }),
  base: v.object({ ref: v.string() }),
});
const WorkflowRuns = v.object({ workflow_runs: v.array(v.object({ id: v.number() })) });
const Artifacts = v.object({
  artifacts: v.array(v.object({ id: v.number(), expired: v.optional(v.boolean(), false) })),
});

/** Pull requests, files, artifacts and check runs by GitHub's REST interface, as an installation of an app. */
export function gitHubPullRequests(fetch: GuardedFetch): PullRequestsOfHost {
  const clientOf = repositoryClients(fetch);
  return {
    find: async (place, pull_number) => {
      const rest = await clientOf(place);
      const found = await findData(rest, 'GET /repos/{owner}/{repo}/pulls/{pull_number}', { pull_number });
      return found === null ? null : pullOf(found);
    },
    ofCommit: async (place, commit) => pullsOf(await clientOf(place), commit),
    file: (place, path, ref) => noneIfTooLarge(async () => fileOf(await clientOf(place), path, ref)),
    artifact: (place, name, commit) =>
      noneIfTooLarge(async () => artifactOf(fetch, await clientOf(place), { name, commit })),
    publish: async (place, { head }, report) => publishReport(await clientOf(place), { ...place, head }, report),
  };
}

/** The host knows no pull request by the commit of a fork: those that are open are looked through, the newest first. */
async function pullsOf(rest: RestClient, { sha, branch }: HeadCommit): Promise<readonly number[]> {
  const newest = { state: 'open', sort: 'updated', direction: 'desc', per_page: pulls.perPage } as const;
  for (let page = 1; page <= pulls.pages; page++) {
    const filter = { ...newest, page, ...(branch !== null && { head: branch }) };
    const listed = v.parse(v.array(Pull), await callData(rest, 'GET /repos/{owner}/{repo}/pulls', filter));
    const found = listed.filter(({ head }) => head.sha === sha).map(({ number }) => number);
    if (found.length > 0 || listed.length < pulls.perPage) return found;
  }
  return [];
}

function pullOf(data: unknown) {
  const { number, state, head, base } = v.parse(Pull, data);
  return { number, isOpen: state === 'open', head: head.sha, base: base.ref };
}

const raw = { headers: { accept: 'application/vnd.github.raw+json' } };

async function fileOf(rest: RestClient, path: string, ref: string): Promise<Uint8Array | null> {
  const data = await findData(rest, 'GET /repos/{owner}/{repo}/contents/{path}', { path, ref, ...raw });
  if (typeof data === 'string') return Buffer.from(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : null;
}

async function artifactOf(
  fetch: GuardedFetch,
  rest: RestClient,
  { name, commit }: { readonly name: string; readonly commit: string },
): Promise<Uint8Array | null> {
  const runs = '/repos/{owner}/{repo}/actions/runs';
  const filter = { head_sha: commit, per_page: runsLookedAt };
  for (const { id: run_id } of v.parse(WorkflowRuns, await callData(rest, `GET ${runs}`, filter)).workflow_runs) {
    const listed = await callData(rest, `GET ${runs}/{run_id}/artifacts`, { run_id, name });
    const found = v.parse(Artifacts, listed).artifacts.find(({ expired }) => !expired);
    if (!found) continue;
    const route = 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip';
    const zip = await download(fetch, () => rest(route, { artifact_id: found.id }));
    return zipEntry(zip, 'manifest.json', limits.declared.bodyBytes) ?? new Uint8Array();
  }
  return null;
}

const Token = v.object({ token: v.string(), expires_at: v.string() });

/** A token is not used in the minutes before its end. */
const reserveMs = 5 * 60_000;

/** Asks a host about one repository as an installation of an app; tokens are remembered only in this process. */
function repositoryClients(fetch: GuardedFetch): (place: RepositoryPlace) => Promise<RestClient> {
  const tokens = lruCache<string, string>(500);
  return async (place) => {
    const { credentials, installation, repository } = place;
    const key = JSON.stringify([credentials.apiBaseUrl, credentials.appId, installation, repository]);
    const known = tokens.get(key) ?? (await newToken(fetch, place));
    const { token, expires_at } = typeof known === 'string' ? { token: known, expires_at: null } : known;
    if (expires_at !== null)
      tokens.set(key, token, { ttl: Math.max(1, Date.parse(expires_at) - Date.now() - reserveMs) });
    return restClient(fetch, credentials.apiBaseUrl, `token ${token}`).defaults(repositoryParameters(place));
  };
}

async function newToken(fetch: GuardedFetch, place: RepositoryPlace) {
  const { credentials, installation } = place;
  const route = 'POST /app/installations/{installation_id}/access_tokens';
  const parameters = { installation_id: Number(installation), repositories: [repositoryParameters(place).repo] };
  return v.parse(Token, await callData(await asApp(fetch, credentials), route, parameters));
}

const Run = v.object({
  id: HostId,
  external_id: v.nullish(v.string(), ''),
  status: v.string(),
  output: v.object({ annotations_count: v.number() }),
});
const Runs = v.object({ check_runs: v.array(Run) });

const { perRequest } = limits.codehost.annotations;

type HeadPlace = RepositoryPlace & { readonly head: string };

/**
 * Shows the report as the commit's check run. A run is updated in place, but the host never removes annotations: if the
 * run has those of another report, a new run of the same name replaces it. An interrupted run is continued, because the
 * annotations come in the same order.
 */
async function publishReport(rest: RestClient, place: HeadPlace, report: CheckReport): Promise<void> {
  const externalId = `tributary:${report.digest}`;
  const run = await findCheckRun(rest, place);
  const isSame = run?.external_id === externalId;
  if (isSame && run.status === 'completed') return;
  const annotated = run?.output.annotations_count ?? 0;
  const continued = run !== null && (isSame || annotated === 0) ? run : null;
  const parts = partsOf(report.annotations.slice(continued === null ? 0 : annotated));
  let check_run_id = continued && Number(continued.id);
  for (const [i, part] of parts.entries()) {
    const body = bodyOf(externalId, report, part, i === parts.length - 1);
    if (check_run_id === null) {
      const made = { name: checkName, head_sha: place.head, ...body };
      const created = await callData(rest, 'POST /repos/{owner}/{repo}/check-runs', made);
      check_run_id = Number(v.parse(v.object({ id: HostId }), created).id);
    } else await callData(rest, 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', { check_run_id, ...body });
  }
}

/** The newest of the app at the commit. */
async function findCheckRun(rest: RestClient, { credentials, head: ref }: HeadPlace) {
  const filter = { ref, check_name: checkName, app_id: Number(credentials.appId) };
  const found = await callData(rest, 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs', filter);
  return v.parse(Runs, found).check_runs[0] ?? null;
}

/** At least one part: the last one completes the run. */
function partsOf(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const parts = chunksOf(annotations, perRequest);
  return parts.length > 0 ? parts : [[]];
}

const bodyOf = (
  external_id: string,
  { conclusion, title, summary }: CheckReport,
  part: readonly Annotation[],
  isLast: boolean,
) => ({
  external_id,
  ...(isLast ? { status: 'completed' as const, conclusion } : { status: 'in_progress' as const }),
  output: { title, summary, annotations: part.map(annotationOf) },
});

const annotationOf = ({ path, line, level, title, message }: Annotation) => ({
  path,
  start_line: line,
  end_line: line,
  annotation_level: level,
  title,
  message,
});

/** A longer path is no repository of this host, which it says itself. */
function repositoryParameters({ repository }: RepositoryPlace) {
  const [owner = '', ...rest] = repository.split('/');
  return { owner, repo: rest.join('/') };
}
