import * as v from 'valibot';
import { limits } from '../../contract/limits.ts';
import { HostFailure } from '../../domain/codehost/host-failure.ts';
import type { HeadCommit, PullRequestsOfHost, RepositoryPlace } from '../../domain/codehost/pull-requests/ports.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { zipEntry } from '../zip/zip-entry.ts';
import { checkRunsOfHost } from './check-runs.ts';
import { installationClients } from './installation-tokens.ts';
import { repositoryParameters } from './repository-parameters.ts';
import { asked, foundOr, type RestClient } from './rest-client.ts';

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
      const found = await foundOr(() =>
        rest('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...repositoryParameters(place), pull_number: number }),
      );
      return found && pullOf(found.data);
    },
    ofCommit: async (place, commit) => pullsOf(await clientOf(place), place, commit),
    file: (place, path, ref) => unlessTooLarge(async () => fileOf(await clientOf(place), place, path, ref)),
    artifact: (place, name, commit) =>
      unlessTooLarge(async () => artifactOf(fetch, await clientOf(place), place, { name, commit })),
    ...checkRunsOfHost(clientOf),
  };
}

const none = new Uint8Array();

/** What is there and is too large to be read is nothing that could be read. */
async function unlessTooLarge(read: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
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
    const answer = await asked(() =>
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
  const found = await foundOr(() =>
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
  const runs = await asked(() => rest('GET /repos/{owner}/{repo}/actions/runs', filter));
  for (const { id: run_id } of v.parse(v.object({ workflow_runs: v.array(v.object({ id: v.number() })) }), runs.data)
    .workflow_runs) {
    const listed = await asked(() =>
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
  const answer = await asked(() => rest(route, { ...repositoryParameters(place), artifact_id, archive_format: 'zip' }));
  const { location } = answer.headers;
  const stored = location !== undefined && URL.canParse(location) ? await fetch(location) : null;
  if (!stored?.ok) throw new HostFailure('failed');
  return new Uint8Array(await stored.arrayBuffer());
}
