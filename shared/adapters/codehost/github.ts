import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { repositoryName } from '../../contract/codehost-checks.ts';
import type { CodeHost, HostEvent } from '../../domain/codehost/code-host.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { gitHubApps } from './github-app.ts';
import { gitHubPullRequests } from './github-pull-requests.ts';
import { isSame } from './rest-client.ts';

const publicHost = 'https://github.com';

/** GitHub, GitHub Enterprise Server and ghe.com: an app, its installations, and check runs. */
export const gitHub = (fetch: GuardedFetch): CodeHost => ({
  addresses: {
    publicHost,
    api: (host) => {
      const { hostname } = new URL(host);
      const isOfService = host === publicHost || hostname.endsWith('.ghe.com');
      return isOfService ? `https://api.${hostname}` : `${host}/api/v3`;
    },
    installation: ({ app_slug, codehost_base_url }) => {
      // A server has apps under another path than the service, which ghe.com is too.
      const isOfService = /(?:^|\.)(?:github|ghe)\.com$/.test(new URL(codehost_base_url).hostname);
      const folder = isOfService ? 'apps' : 'github-apps';
      return `${codehost_base_url}/${folder}/${encodeURIComponent(app_slug)}/installations/new`;
    },
  },
  permissions: { checks: 'write', contents: 'read', pull_requests: 'read', actions: 'read' },
  owners: { paths: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'], syntax: 'one_list' },
  apps: gitHubApps(fetch),
  webhooks: {
    isFrom: (secrets, { headers, bytes }) => {
      const provided = headers['x-hub-signature-256'] ?? '';
      const fits = secrets.map((secret) =>
        isSame(provided, `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`),
      );
      return fits.includes(true);
    },
    names: { event: 'x-github-event', delivery: ['x-github-delivery'] },
    read: readHostEvent,
  },
  pullRequests: gitHubPullRequests(fetch),
});

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
  repository: v.nullish(v.object({ full_name: repositoryName })),
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

function readHostEvent(event: string, payload: unknown): HostEvent | null {
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
