import * as v from 'valibot';
import { orNull } from './codehost-apps.ts';
import { anyId, jsonObject, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

const bounds = limits.codehost;
/** `owner/name` */
const repositoryName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/));
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

/** What a check says of a pull request that breaks something. */
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
  /** `model`: for branches that are built into a schema of their own. */
  match_by: v.optional(v.picklist(['relation', 'model']), 'relation'),
});
export type RepositoryChecks = v.InferOutput<typeof RepositoryChecks>;

const settings = {
  on_breaking: v.optional(v.picklist(breakingConclusions), 'neutral'),
  repositories: v.optional(v.pipe(v.array(RepositoryChecks), v.maxLength(bounds.repositories)), []),
};

export const PutCheckSettings = v.strictObject({ workspace_id: anyId, ...settings });
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

export const ManifestReceipt = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  repository: v.string(),
  commit_sha: v.string(),
  pull_request: v.number(),
  received_at: timestamp,
});
