import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { repositoryName, type WebhookHeaders } from '../../contract/codehost-checks.ts';
import { beginningInUnits } from '../../contract/fields.ts';
import { limits } from '../../contract/limits.ts';
import {
  type AppCredentials,
  type AppsOfHost,
  type CheckReport,
  type CodeHost,
  checkName,
  type HostEvent,
  HostFailure,
  type PullRequest,
  type PullRequestsOfHost,
  type RepositoryPlace,
} from '../../domain/codehost/code-host.ts';
import { bounded, code } from '../../domain/lineage/report/diff-report.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { zipEntry } from '../zip/zip-entry.ts';
import { writeNote } from './notes.ts';
import {
  callData,
  download,
  findData,
  isSame,
  noneIfTooLarge,
  nullIfMissing,
  type RestClient,
  restClient,
} from './rest-client.ts';

/**
 * GitLab, also self-managed. The app is an access token: of a group, a project or a separate user. It is “installed” on
 * the group or the project that it is used for. A check is one note on the merge request and a status of its commit.
 */
export const gitLab = (fetch: GuardedFetch): CodeHost => ({
  addresses: { publicHost: 'https://gitlab.com', api: (host) => `${host}/api/v4`, installation: () => null },
  permissions: { api: 'write' },
  owners: { paths: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'], syntax: 'sections' },
  apps: tokens(fetch),
  webhooks: {
    isFrom: (secrets, delivery) => {
      const { headers } = delivery;
      const fits = secrets.map((secret) =>
        secret.startsWith(signing) ? isSigned(secret, delivery) : isSame(headers['x-gitlab-token'] ?? '', secret),
      );
      return fits.includes(true);
    },
    names: { event: 'x-gitlab-event', delivery: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'] },
    read: readHostEvent,
  },
  pullRequests: mergeRequests(fetch),
});

/** How a signing token begins; any other secret is sent as it is. */
const signing = 'whsec_';
const maxAgeMs = 5 * 60_000;
/** Standard Webhooks, “Signature scheme”: 24 to 64 bytes. */
const leastKeyBytes = 24;

type Delivery = { readonly headers: WebhookHeaders; readonly bytes: Uint8Array; readonly now: Date };

/** By Standard Webhooks: HMAC-SHA-256 of the id, the time and the bytes. An older delivery may be a replay. */
function isSigned(secret: string, { headers, bytes, now }: Delivery): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.slice(signing.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${at}.`).update(bytes).digest('base64');
  // A key of a few bytes would be guessed.
  if (key.byteLength < leastKeyBytes) return false;
  const fits = signatures.split(' ', 10).map((one) => isSame(one, `v1,${digest}`));
  return fits.includes(true) && Math.abs(now.getTime() - Number(at) * 1_000) <= maxAgeMs;
}

const Payload = v.object({
  project: v.object({ path_with_namespace: repositoryName }),
  object_attributes: v.object({
    iid: v.nullish(v.number()),
    action: v.nullish(v.string(), ''),
    status: v.nullish(v.string(), ''),
    sha: v.nullish(v.string()),
  }),
  merge_request: v.nullish(v.object({ iid: v.number() })),
});

function readHostEvent(event: string, payload: unknown): HostEvent | null {
  const read = v.safeParse(Payload, payload);
  if (!read.success) return null;
  const { project, object_attributes: subject, merge_request } = read.output;
  const place = { installationId: null, isOfInstallation: false, repository: project.path_with_namespace };
  const ofPull = (iid: number) => ({ ...place, pullRequests: [iid], commit: null });
  if (event === 'Merge Request Hook' && ['open', 'reopen', 'update'].includes(subject.action))
    return subject.iid ? ofPull(subject.iid) : null;
  if (event !== 'Pipeline Hook' || !['success', 'failed'].includes(subject.status)) return null;
  if (merge_request) return ofPull(merge_request.iid);
  return subject.sha ? { ...place, pullRequests: [], commit: { sha: subject.sha, branch: null } } : null;
}

const text = v.nullish(v.string(), null);
const User = v.object({ id: v.pipe(v.number(), v.transform(String)), username: v.string() });
const Scopes = v.object({ scopes: v.array(v.string()) });
const Account = v.object({ id: v.number(), full_path: text, path_with_namespace: text, web_url: text });

const clientOf = (fetch: GuardedFetch, { apiBaseUrl, privateKey }: AppCredentials): RestClient =>
  restClient(fetch, apiBaseUrl, `Bearer ${privateKey}`);

const tokens = (fetch: GuardedFetch): AppsOfHost => ({
  app: async (credentials) => {
    const { id, username } = v.parse(User, await callData(clientOf(fetch, credentials), 'GET /user'));
    return { id, slug: username };
  },
  installation: async (credentials, installation) => {
    const [, project, id] = /^(project-)?(\d{1,15})$/.exec(installation) ?? [];
    if (id === undefined) return null;
    const rest = clientOf(fetch, credentials);
    const route = project ? 'GET /projects/{id}' : 'GET /groups/{id}';
    const found = await findData(rest, route, { id, with_projects: false });
    if (found === null) return null;
    const { full_path, path_with_namespace, web_url } = v.parse(Account, found);
    const type = project ? 'Project' : 'Group';
    return {
      account_login: full_path ?? path_with_namespace,
      account_type: type,
      html_url: URL.parse(web_url ?? '')?.protocol === 'https:' ? web_url : null,
      permissions: await permissionsOf(rest),
      repository_selection: project ? 'selected' : 'all',
      target_id: id,
      target_type: type,
      suspended_at: null,
    };
  },
  personSees: async () => false,
});

async function permissionsOf(rest: RestClient): Promise<Readonly<Record<string, string>>> {
  const found = await findData(rest, 'GET /personal_access_tokens/self');
  const { scopes } = v.parse(Scopes, found ?? { scopes: [] });
  if (scopes.includes('api')) return { api: 'write' };
  return scopes.includes('read_api') ? { api: 'read' } : {};
}

const MergeRequest = v.object({
  iid: v.number(),
  state: v.string(),
  sha: text,
  target_branch: v.string(),
  web_url: text,
});
const Pipelines = v.array(v.object({ id: v.number() }));
const Jobs = v.array(v.object({ id: v.number(), artifacts_file: v.nullish(v.object({ filename: v.string() })) }));
const pipelinesLookedAt = 20;
const perPage = 100;

function mergeRequests(fetch: GuardedFetch): PullRequestsOfHost {
  // The path of a project is its id in addresses.
  const projectOf = ({ credentials, repository: id }: RepositoryPlace) => clientOf(fetch, credentials).defaults({ id });
  return {
    find: async (place, number) => pullOf(await mergeRequest(projectOf(place), number)),
    ofCommit: async (place, { sha }) => {
      const route = 'GET /projects/{id}/repository/commits/{sha}/merge_requests';
      const found = await findData(projectOf(place), route, { sha, per_page: perPage });
      const listed = v.parse(v.array(MergeRequest), found ?? []);
      return listed.filter((one) => one.state === 'opened' && one.sha === sha).map(({ iid }) => iid);
    },
    file: (place, path, ref) =>
      noneIfTooLarge(async () => {
        const route = 'GET /projects/{id}/repository/files/{path}/raw';
        const found = await nullIfMissing(() => projectOf(place)(route, { path, ref, ...asBytes }));
        return found && bytesOf(found.data);
      }),
    artifact: (place, name, commit) =>
      noneIfTooLarge(async () => artifactOf(fetch, projectOf(place), { name, commit })),
    publish: async (place, pull, report) => publish(projectOf(place), place, pull, report),
  };
}

/** Otherwise a file of JSON would be parsed. */
const asBytes = { request: { parseSuccessResponseBody: false } };
const bytesOf = async (data: ReadableStream<Uint8Array> | null): Promise<Uint8Array> =>
  new Uint8Array(await new Response(data).arrayBuffer());

async function mergeRequest(rest: RestClient, merge_request_iid: number) {
  const found = await findData(rest, 'GET /projects/{id}/merge_requests/{merge_request_iid}', { merge_request_iid });
  return found === null ? null : v.parse(MergeRequest, found);
}

const pullOf = (found: v.InferOutput<typeof MergeRequest> | null): PullRequest | null =>
  found?.sha
    ? { number: found.iid, isOpen: found.state === 'opened', head: found.sha, base: found.target_branch }
    : null;

/** Of the commit's pipelines, the newest with an archive of that name. */
async function artifactOf(
  fetch: GuardedFetch,
  rest: RestClient,
  { name, commit }: { readonly name: string; readonly commit: string },
): Promise<Uint8Array | null> {
  const pipelines = '/projects/{id}/pipelines';
  const filter = { sha: commit, per_page: pipelinesLookedAt };
  for (const { id: pipeline_id } of v.parse(Pipelines, await callData(rest, `GET ${pipelines}`, filter))) {
    const jobs = await callData(rest, `GET ${pipelines}/{pipeline_id}/jobs`, { pipeline_id, per_page: perPage });
    const job = v.parse(Jobs, jobs).find(({ artifacts_file }) => artifacts_file?.filename === `${name}.zip`);
    if (!job) continue;
    const zip = await download(fetch, () => rest('GET /projects/{id}/jobs/{job_id}/artifacts', { job_id: job.id }));
    return zipEntry(zip, 'manifest.json', limits.declared.bodyBytes) ?? new Uint8Array();
  }
  return null;
}

const maxPlaces = 30_000;
const maxDescription = 255;
const Statuses = v.array(v.object({ id: v.number(), status: v.string(), description: text }));

/** No state means “neutral”: `success` would claim too much, `failed` would block, `pending` would never end. */
const states = { success: 'success', failure: 'failed', neutral: 'skipped' } as const;

/**
 * Writes the note, then the status. The note is of the whole merge request: if the head has moved
 * since, the check runs again, so that the last note is about the last commit.
 * @throws HostFailure `moved`
 */
async function publish(
  rest: RestClient,
  place: RepositoryPlace,
  pull: PullRequest,
  report: CheckReport,
): Promise<void> {
  const note = await writeNote(
    rest,
    { kind: 'gitlab', ...place, number: pull.number },
    { author: place.credentials.appId, marker: 'tributary check', text: noteOf(report) },
  );
  const now = await mergeRequest(rest, pull.number);
  if (now?.sha !== pull.head) throw new HostFailure('moved');
  const filter = { sha: pull.head, name: checkName, per_page: perPage };
  const found = await findData(rest, 'GET /projects/{id}/repository/commits/{sha}/statuses', filter);
  const last = v.parse(Statuses, found ?? []).toSorted((a, b) => b.id - a.id)[0];
  const [state, description] = [states[report.conclusion], beginningInUnits(report.title, maxDescription)];
  if (last?.status === state && last.description === description) return;
  const target = now.web_url === null ? {} : { target_url: `${now.web_url}#note_${note.id}` };
  const status = { sha: pull.head, name: checkName, state, description, ...target };
  // The commit of a fork is of no branch here, and can have no status.
  await findData(rest, 'POST /projects/{id}/statuses/{sha}', status);
}

function noteOf({ title, summary, annotations }: CheckReport): string {
  const places = annotations.map((one) => `- ${code(`${one.path}:${one.line}`)} ${code(one.title)}`);
  const files = places.length > 0 ? ['', '**In the files:**', '', ...bounded(places, 'places', maxPlaces)] : [];
  return [`### Lineage: ${title}`, '', summary, ...files].join('\n');
}
