import * as v from 'valibot';
import { limits } from '../../contract/limits.ts';
import { lruCache } from '../../domain/base/caching.ts';
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
import { asApp } from './github-app.ts';
import { callHost, download, noneIfTooLarge, nullIfMissing, type RestClient, restClient } from './rest-client.ts';

const runsLookedAt = 20;
const pulls = { perPage: 100, pages: 5 };

const Pull = v.object({
  number: v.number(),
  state: v.string(),
  head: v.object({ sha: v.string() }),
  base: v.object({ ref: v.string() }),
});
const Artifacts = v.object({
  artifacts: v.array(v.object({ id: v.number(), expired: v.optional(v.boolean(), false) })),
});

/** Pull requests, files, artifacts and check runs by GitHub's REST interface, as an installation of an app. */
export function gitHubPullRequests(fetch: GuardedFetch): PullRequestsOfHost {
  const clientOf = installationClients(fetch);
  return {
    find: async (place, number) => {
      const rest = await clientOf(place);
      const found = await nullIfMissing(() =>
        rest('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...repositoryParameters(place), pull_number: number }),
      );
      return found && pullOf(found.data);
    },
    ofCommit: async (place, commit) => pullsOf(await clientOf(place), place, commit),
    file: (place, path, ref) => noneIfTooLarge(async () => fileOf(await clientOf(place), place, path, ref)),
    artifact: (place, name, commit) =>
      noneIfTooLarge(async () => artifactOf(fetch, await clientOf(place), place, { name, commit })),
    publish: async (place, { head }, report) => publishReport(await clientOf(place), place, head, report),
  };
}

/** The host knows no pull request by the commit of a fork: those that are open are looked through, the newest first. */
async function pullsOf(
  rest: RestClient,
  place: RepositoryPlace,
  { sha, branch }: HeadCommit,
): Promise<readonly number[]> {
  const newest = { state: 'open', sort: 'updated', direction: 'desc', per_page: pulls.perPage } as const;
  for (let page = 1; page <= pulls.pages; page++) {
    const filter = { ...newest, page, ...(branch !== null && { head: branch }) };
    const answer = await callHost(() =>
      rest('GET /repos/{owner}/{repo}/pulls', { ...repositoryParameters(place), ...filter }),
    );
    const listed = v.parse(v.array(Pull), answer.data);
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

async function fileOf(rest: RestClient, place: RepositoryPlace, path: string, ref: string): Promise<Uint8Array | null> {
  const found = await nullIfMissing(() =>
    rest('GET /repos/{owner}/{repo}/contents/{path}', { ...repositoryParameters(place), path, ref, ...raw }),
  );
  // Raw contents come as text, which the types of the interface do not say.
  const data: unknown = found?.data;
  if (typeof data === 'string') return Buffer.from(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : null;
}

async function artifactOf(
  fetch: GuardedFetch,
  rest: RestClient,
  place: RepositoryPlace,
  { name, commit }: { readonly name: string; readonly commit: string },
): Promise<Uint8Array | null> {
  const filter = { ...repositoryParameters(place), head_sha: commit, per_page: runsLookedAt };
  const runs = await callHost(() => rest('GET /repos/{owner}/{repo}/actions/runs', filter));
  for (const { id: run_id } of v.parse(v.object({ workflow_runs: v.array(v.object({ id: v.number() })) }), runs.data)
    .workflow_runs) {
    const listed = await callHost(() =>
      rest('GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts', {
        ...repositoryParameters(place),
        run_id,
        name,
      }),
    );
    const found = v.parse(Artifacts, listed.data).artifacts.find(({ expired }) => !expired);
    if (!found) continue;
    const route = 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}';
    const archive = { ...repositoryParameters(place), artifact_id: found.id, archive_format: 'zip' };
    const zip = await download(fetch, () => rest(route, archive));
    return zipEntry(zip, 'manifest.json', limits.declared.bodyBytes) ?? new Uint8Array();
  }
  return null;
}

const Token = v.object({ token: v.string(), expires_at: v.string() });

/** A token is not used in the minutes before its end. */
const reserveMs = 5 * 60_000;

/** Asks a host as an installation of an app, of its one repository; tokens are remembered only in this process. */
function installationClients(fetch: GuardedFetch): (place: RepositoryPlace) => Promise<RestClient> {
  const tokens = lruCache<string, string>(500);
  return async (place) => {
    const { credentials, installation, repository } = place;
    const key = JSON.stringify([credentials.apiBaseUrl, credentials.appId, installation, repository]);
    const known = tokens.get(key) ?? (await newToken(fetch, place));
    const { token, expires_at } = typeof known === 'string' ? { token: known, expires_at: null } : known;
    if (expires_at !== null)
      tokens.set(key, token, { ttl: Math.max(1, Date.parse(expires_at) - Date.now() - reserveMs) });
    return restClient(fetch, credentials.apiBaseUrl, `token ${token}`);
  };
}

async function newToken(fetch: GuardedFetch, place: RepositoryPlace) {
  const { credentials, installation } = place;
  const rest = await asApp(fetch, credentials);
  const answer = await callHost(() =>
    rest('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: Number(installation),
      repositories: [repositoryParameters(place).repo],
    }),
  );
  return v.parse(Token, answer.data);
}

const id = v.pipe(v.union([v.number(), v.bigint()]), v.transform(String));
const Run = v.object({
  id,
  external_id: v.nullish(v.string(), ''),
  status: v.string(),
  output: v.object({ annotations_count: v.number() }),
});
const Runs = v.object({ check_runs: v.array(Run) });

const { perRequest } = limits.codehost.annotations;

/**
 * Shows the report as the commit's check run. A run is updated in place, but the host never removes annotations: if the
 * run has those of another report, a new run of the same name replaces it. An interrupted run is continued, because the
 * annotations come in the same order.
 */
async function publishReport(
  rest: RestClient,
  place: RepositoryPlace,
  commit: string,
  report: CheckReport,
): Promise<void> {
  const externalId = `tributary:${report.digest}`;
  const run = await findCheckRun(rest, place, commit);
  const isSame = run?.external_id === externalId;
  if (isSame && run.status === 'completed') return;
  const annotated = run?.output.annotations_count ?? 0;
  const continued = run !== null && (isSame || annotated === 0) ? run : null;
  const parts = partsOf(report.annotations.slice(continued === null ? 0 : annotated));
  let check_run_id = continued && Number(continued.id);
  for (const [i, part] of parts.entries()) {
    const body = { ...repositoryParameters(place), ...bodyOf(externalId, report, part, i === parts.length - 1) };
    if (check_run_id === null) {
      const made = { name: checkName, head_sha: commit, ...body };
      const answer = await callHost(() => rest('POST /repos/{owner}/{repo}/check-runs', made));
      check_run_id = Number(v.parse(v.object({ id }), answer.data).id);
    } else {
      const changed = { check_run_id, ...body };
      await callHost(() => rest('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', changed));
    }
  }
}

/** The newest of the app at the commit. */
async function findCheckRun(rest: RestClient, place: RepositoryPlace, commit: string) {
  const filter = { ref: commit, check_name: checkName, app_id: Number(place.credentials.appId) };
  const answer = await callHost(() =>
    rest('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', { ...repositoryParameters(place), ...filter }),
  );
  return v.parse(Runs, answer.data).check_runs[0] ?? null;
}

/** At least one part: the last one completes the run. */
function partsOf(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const parts = Array.from({ length: Math.ceil(annotations.length / perRequest) }, (_, i) =>
    annotations.slice(i * perRequest, (i + 1) * perRequest),
  );
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
function repositoryParameters({ repository }: RepositoryPlace): {
  readonly owner: string;
  readonly repo: string;
} {
  const [owner = '', ...rest] = repository.split('/');
  return { owner, repo: rest.join('/') };
}
