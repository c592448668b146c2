import * as v from 'valibot';
import type { HeadCommit } from '../pull-requests/ports.ts';

/** What a webhook asks to be looked at; the host says itself how things are by then. */
export type HostEvent = {
  readonly installationId: string | null;
  /** The installation itself is what changed. */
  readonly isOfInstallation: boolean;
  readonly repository: string | null;
  /** Pull requests to check. */
  readonly pullRequests: readonly number[];
  /** Or those whose head is this commit. */
  readonly commit: HeadCommit | null;
};

const id = v.pipe(v.union([v.number(), v.string()]), v.transform(String));
const pulls = v.optional(v.array(v.object({ number: v.number() })), []);
const commitish = v.object({
  head_sha: v.string(),
  head_branch: v.nullish(v.string(), null),
  head_repository: v.nullish(v.object({ owner: v.object({ login: v.string() }) }), null),
  pull_requests: pulls,
});
const Payload = v.object({
  action: v.optional(v.string(), ''),
  installation: v.nullish(v.object({ id })),
  repository: v.nullish(v.object({ full_name: v.string() })),
  pull_request: v.nullish(v.object({ number: v.number() })),
  workflow_run: v.nullish(commitish),
  check_run: v.nullish(commitish),
  check_suite: v.nullish(commitish),
});
type Payload = v.InferOutput<typeof Payload>;

/** Actions after which a check may say something else, by event. */
const checked: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened', 'ready_for_review', 'edited'],
  workflow_run: ['completed'],
  check_run: ['rerequested'],
  check_suite: ['rerequested'],
};
const ofInstallations = ['installation', 'installation_repositories'];

/** Reads what GitHub's webhooks say; null of an event that asks for nothing. */
export function readHostEvent(event: string, payload: unknown): HostEvent | null {
  const read = v.safeParse(Payload, payload);
  if (!read.success) return null;
  const { action, installation, repository } = read.output;
  const isOfInstallation = ofInstallations.includes(event);
  if (!isOfInstallation && !checked[event]?.includes(action)) return null;
  return {
    installationId: installation?.id ?? null,
    isOfInstallation,
    repository: repository?.full_name ?? null,
    ...(isOfInstallation ? { pullRequests: [], commit: null } : subjectOf(read.output)),
  };
}

/** A run of a fork names no pull request: then its commit and its branch do. */
function subjectOf({ pull_request, workflow_run, check_run, check_suite }: Payload) {
  if (pull_request) return { pullRequests: [pull_request.number], commit: null };
  const run = workflow_run ?? check_run ?? check_suite;
  const pullRequests = run?.pull_requests.map(({ number }) => number) ?? [];
  if (!run || pullRequests.length > 0) return { pullRequests, commit: null };
  const { head_sha: sha, head_branch, head_repository } = run;
  const branch = head_branch && head_repository ? `${head_repository.owner.login}:${head_branch}` : null;
  return { pullRequests, commit: { sha, branch } };
}
