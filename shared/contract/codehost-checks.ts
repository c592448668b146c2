import * as v from 'valibot';
import { matchings } from './diff.ts';

import { anyId, jsonObject, orNull, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, editorAccess, type FunctionRoutes, servedBy, WorkspaceQuery } from './route.ts';

/** As the host numbers its deliveries; no character that could end a part of a storage key. */
const deliveryId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));

/** The headers of each kind of host: C-CODEHOST-8 and C-CODEHOST-17. */
export const WebhookHeaders = v.object({
  'x-hub-signature-256': v.optional(v.string()),
  'x-github-event': v.optional(text(80)),
  'x-github-delivery': v.optional(deliveryId),
  'x-gitlab-token': v.optional(v.string()),
  'x-gitlab-event': v.optional(text(80)),
  'x-gitlab-event-uuid': v.optional(deliveryId),
  'idempotency-key': v.optional(deliveryId),
  'webhook-id': v.optional(deliveryId),
  'webhook-timestamp': v.optional(v.string()),
  'webhook-signature': v.optional(v.string()),
});
/** One of these proves who sent a webhook. Without any of them nothing else is looked at. */
export const webhookProofs = ['x-hub-signature-256', 'x-gitlab-token', 'webhook-signature'] as const;
export type WebhookHeaders = v.InferOutput<typeof WebhookHeaders>;

const WebhookReceipt = v.object({
  delivery_id: v.string(),
  /** It was seen before, and nothing is done. */
  duplicate: v.boolean(),
});

const bounds = limits.codehost;
/** `owner/name` or `group/subgroup/name`, a part of the host's addresses: none may be `.` or `..`. */
export const repositoryName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,100}(?:\/[A-Za-z0-9._-]{1,100}){1,20}$/),
  v.check((text) => isBelow(text), 'must be an owner and a repository'),
);
const path = v.pipe(
  v.string(),
  v.maxLength(bounds.path),
  v.check((text) => isBelow(text), 'must be a path below the root of the repository, with slashes'),
);

function isBelow(text: string): boolean {
  const parts = text.split('/');
  return text === '' || (!text.includes('\\') && parts.every((part) => part !== '' && part !== '.' && part !== '..'));
}

const commit = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));

/** The conclusion of a check for a pull request that breaks something. */
const breakingConclusions = ['neutral', 'failure'] as const;

const RepositoryChecks = v.strictObject({
  repository: repositoryName,
  connector_id: anyId,
  /** The linked project that is live; the manifest's own name where it is left out. */
  project_id: orNull(text(limits.declared.projectId)),
  /** Where the dbt project is in the repository. */
  project_path: v.optional(path, ''),
  /** A file of the repository that is the manifest of each commit. */
  manifest_path: orNull(v.pipe(path, v.minLength(1))),
  /** The artifact of a workflow run that holds the manifest. */
  artifact_name: v.optional(text(bounds.artifactName), 'tributary-manifest'),
  match_by: v.optional(v.picklist(matchings), 'auto'),
});
export type RepositoryChecks = v.InferOutput<typeof RepositoryChecks>;

const settings = {
  on_breaking: v.optional(v.picklist(breakingConclusions), 'neutral'),
  repositories: v.optional(v.pipe(v.array(RepositoryChecks), v.maxLength(bounds.repositories)), []),
};

const PutCheckSettings = v.strictObject({ workspace_id: anyId, ...settings });
export const CheckSettings = v.object({ workspace_id: v.string(), ...settings });
export type CheckSettings = v.InferOutput<typeof CheckSettings>;

/** A branch's dbt manifest for a commit; one of `manifest` and `upload_id`. */
export const PostManifest = v.pipe(
  v.strictObject({
    workspace_id: anyId,
    connector_id: anyId,
    repository: repositoryName,
    commit_sha: commit,
    pull_request: v.pipe(v.number(), v.integer(), v.minValue(1)),
    manifest: v.optional(jsonObject),
    /** An announced upload of the kind `dbt_manifest`, whose bytes were put and which is not completed. */
    upload_id: v.optional(anyId),
    project_id: orNull(text(limits.declared.projectId)),
  }),
  v.check(
    ({ manifest, upload_id }) => (manifest === undefined) !== (upload_id === undefined),
    'must have either a manifest or an upload_id',
  ),
);
export type PostManifest = v.InferOutput<typeof PostManifest>;

const ManifestReceipt = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  repository: v.string(),
  commit_sha: v.string(),
  pull_request: v.number(),
  received_at: timestamp,
});

const settingsPath = '/v1/codehost/check-settings';
const settingsReply = { description: 'How pull requests are checked.', schema: CheckSettings };
/** Checks of pull requests: C-CODEHOST-8 to C-CODEHOST-15. */
export const codehostCheckRoutes = servedBy('codehost', {
  receiveWebhook: {
    method: 'POST',
    path: '/v1/codehost/webhooks/{config_id}',
    summary: 'Receives a webhook from the code host and processes it asynchronously.',
    access: { kind: 'signature' },
    headers: WebhookHeaders,
    body: { kind: 'bytes', maxBytes: limits.inlineBytes, example: { zen: 'Keep it logically awesome.' } },
    replies: { 202: { description: 'Kept and queued, or seen before.', schema: WebhookReceipt } },
    problems: ['invalid_json'],
  },
  postManifest: {
    method: 'POST',
    path: '/v1/codehost/manifests',
    summary: 'Accepts the dbt manifest of a pull request’s commit, and checks the pull request with it.',
    access: editorAccess,
    body: {
      kind: 'json',
      schema: PostManifest,
      maxBytes: limits.inlineBytes,
      maxInflatedBytes: limits.declared.bodyBytes,
      gzip: true,
    },
    replies: { 202: { description: 'Kept and queued.', schema: ManifestReceipt } },
    problems: ['not_found', 'conflict'],
  },
  getCheckSettings: {
    method: 'GET',
    path: settingsPath,
    summary: 'Shows how pull requests are checked.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 200: settingsReply },
  },
  putCheckSettings: {
    method: 'PUT',
    path: settingsPath,
    summary: 'Sets which repositories are checked against which connectors, and the conclusion for a breaking change.',
    access: { ...adminAccess, workspace: 'body' },
    body: { kind: 'json', schema: PutCheckSettings, maxBytes: limits.json.bodyBytes },
    replies: { 200: settingsReply },
    problems: ['not_found', 'conflict'],
  },
} as const satisfies FunctionRoutes);
