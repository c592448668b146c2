import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import * as v from 'valibot';
import { integer } from '../framework.ts';
import { git } from '../git.ts';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options name the pull request; what they omit is read from the environment of CI. */
export type PullRequestOptions = {
  readonly repository?: string;
  readonly commit?: string;
  readonly pullRequest?: number;
};

export const repositoryOption = new Option(
  '--repository <path>',
  'repository of the pull request (default in CI: its own)',
);
export const pullRequestOption = new Option(
  '--pull-request <n>',
  'number of the pull request (default in CI: its own)',
).argParser(integer({ min: 1, max: 2_147_483_647 }));

/** The pull request that CI runs for. */
type CiPullRequest = {
  readonly host: 'github' | 'gitlab';
  /** The base URL of the host's API. */
  readonly api: string;
  readonly repository: string | undefined;
  readonly commit: string | undefined;
  readonly number: number | undefined;
};

const Event = v.object({ pull_request: v.object({ number: v.number(), head: v.object({ sha: v.string() }) }) });
const Iid = v.pipe(v.string(), v.digits(), v.transform(Number));

/** Reads the environment of GitHub Actions or GitLab CI. */
export function ciPullRequest({ env }: Pick<Terminal, 'env'>): CiPullRequest {
  if (env['GITLAB_CI']) {
    const iid = v.safeParse(Iid, env['CI_MERGE_REQUEST_IID']);
    return {
      host: 'gitlab',
      api: env['CI_API_V4_URL'] ?? 'https://gitlab.com/api/v4',
      repository: env['CI_MERGE_REQUEST_PROJECT_PATH'],
      // The pipeline of a merged result runs for a commit that nobody pushed.
      commit: env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'],
      number: iid.success ? iid.output : undefined,
    };
  }
  const event = eventIn(env['GITHUB_EVENT_PATH']);
  return {
    host: 'github',
    api: env['GITHUB_API_URL'] ?? 'https://api.github.com',
    repository: env['GITHUB_REPOSITORY'],
    // `GITHUB_SHA` is a merge that nobody pushed.
    commit: event?.head.sha,
    number: event?.number,
  };
}

function eventIn(file: string | undefined) {
  if (!file) return null;
  try {
    return v.parse(Event, JSON.parse(readFileSync(file, 'utf8'))).pull_request;
  } catch {
    // The event is not one of a pull request: the options have to name it.
    return null;
  }
}

/** The pull request to send a manifest for. Throws UsageError. */
export function placeOf(terminal: Terminal, folder: string, options: PullRequestOptions) {
  const ci = ciPullRequest(terminal);
  return {
    repository: required('--repository', options.repository ?? ci.repository),
    commit_sha: required('--commit', options.commit ?? ci.commit ?? commitOf(terminal, folder)),
    pull_request: required('--pull-request', options.pullRequest ?? ci.number),
  };
}

export function required<T>(option: string, value: T | null | undefined): T {
  if (value !== null && value !== undefined) return value;
  throw new UsageError(`The pull request is not known: ${option} is missing.`);
}

/** The commit that CI reports, or else the one checked out in the folder; null without a repository. */
function commitOf({ env }: Terminal, folder: string): string | null {
  const variables = [
    'GITHUB_SHA',
    'CI_COMMIT_SHA',
    'BUILDKITE_COMMIT',
    'CIRCLE_SHA1',
    'BITBUCKET_COMMIT',
    'GIT_COMMIT',
  ];
  const commit = variables.map((name) => env[name]).find((value) => value) ?? git(folder, ['rev-parse', 'HEAD']);
  return commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? commit : null;
}
