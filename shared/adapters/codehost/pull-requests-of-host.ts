import * as v from 'valibot';
import { limits } from '../../contract/limits.ts';
import { lruCache } from '../../domain/base/caching.ts';
import { HostFailure } from '../../domain/codehost/ports.ts';
import type {
  Annotation,
  CheckRun,
  CheckRunChange,
  HeadCommit,
  PullRequestsOfHost,
  RepositoryPlace,
} from '../../domain/codehost/pull-requests/ports.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { zipEntry } from '../zip/zip-entry.ts';
import { asApp } from './apps-of-host.ts';
import { callHost, nullIfMissing, type RestClient, restClient } from './rest-client.ts';

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
export function pullRequestsOfHost(fetch: GuardedFetch): PullRequestsOfHost {
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
    file: (place, path, ref) => nullIfTooLarge(async () => fileOf(await clientOf(place), place, path, ref)),
    artifact: (place, name, commit) =>
      nullIfTooLarge(async () => artifactOf(fetch, await clientOf(place), place, { name, commit })),
    ...checkRunsOfHost(clientOf),
  };
}

const none = new Uint8Array();

/** What is there and is too large to be read is nothing that could be read. */
async function nullIfTooLarge(read: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostFailure && error.reason === 'too_large') return none;
    throw error;
  }
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
    if (found)
      return zipEntry(await download(fetch, rest, place, found.id), 'manifest.json', limits.declared.bodyBytes) ?? none;
  }
  return null;
}

/** The host sends on to its storage, by an address that needs no token and must be given none. */
async function download(
  fetch: GuardedFetch,
  rest: RestClient,
  place: RepositoryPlace,
  artifact_id: number,
): Promise<Uint8Array> {
  const route = 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}';
  const answer = await callHost(() =>
    rest(route, { ...repositoryParameters(place), artifact_id, archive_format: 'zip' }),
  );
  const { location } = answer.headers;
  const stored = location !== undefined && URL.canParse(location) ? await fetch(location) : null;
  if (!stored?.ok) throw new HostFailure('failed');
  return new Uint8Array(await stored.arrayBuffer());
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

async function newToken(fetch: GuardedFetch, { credentials, installation, repository }: RepositoryPlace) {
  const rest = await asApp(fetch, credentials);
  const [, name = ''] = repository.split('/');
  const answer = await callHost(() =>
    rest('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: Number(installation),
      repositories: [name],
    }),
  );
  return v.parse(Token, answer.data);
}

/** The name of the check runs. Branch rules of a host refer to it. */
const checkName = 'Tributary lineage';

const id = v.pipe(v.union([v.number(), v.bigint()]), v.transform(String));
const Run = v.object({
  id,
  external_id: v.nullish(v.string(), ''),
  status: v.string(),
  output: v.object({ annotations_count: v.number() }),
});
const Runs = v.object({ check_runs: v.array(Run) });

type ClientOf = (place: RepositoryPlace) => Promise<RestClient>;
type CheckRunsOfHost = Pick<PullRequestsOfHost, 'checkRun' | 'createCheckRun' | 'updateCheckRun'>;

/** Check runs by GitHub's REST interface: only those of this app, all under one name. */
const checkRunsOfHost = (clientOf: ClientOf): CheckRunsOfHost => ({
  checkRun: async (place, commit) => findCheckRun(await clientOf(place), place, commit),
  createCheckRun: async (place, commit, change) => {
    const rest = await clientOf(place);
    const body = { name: checkName, head_sha: commit, ...bodyOf(change) };
    const answer = await callHost(() =>
      rest('POST /repos/{owner}/{repo}/check-runs', { ...repositoryParameters(place), ...body }),
    );
    return v.parse(v.object({ id }), answer.data).id;
  },
  updateCheckRun: async (place, run, change) => {
    const rest = await clientOf(place);
    const parameters = { ...repositoryParameters(place), check_run_id: Number(run), ...bodyOf(change) };
    await callHost(() => rest('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', parameters));
  },
});

async function findCheckRun(rest: RestClient, place: RepositoryPlace, commit: string): Promise<CheckRun | null> {
  const filter = { ref: commit, check_name: checkName, app_id: Number(place.credentials.appId) };
  const answer = await callHost(() =>
    rest('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', { ...repositoryParameters(place), ...filter }),
  );
  const [run] = v.parse(Runs, answer.data).check_runs;
  if (run === undefined) return null;
  return {
    id: run.id,
    externalId: run.external_id,
    isCompleted: run.status === 'completed',
    annotations: run.output.annotations_count,
  };
}

const bodyOf = ({ externalId, conclusion, title, summary, annotations }: CheckRunChange) => ({
  external_id: externalId,
  ...(conclusion === null ? { status: 'in_progress' as const } : { status: 'completed' as const, conclusion }),
  output: { title, summary, annotations: annotations.map(annotationOf) },
});

const annotationOf = ({ path, line, level, title, message }: Annotation) => ({
  path,
  start_line: line,
  end_line: line,
  annotation_level: level,
  title,
  message,
});

function repositoryParameters({ repository }: RepositoryPlace): {
  readonly owner: string;
  readonly repo: string;
} {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
